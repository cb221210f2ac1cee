/** One line of a TOML text. `code`: it begins outside of any string or list that runs over several lines. */
export interface TomlLine {
  readonly text: string;
  /** With its line break, if it has one. */
  readonly raw: string;
  readonly code: boolean;
  /** `features` for `[features]`, `hooks` for `[[hooks]]`; null: it is no header. */
  readonly header: string | null;
}

const HEADER = /^\s*\[{1,2}\s*([^\]]+?)\s*\]{1,2}\s*(?:#.*)?$/;

/** Splits a text that is known to be TOML. */
export function tomlLines(text: string): TomlLine[] {
  const lines: TomlLine[] = [];
  let state: State = { quote: null, depth: 0 };
  for (const raw of text.match(/[^\n]*\n|[^\n]+$/g) ?? []) {
    const line = raw.replace(/\r?\n$/, '');
    const code = state.quote === null && state.depth === 0;
    lines.push({ text: line, raw, code, header: code ? (HEADER.exec(line)?.[1] ?? null) : null });
    state = after(line, state);
  }
  return lines;
}

/** What is still open at the end of a line: a string of several lines, and how many lists and tables. */
interface State {
  readonly quote: '"""' | "'''" | null;
  readonly depth: number;
}

/** Long strings, short strings with their escapes, a comment to the end, brackets. */
const TOKEN = /"""|'''|"(?:[^"\\]|\\.)*"|'[^']*'|#.*$|[[\]{}]/g;

function after(line: string, before: State): State {
  let { quote, depth } = before;
  let at = 0;
  while (at < line.length) {
    if (quote !== null) {
      const end = closing(line, quote, at);
      if (end < 0) return { quote, depth };
      at = end;
      quote = null;
    }
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(line);
    if (token === null) break;
    at = TOKEN.lastIndex;
    if (token[0] === '"""' || token[0] === "'''") quote = token[0];
    else if (token[0] === '[' || token[0] === '{') depth++;
    else if (token[0] === ']' || token[0] === '}') depth--;
  }
  return { quote, depth };
}

/** @returns the place behind the end of a long string; below 0: it goes on in the next line */
function closing(line: string, quote: string, from: number): number {
  for (let at = from; at < line.length; at++) {
    if (quote === '"""' && line[at] === '\\') at++;
    else if (line.startsWith(quote, at)) return at + quote.length;
  }
  return -1;
}
