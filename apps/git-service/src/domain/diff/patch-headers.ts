import type { ChangeRecord } from './raw-records.js';

const NAMED_ESCAPES: Readonly<Record<number, string>> = {
  7: '\\a',
  8: '\\b',
  9: '\\t',
  10: '\\n',
  11: '\\v',
  12: '\\f',
  13: '\\r',
  34: '\\"',
  92: '\\\\',
};

/**
 * The line that begins the patch of a record, as git prints it with `core.quotePath=false`: by it a patch is told to be
 * of this record, whatever its name, instead of being taken apart.
 * @returns the bytes as latin1
 */
export function patchHeader(record: ChangeRecord): string {
  const name = record.path.toString('latin1');
  if (record.status === 'U') return `* Unmerged path ${quoted(name)}`;
  const oldName = record.oldPath?.toString('latin1') ?? name;
  return `diff --git ${quoted(`a/${oldName}`)} ${quoted(`b/${name}`)}`;
}

/** In quotes, in the manner of C, where a byte needs it; bytes above ASCII do not. */
function quoted(name: string): string {
  if (!/[\x00-\x1f"\\\x7f]/.test(name)) return name;
  return `"${name.replace(/[\x00-\x1f"\\\x7f]/g, escaped)}"`;
}

function escaped(character: string): string {
  const code = character.charCodeAt(0);
  return NAMED_ESCAPES[code] ?? `\\${code.toString(8).padStart(3, '0')}`;
}
