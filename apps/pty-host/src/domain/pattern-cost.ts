/** How the work of a search grows: at most `factor` × (length of the text + 1) ^ `exponent` steps. */
export interface PatternCost {
  readonly factor: number;
  readonly exponent: number;
}

/** A part that is repeated over and over multiplies the ways to split the text; every search begins anywhere in it. */
const SEARCH_EXPONENT = 1;
const QUANTIFIER = /^(?:[*+?]|\{(\d+)(?:(,)(\d*))?\})\??/;
const GROUP_START = /^\((?:\?(?::|<?[=!]|<[^>]*>))?/;
/** An escape that has braces or a second character belongs together. */
const ESCAPE = /^\\(?:[pPu]\{[^}]*\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|c[A-Za-z]|[\s\S])/;
const BACKREFERENCE = /^\\[1-9k]/;
const CLASS = /^\[(?:\\[\s\S]|[^\]\\])*\]/;

/**
 * An upper bound for what a backtracking engine does with a pattern of JavaScript, where there is a simple one.
 *
 * @returns undefined where a group is repeated or a part of the match is looked for again: anything is possible then
 */
export function patternCost(source: string): PatternCost | undefined {
  let exponent = SEARCH_EXPONENT;
  let factor = source.length + 1;
  /** Branches of the groups around, the whole pattern first. */
  const branches = [1];
  let isGroup = false;
  for (let rest = source; rest !== ''; ) {
    const quantifier = QUANTIFIER.exec(rest);
    if (quantifier !== null) {
      const most = mostOf(quantifier);
      if (isGroup && most > 1) return undefined;
      if (most === Number.POSITIVE_INFINITY) exponent++;
      else factor *= most + 1;
      rest = rest.slice(quantifier[0].length);
      continue;
    }
    const group = GROUP_START.exec(rest);
    isGroup = rest[0] === ')';
    if (BACKREFERENCE.test(rest)) return undefined;
    if (group !== null) branches.push(1);
    else if (isGroup) factor *= branches.pop() ?? 1;
    else if (rest[0] === '|') branches.push((branches.pop() ?? 1) + 1);
    rest = rest.slice((group ?? ESCAPE.exec(rest) ?? CLASS.exec(rest))?.[0].length ?? 1);
  }
  return { factor: factor * (branches[0] ?? 1), exponent };
}

/** How often at most the part before the quantifier is taken. */
function mostOf([text, least, comma, most]: RegExpExecArray): number {
  if (text.startsWith('?')) return 1;
  if (least === undefined || (comma !== undefined && !most)) return Number.POSITIVE_INFINITY;
  return Number(most || least);
}
