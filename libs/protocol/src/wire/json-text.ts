/** Looks at JSON text for what JSON.parse does not give: the exact spelling of an id, and ids in broken lines. */

const STRING = '"(?:[^"\\\\\\u0000-\\u001f]|\\\\.)*"';
const LEADING_MEMBER = new RegExp(
  `\\s*(${STRING})\\s*:\\s*(${STRING}|-?\\d+(?:\\.\\d+)?(?:[eE][+-]?\\d+)?|true|false|null)\\s*,`,
  'y',
);
/** Longest spelling of a number that is looked at, with blanks; a longer one is answered as JavaScript reads it. */
const MAX_NUMBER = 512;
/** More members than any envelope has. */
const MAX_LEADING_MEMBERS = 8;

/**
 * Reads the members in front of a line that is not valid JSON, as far as they are complete: a name, a scalar and the
 * comma after it. So a broken `params` does not cost the id, and a number cut off by the end of the line is not taken
 * for an id.
 *
 * @returns the JSON text of each value by name
 */
export function leadingMembers(text: string): Map<string, string> {
  const members = new Map<string, string>();
  const open = text.indexOf('{');
  if (open === -1) return members;
  LEADING_MEMBER.lastIndex = open + 1;
  for (let i = 0; i < MAX_LEADING_MEMBERS; i++) {
    const match = LEADING_MEMBER.exec(text);
    if (!match) break;
    const [, name = '', value = ''] = match;
    const key = parsed(name);
    if (typeof key === 'string' && parsed(value) !== undefined) members.set(key, value);
  }
  return members;
}

/** @returns undefined when the text is not JSON after all, e.g. for a bad escape */
function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/**
 * The JSON text of a parsed id. A number is spelt again only where that is exact.
 *
 * @param text the valid JSON object it was read from
 * @throws RangeError when the id is nested too deeply to be written
 */
export function idText(id: unknown, text: string): string {
  if (typeof id !== 'number' || Number.isSafeInteger(id)) return JSON.stringify(id);
  return numberText(text, 'id') ?? JSON.stringify(id);
}

/** @returns the spelling of the number that the last top-level member `name` has */
function numberText(text: string, name: string): string | undefined {
  const number = new RegExp(`^"${name}"\\s*:\\s*(-?\\d[\\d.eE+-]*)`);
  let depth = 0;
  let found: string | undefined;
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (c === '{' || c === '[') depth++;
    else if (c === '}' || c === ']') depth--;
    else if (c === '"') {
      const end = stringEnd(text, i);
      if (depth === 1) found = number.exec(text.slice(i, end + MAX_NUMBER))?.[1] ?? found;
      i = end;
    }
  }
  return found;
}

/** @returns the index of the closing quote of the string that opens at `start` in valid JSON */
function stringEnd(text: string, start: number): number {
  let i = start + 1;
  while (i < text.length && text[i] !== '"') i += text[i] === '\\' ? 2 : 1;
  return i;
}
