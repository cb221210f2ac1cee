import { type PatternCost, patternCost } from './pattern-cost.js';

/**
 * Patterns as clients of the peer write them: ICU's dialect, brought to JavaScript's. Mapped: flags at the start `(?ims)`,
 * `\Q…\E`, `\h \H \R \A \z \Z \a \e \X`, `\x{…}`, possessive quantifiers and atomic groups (which become greedy ones: they
 * may match where ICU gives up, never the other way round).
 */
export interface Pattern {
  readonly regex: RegExp;
  /** Whether a match may depend on what is before the part of the text that is searched. */
  readonly looksBack: boolean;
  /** The text itself when the pattern is nothing but text. */
  readonly literal: string | undefined;
  /** A bound for the work of a search, where one is known. */
  readonly cost: PatternCost | undefined;
}

/** Far above any pattern for a screen; compiling is linear but not free. */
const MAX_PATTERN = 8192;

const HORIZONTAL = '\\t \\u00a0\\u1680\\u2000-\\u200a\\u202f\\u205f\\u3000';
const OUTSIDE_CLASS: Readonly<Record<string, string>> = {
  h: `[${HORIZONTAL}]`,
  H: `[^${HORIZONTAL}]`,
  R: '(?:\\r\\n|[\\n\\v\\f\\r\\u0085\\u2028\\u2029])',
  X: '(?:\\r\\n|\\P{M}\\p{M}*|\\p{M}+)',
  A: '(?<![\\s\\S])',
  z: '(?![\\s\\S])',
  Z: '(?=\\n?(?![\\s\\S]))',
};
const ANYWHERE: Readonly<Record<string, string>> = { a: '\\x07', e: '\\x1b' };

/** @returns undefined when it is not a regular expression */
export function compilePattern(source: string): Pattern | undefined {
  if (source.length > MAX_PATTERN) return undefined;
  if (/^[^\\^$.*+?()[\]{}|]*$/.test(source)) {
    return { regex: new RegExp(source.replaceAll('/', '\\/')), looksBack: false, literal: source, cost: undefined };
  }
  const flagged = /^\(\?([ims]+)\)/.exec(source);
  const body = translate(source.slice(flagged?.[0].length ?? 0));
  const flags = [...new Set(flagged?.[1] ?? '')].join('');
  const regex = compile(body, `${flags}u`) ?? (needsUnicode(body) ? undefined : compile(body, flags));
  if (regex === undefined) return undefined;
  return { regex, looksBack: /\^|\(\?<[=!]/.test(body), literal: undefined, cost: patternCost(body) };
}

const needsUnicode = (body: string) => /\\[pP]\{|\\u\{/.test(body);

/** The strict form first, in which a character is a code point as in ICU; it refuses some harmless escapes. */
function compile(body: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(body, flags);
  } catch {
    return undefined;
  }
}

interface Reader {
  readonly source: string;
  at: number;
  inClass: boolean;
}

function translate(source: string): string {
  const reader: Reader = { source, at: 0, inClass: false };
  let out = '';
  while (reader.at < source.length) out += nextPiece(reader);
  return out;
}

function nextPiece(reader: Reader): string {
  const { source, at } = reader;
  const character = source[at] ?? '';
  if (character === '\\') return escaped(reader);
  reader.at++;
  if (reader.inClass) {
    if (character === ']') reader.inClass = false;
    return character;
  }
  if (character === '[') return openClass(reader);
  if (source.startsWith('(?>', at)) {
    reader.at = at + 3;
    return '(?:';
  }
  const quantifier = /^(?:[*+?]|\{\d+(?:,\d*)?\})/.exec(source.slice(at));
  if (quantifier === null) return character;
  reader.at = at + quantifier[0].length;
  if (source[reader.at] === '+') reader.at++;
  return quantifier[0];
}

/** A `]` right after the opening is a member of the class in ICU, and ends it in JavaScript. */
function openClass(reader: Reader): string {
  reader.inClass = true;
  const opening = /^\[\^?\]?/.exec(reader.source.slice(reader.at - 1))?.[0] ?? '[';
  reader.at += opening.length - 1;
  return opening.replace(']', '\\]');
}

function escaped(reader: Reader): string {
  const { source, at, inClass } = reader;
  const letter = source[at + 1] ?? '';
  if (letter === 'Q') return quoted(reader);
  reader.at = at + 2;
  const braces = letter === 'x' ? /^\{([0-9a-fA-F]{1,6})\}/.exec(source.slice(at + 2)) : null;
  if (braces !== null) {
    reader.at += braces[0].length;
    return `\\u{${braces[1]}}`;
  }
  if (inClass) return letter === 'h' ? HORIZONTAL : (ANYWHERE[letter] ?? `\\${letter}`);
  return OUTSIDE_CLASS[letter] ?? ANYWHERE[letter] ?? `\\${letter}`;
}

function quoted(reader: Reader): string {
  const from = reader.at + 2;
  const end = reader.source.indexOf('\\E', from);
  const text = reader.source.slice(from, end < 0 ? undefined : end);
  reader.at = end < 0 ? reader.source.length : end + 2;
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
