import { eastAsianWidth } from 'get-east-asian-width';

/**
 * How wide a code point is on its own, and what it does to the grapheme before it (Unicode UAX #29, UTS #51).
 * Built on the Unicode data of the JavaScript engine; a page of 256 code points is computed when it is first seen, so
 * that start-up costs nothing and the parser's hot path is one array read.
 */
export const KIND = {
  other: 0,
  /** No width of its own: combining marks, format characters, tags, Hangul vowels and finals. */
  extend: 1,
  zwj: 2,
  /** Asks for the emoji form of what is before it. */
  emojiSelector: 3,
  skinTone: 4,
  /** A picture that is wide by itself. */
  picture: 5,
  /** A picture that is narrow text unless a selector or a skin tone follows. */
  textPicture: 6,
  /** 0-9 # *: narrow, but wide with a selector. */
  keycapBase: 7,
  regional: 8,
  hangulLead: 9,
  hangulSyllable: 10,
} as const;
export type Kind = (typeof KIND)[keyof typeof KIND];

const WIDTH_BITS = 2;
const PAGE_BITS = 8;
const PAGE_SIZE = 1 << PAGE_BITS;
const LAST_CODE_POINT = 0x10ffff;
/** Replaces what is not a code point at all: narrow, joins nothing. */
const NOT_A_CHARACTER = 1;

const pages: (Uint8Array | undefined)[] = new Array((LAST_CODE_POINT + 1) >> PAGE_BITS).fill(undefined);

/** @returns width in the low two bits, {@link Kind} above them. */
export function lookUp(codePoint: number): number {
  const page = pages[codePoint >> PAGE_BITS] ?? computePage(codePoint >> PAGE_BITS);
  return page[codePoint & (PAGE_SIZE - 1)] ?? NOT_A_CHARACTER;
}

export const widthIn = (entry: number): number => entry & ((1 << WIDTH_BITS) - 1);
export const kindIn = (entry: number): Kind => (entry >> WIDTH_BITS) as Kind;

/** @returns cells that the code point takes when nothing joins it: 0, 1 or 2 */
export const codePointWidth = (codePoint: number): 0 | 1 | 2 => widthIn(lookUp(codePoint)) as 0 | 1 | 2;

function computePage(number: number): Uint8Array {
  const page = new Uint8Array(PAGE_SIZE);
  if (number >= pages.length) return page.fill(NOT_A_CHARACTER);
  const first = number << PAGE_BITS;
  for (let i = 0; i < PAGE_SIZE; i++) page[i] = classify(first + i);
  pages[number] = page;
  return page;
}

const entry = (kind: Kind, width: 0 | 1 | 2): number => (kind << WIDTH_BITS) | width;

const ZWJ = 0x200d;
const EMOJI_SELECTOR = 0xfe0f;
const SOFT_HYPHEN = 0xad;

const ZERO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}]$/u;
/** Format characters that are drawn around the digits after them, so they need room: the Arabic number signs. */
const PREPENDED = /^[\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2\u{110bd}\u{110cd}]$/u;

function classify(codePoint: number): number {
  if (codePoint < 0x20 || (codePoint >= 0x7f && codePoint < 0xa0)) return entry(KIND.extend, 0);
  if (codePoint >= 0xd800 && codePoint <= 0xdfff) return entry(KIND.other, 1);
  if (codePoint === ZWJ) return entry(KIND.zwj, 0);
  if (codePoint === EMOJI_SELECTOR) return entry(KIND.emojiSelector, 0);
  const character = String.fromCodePoint(codePoint);
  if (codePoint === SOFT_HYPHEN || PREPENDED.test(character)) return entry(KIND.other, 1);
  if (ZERO_WIDTH.test(character)) return entry(KIND.extend, 0);
  return classifyHangul(codePoint) ?? classifyEmoji(codePoint, character);
}

/** Conjoining jamo (Unicode 3.12): a syllable is a lead of width 2, vowels and finals of width 0. */
function classifyHangul(codePoint: number): number | undefined {
  const within = (first: number, last: number) => codePoint >= first && codePoint <= last;
  if (within(0x1100, 0x115f) || within(0xa960, 0xa97c)) return entry(KIND.hangulLead, 2);
  if (within(0x1160, 0x11ff) || within(0xd7b0, 0xd7fb)) return entry(KIND.extend, 0);
  if (within(0xac00, 0xd7a3)) return entry(KIND.hangulSyllable, 2);
  return undefined;
}

function classifyEmoji(codePoint: number, character: string): number {
  const width = eastAsianWidth(codePoint);
  if (/^\p{RI}$/u.test(character)) return entry(KIND.regional, 2);
  if (/^\p{EMod}$/u.test(character)) return entry(KIND.skinTone, 2);
  if (/^\p{ExtPict}$/u.test(character)) {
    const wide = width === 2 || /^\p{EPres}$/u.test(character);
    return wide ? entry(KIND.picture, 2) : entry(KIND.textPicture, 1);
  }
  if (/^[0-9#*]$/.test(character)) return entry(KIND.keycapBase, 1);
  return entry(KIND.other, width);
}
