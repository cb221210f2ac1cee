import type { IUnicodeVersionProvider } from '@xterm/headless';
import { codePointWidth, KIND, type Kind, kindIn, lookUp, widthIn } from './unicode-width.js';

/**
 * Cell widths by grapheme for xterm's parser: what a person sees as one character takes the cells of one character.
 *
 * xterm hands the properties of one code point to the next, so a grapheme is a small state machine: the width so far and
 * what the grapheme could still be joined by.
 */
const STATE = {
  none: 0,
  plain: 1,
  picture: 2,
  /** Narrow so far; an emoji selector makes it wide. */
  textPicture: 3,
  keycap: 4,
  /** A joiner after a picture: a further picture joins. */
  pictureJoiner: 5,
  /** One regional indicator; a second makes the flag. */
  halfFlag: 6,
  hangulLead: 7,
} as const;
type State = (typeof STATE)[keyof typeof STATE];

/** xterm's own packing (UnicodeService.createPropertyValue): state above width above "joins what is before". */
const pack = (state: State, width: number, joins: boolean): number => (state << 3) | (width << 1) | (joins ? 1 : 0);
const stateIn = (properties: number): State => (properties >> 3) as State;
const packedWidth = (properties: number): number => (properties >> 1) & 3;

const STATE_OF_KIND = stateTable();

function stateTable(): Uint8Array {
  const table = new Uint8Array(Object.keys(KIND).length).fill(STATE.plain);
  table[KIND.picture] = STATE.picture;
  table[KIND.textPicture] = STATE.textPicture;
  table[KIND.keycapBase] = STATE.keycap;
  table[KIND.regional] = STATE.halfFlag;
  table[KIND.hangulLead] = STATE.hangulLead;
  return table;
}

const FIRST_NON_ASCII = 0x80;
const ASCII = Uint8Array.from({ length: FIRST_NON_ASCII }, (_, codePoint) => begin(lookUp(codePoint)));

/** A code point that starts a grapheme. A mark with nothing before it gets a cell, so that it is not lost. */
function begin(entry: number): number {
  return pack((STATE_OF_KIND[kindIn(entry)] ?? STATE.plain) as State, Math.max(1, widthIn(entry)), false);
}

/**
 * @param codePoint that comes now
 * @param preceding what this function answered for the one before, 0 at the start of a run of text
 */
function charProperties(codePoint: number, preceding: number): number {
  if (codePoint < FIRST_NON_ASCII) return ASCII[codePoint] ?? 0;
  const entry = lookUp(codePoint);
  if (preceding === 0) return begin(entry);
  const kind = kindIn(entry);
  if (kind === KIND.other) return begin(entry);
  return join(kind, stateIn(preceding), packedWidth(preceding)) ?? begin(entry);
}

/** @returns properties of the grapheme that grew, or undefined when the code point starts a new one. */
function join(kind: Kind, state: State, width: number): number | undefined {
  switch (kind) {
    case KIND.extend:
      return pack(state === STATE.pictureJoiner ? STATE.picture : state, width, true);
    case KIND.zwj:
      return pack(isPicture(state) ? STATE.pictureJoiner : STATE.plain, width, true);
    case KIND.emojiSelector:
      return select(state, width);
    case KIND.skinTone:
      return isPicture(state) ? pack(STATE.picture, 2, true) : undefined;
    case KIND.picture:
    case KIND.textPicture:
      return state === STATE.pictureJoiner ? pack(STATE.picture, 2, true) : undefined;
    case KIND.regional:
      return state === STATE.halfFlag ? pack(STATE.plain, 2, true) : undefined;
    case KIND.hangulLead:
      return state === STATE.hangulLead ? pack(STATE.hangulLead, 2, true) : undefined;
    case KIND.hangulSyllable:
      return state === STATE.hangulLead ? pack(STATE.plain, 2, true) : undefined;
    default:
      return undefined;
  }
}

const isPicture = (state: State) => state === STATE.picture || state === STATE.textPicture;

function select(state: State, width: number): number {
  if (state === STATE.textPicture) return pack(STATE.picture, 2, true);
  if (state === STATE.keycap) return pack(STATE.plain, 2, true);
  return pack(state, width, true);
}

/** The version name under which xterm knows {@link unicodeProvider}. */
export const UNICODE_VERSION = 'switchyard';

/** Stateless, so all screens share it. */
export const unicodeProvider: IUnicodeVersionProvider = {
  version: UNICODE_VERSION,
  wcwidth: codePointWidth,
  charProperties,
};
