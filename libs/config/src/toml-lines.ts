const HEADER = /^\s*\[\s*([^\]]+?)\s*\]/;
const KEY = /^\s*((?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*')(?:\s*\.\s*(?:[A-Za-z0-9_-]+|"[^"]*"|'[^']*'))*)\s*=/;
const INLINE_KEY = /[{,]\s*([A-Za-z0-9_-]+)\s*=/g;

/**
 * Where each key of a TOML text stands. The parser tells positions only for syntax errors; a wrong value needs one too.
 * Text that spans lines is skipped, so that its content is not taken for keys.
 *
 * @returns line numbers from 1 by dotted key: `gateway`, `gateway.max_connections`
 */
export function tomlLines(text: string): Map<string, number> {
  const lines = new Map<string, number>();
  let table: string[] = [];
  let openQuote: string | null = null;
  for (const [index, line] of text.split('\n').entries()) {
    if (openQuote === null) {
      const header = HEADER.exec(line)?.[1];
      if (header !== undefined) table = segments(header);
      noteKeys(lines, table, line, index + 1);
    }
    openQuote = quoteAfter(line, openQuote);
  }
  return lines;
}

function noteKeys(lines: Map<string, number>, table: string[], line: string, number: number): void {
  const note = (path: string[]) => {
    for (let depth = 1; depth <= path.length; depth++) {
      const key = path.slice(0, depth).join('.');
      if (depth === path.length || !lines.has(key)) lines.set(key, number);
    }
  };
  if (HEADER.test(line)) note(table);
  const key = KEY.exec(line)?.[1];
  if (key === undefined) return;
  const path = [...table, ...segments(key)];
  note(path);
  const value = line.slice(line.indexOf('=') + 1);
  if (!value.trimStart().startsWith('{')) return;
  for (const match of value.matchAll(INLINE_KEY)) note([...path, match[1] ?? '']);
}

function segments(dotted: string): string[] {
  return dotted.split('.').map((part) => part.trim().replace(/^(["'])(.*)\1$/, '$2'));
}

/** Which triple quote is still open at the end of the line, if any. */
function quoteAfter(line: string, open: string | null): string | null {
  for (const match of line.matchAll(/"""|'''/g)) {
    if (open === null) open = match[0];
    else if (open === match[0]) open = null;
  }
  return open;
}
