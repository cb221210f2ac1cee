import { BrokenConfig } from '../domain/broken-config.js';
import type { FileEditor } from '../domain/editor.js';

const ADDED = '# added by switchyard';
/** The list was written `[]`, which is no place for a line of ours. */
const WAS_EMPTY = '# [] before switchyard';
const OWN = new RegExp(`${ADDED} \\d+$`);
const OWN_EMPTY = new RegExp(`^( +[\\w-]+:) ${WAS_EMPTY.replace(/[[\]]/g, '\\$&')} \\d+$`);
/** What a file of settings looks like at its left edge; anything else is YAML that this does not understand. */
const OUTERMOST = /^(?:["']?[\w.-]+["']?\s*:(?:\s|$)|#|-\s)/;

/**
 * One item of a list two levels deep (`plugins:` → `enabled:` → `- NAME`) in a YAML file. Lines are put in and taken out;
 * no other line is touched. A file whose list is not written one item to a line is refused.
 */
export function yamlListItem(path: readonly [outer: string, inner: string], item: string, version: number): FileEditor {
  const mark = `${ADDED} ${version}`;
  return {
    find: (text) => {
      const lines = linesOf(text);
      const listed = isListed(lines, path, item);
      if (!lines.some((line) => OWN.test(line))) return listed ? 'theirs' : 'missing';
      return listed && lines.filter((line) => OWN.test(line)).every((line) => line.endsWith(mark))
        ? 'current'
        : 'outdated';
    },
    add: (text) => {
      const start = text === null ? '' : remove(text);
      if (isListed(linesOf(start), path, item)) return start;
      return withItem(start, path, item, version);
    },
    remove,
    isBlank: (text) => text.trim() === '',
  };
}

const linesOf = (text: string): string[] => text.split('\n').map((line) => line.replace(/\r$/, ''));
const indentOf = (line: string): number => line.length - line.trimStart().length;
const isSilent = (line: string): boolean => /^\s*(?:#.*)?$/.test(line);

/** Index of the line `key:` among lines of one indent; -1: there is none. */
function keyAt(lines: readonly string[], key: string, from: number, to: number, indent: number): number {
  const found = lines.slice(from, to).findIndex((line) => indentOf(line) === indent && nameOf(line) === key);
  return found < 0 ? -1 : from + found;
}

const nameOf = (line: string): string | null => /^\s*["']?([\w.-]+)["']?\s*:(?:\s|$)/.exec(line)?.[1] ?? null;
const inlineOf = (line: string): string => line.replace(/^[^:]*:\s*/, '').replace(/^#.*|\s+#.*$/, '');

/** Where what is below a key ends. Items of a list may stand in the column of their key. */
function endOf(lines: readonly string[], at: number): number {
  const indent = indentOf(lines[at] ?? '');
  for (let i = at + 1; i < lines.length; i++) {
    const line = lines[i] ?? '';
    if (isSilent(line)) continue;
    if (indentOf(line) < indent || (indentOf(line) === indent && !line.trimStart().startsWith('- '))) return i;
  }
  return lines.length;
}

interface Place {
  readonly outer: number;
  /** Column of what is below it; null: nothing is. */
  readonly column: number | null;
  readonly inner: number;
}

function placeOf(lines: readonly string[], [outer, inner]: readonly [string, string]): Place {
  const odd = lines.findIndex((line) => !isSilent(line) && indentOf(line) === 0 && !OUTERMOST.test(line));
  if (odd >= 0) throw new BrokenConfig('it is no plain YAML of settings', odd + 1);
  const at = keyAt(lines, outer, 0, lines.length, 0);
  if (at < 0) return { outer: -1, column: null, inner: -1 };
  if (inlineOf(lines[at] ?? '') !== '') throw new BrokenConfig(`\`${outer}\` is written in one line`, at + 1);
  const end = endOf(lines, at);
  const first = lines.slice(at + 1, end).find((line) => !isSilent(line));
  const column = first === undefined ? null : indentOf(first);
  return { outer: at, column, inner: column === null ? -1 : keyAt(lines, inner, at + 1, end, column) };
}

function isListed(lines: readonly string[], path: readonly [string, string], item: string): boolean {
  const { inner } = placeOf(lines, path);
  if (inner < 0) return false;
  const value = inlineOf(lines[inner] ?? '');
  const inLine = /^\[(.*)\]$/.exec(value)?.[1]?.split(',') ?? [];
  const below = lines.slice(inner + 1, endOf(lines, inner)).map((line) => /^\s*-\s+(.*)$/.exec(line)?.[1] ?? '');
  const names = [...inLine, ...below].map((name) =>
    name
      .replace(/\s+#.*$/, '')
      .trim()
      .replace(/^(["'])(.*)\1$/, '$2'),
  );
  return names.includes(item);
}

function withItem(text: string, path: readonly [string, string], item: string, version: number): string {
  const [outer, inner] = path;
  const lines = linesOf(text);
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const mark = `${ADDED} ${version}`;
  const entry = (indent: number) => `${' '.repeat(indent)}- ${item} ${mark}`;
  const place = placeOf(lines, path);
  if (place.outer < 0) {
    const block = [`${outer}: ${mark}`, `  ${inner}: ${mark}`, entry(4), ''].join(eol);
    return text === '' || text.endsWith('\n') ? text + block : text + eol + block;
  }
  if (place.inner < 0) {
    const indent = place.column ?? 2;
    return inserted(text, place.outer, [`${' '.repeat(indent)}${inner}: ${mark}`, entry(indent + 2)], eol);
  }
  const line = lines[place.inner] ?? '';
  const items = lines.slice(place.inner + 1, endOf(lines, place.inner)).filter((each) => !isSilent(each));
  if (inlineOf(line) === '')
    return inserted(text, place.inner, [entry(items[0] ? indentOf(items[0]) : indentOf(line) + 2)], eol);
  if (!/^ +[\w-]+: \[\]$/.test(line)) {
    throw new BrokenConfig(
      `\`${outer}.${inner}\` is written in one line: put ${item} into it yourself`,
      place.inner + 1,
    );
  }
  const opened = replaced(text, place.inner, line.replace('[]', `${WAS_EMPTY} ${version}`));
  return inserted(opened, place.inner, [entry(indentOf(line) + 2)], eol);
}

/** After a line, whose own end stays as it is. */
function inserted(text: string, at: number, added: readonly string[], eol: string): string {
  const lines = text.split('\n');
  const head = lines.slice(0, at + 1).join('\n');
  const tail = lines.slice(at + 1);
  const block = added.join(eol);
  if (tail.length === 0) return `${head}${eol}${block}`;
  return `${head}\n${block}${eol === '\r\n' ? '\r' : ''}\n${tail.join('\n')}`;
}

function replaced(text: string, at: number, line: string): string {
  const lines = text.split('\n');
  lines[at] = line + ((lines[at] ?? '').endsWith('\r') ? '\r' : '');
  return lines.join('\n');
}

/** Takes our lines out, the keys among them only where nothing of somebody else's stands below. */
function remove(text: string): string {
  const raw = text.split('\n');
  const bare = linesOf(text);
  const gone = new Set<number>();
  for (let i = raw.length - 1; i >= 0; i--) {
    const line = bare[i] ?? '';
    if (OWN.test(line) && !holdsOthers(bare, i, gone)) gone.add(i);
  }
  const left = raw.flatMap((line, i) => {
    if (gone.has(i)) return [];
    const was = OWN_EMPTY.exec(bare[i] ?? '')?.[1];
    if (was === undefined) return [line];
    const end = line.endsWith('\r') ? '\r' : '';
    return [holdsOthers(bare, i, gone) ? `${was}${end}` : `${was} []${end}`];
  });
  return left.join('\n');
}

function holdsOthers(lines: readonly string[], at: number, gone: ReadonlySet<number>): boolean {
  if (/^\s*- /.test(lines[at] ?? '')) return false;
  return lines.slice(at + 1, endOf(lines, at)).some((line, i) => !isSilent(line) && !gone.has(at + 1 + i));
}
