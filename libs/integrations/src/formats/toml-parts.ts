import { parse, TomlError } from 'smol-toml';
import { BrokenConfig } from '../domain/broken-config.js';
import type { FileEditor, Found } from '../domain/editor.js';
import { type TomlLine, tomlLines } from './toml-lines.js';

const BEGIN = '# >>> switchyard';
const END = '# <<< switchyard';
const ADDED = '# added by switchyard';

/**
 * A block of lines at the end of a TOML file, between two lines that say whose it is.
 *
 * @param body the lines, without a line break at the end
 */
export function tomlBlock(body: string, version: number): FileEditor {
  const block = `${BEGIN} ${version} >>>\n${body}\n${END} <<<`;
  const isOwn = (lines: readonly TomlLine[]) => {
    const from = lines.findIndex(({ text, code }) => code && text.startsWith(BEGIN));
    const to = lines.findIndex(({ text, code }, i) => i > from && code && text.startsWith(END));
    return (_: TomlLine, i: number) => from >= 0 && i >= from && i <= to;
  };
  return editorOf(block, isOwn);
}

/** `key = true` in a table, marked as ours by a comment; nothing when a person has it so already. */
export function tomlFlag(table: string, key: string, version: number): FileEditor {
  const mark = `${ADDED} ${version}`;
  const line = `${key} = true ${mark}`;
  const isOwn = (lines: readonly TomlLine[]) => ownFlagLines(lines);
  const block = `[${table}] ${mark}\n${line}`;
  const base = editorOf(block, isOwn);
  const value = (text: string) => flagOf(text, table, key);
  return {
    ...base,
    find: (text) => {
      const own = base.remove(text) !== text;
      if (!own) return value(text) === true ? 'theirs' : 'missing';
      return text.includes(mark) && value(text) === true ? 'current' : 'outdated';
    },
    add: (text) => {
      const start = text === null ? '' : base.remove(text);
      if (value(start) === true) return start;
      if (value(start) !== undefined) throw new BrokenConfig(`${table}.${key} is not true there`);
      return addFlag(start, table, line, () => base.add(text));
    },
    remarks: (text) => (value(text) === false ? [`${table}.${key} is false: the agent runs no hooks`] : []),
  };
}

type Own = (lines: readonly TomlLine[]) => (line: TomlLine, index: number) => boolean;

function editorOf(block: string, isOwn: Own): FileEditor {
  const remove = (text: string) => withoutLines(checked(text), isOwn);
  return {
    find: (text): Found => {
      const rest = remove(text);
      if (rest === text) return 'missing';
      return text === appended(rest, block) || text.includes(block) ? 'current' : 'outdated';
    },
    add: (text) => checked(appended(text === null ? '' : remove(text), block)),
    remove,
    isBlank: (text) => text.trim() === '',
  };
}

/** The lines behind the text; a text without a line break at its end gets none either. */
function appended(text: string, block: string): string {
  const lines = text.includes('\r\n') ? block.replaceAll('\n', '\r\n') : block;
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  return text === '' || text.endsWith('\n') ? `${text}${lines}${newline}` : `${text}${newline}${lines}`;
}

function withoutLines(text: string, isOwn: Own): string {
  const lines = tomlLines(text);
  const own = isOwn(lines);
  const kept = lines.filter((line, i) => !own(line, i));
  if (kept.length === lines.length) return text;
  const rest = kept.map(({ raw }) => raw).join('');
  const lastGone = kept.at(-1) !== lines.at(-1);
  // Our part had no line break at its end, because the text before it had none.
  return lastGone && !text.endsWith('\n') ? rest.replace(/\r?\n$/, '') : rest;
}

/** Our lines; the header only if nothing of somebody else's has come to stand below it. */
const ownFlagLines: Own = (lines) => {
  const own = (line: TomlLine) => line.code && line.text.includes(ADDED);
  return (line, i) => {
    if (!own(line)) return false;
    if (line.header === null) return true;
    const end = lines.findIndex((other, j) => j > i && other.header !== null);
    const below = lines.slice(i + 1, end < 0 ? undefined : end);
    return below.every((other) => own(other) || other.text.trim() === '');
  };
};

function addFlag(text: string, table: string, line: string, append: () => string): string {
  const lines = tomlLines(text);
  const at = lines.findIndex(({ header }) => header === table);
  if (at < 0 && hasTable(text, table))
    throw new BrokenConfig(`add \`${table}.${line.split(' #')[0]}\` by hand: the table is written in another form`);
  if (at < 0) return append();
  const header = lines[at];
  const newline = header?.raw.endsWith('\r\n') ? '\r\n' : '\n';
  const before = lines
    .slice(0, at + 1)
    .map(({ raw }) => raw)
    .join('');
  const after = lines
    .slice(at + 1)
    .map(({ raw }) => raw)
    .join('');
  return checked(before.endsWith('\n') ? `${before}${line}${newline}${after}` : `${before}${newline}${line}`);
}

function flagOf(text: string, table: string, key: string): unknown {
  const found = read(text)[table];
  return typeof found === 'object' && found !== null ? (found as Record<string, unknown>)[key] : undefined;
}

const hasTable = (text: string, table: string): boolean => read(text)[table] !== undefined;

function checked(text: string): string {
  read(text);
  return text;
}

function read(text: string): Record<string, unknown> {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    throw new BrokenConfig(`it is not TOML: ${error.message.split('\n')[0]}`, error.line);
  }
}
