import type { EnteringKey, NamedKey } from './key-names.js';

export interface Modifiers {
  ctrl: boolean;
  shift: boolean;
  alt: boolean;
  super: boolean;
}

/** What a program can ask of the keyboard. */
export interface KeyModes {
  /** DECCKM: arrows, Home and End as SS3 sequences. */
  readonly appCursor: boolean;
  readonly appKeypad: boolean;
  /** Kitty keyboard protocol; 0 is the legacy encoding. */
  readonly keyboardFlags: number;
  /** xterm's modifyOtherKeys level. */
  readonly modifyOtherKeys: number;
}

/** Kitty flag 1: keys that the legacy encoding confuses get sequences of their own; flag 8: all keys do. */
const DISAMBIGUATE = 1;
const ALL_AS_SEQUENCES = 8;
const ESC = '\x1b';

const ENTERING: Readonly<
  Record<EnteringKey, { readonly code: number; readonly bytes: string; readonly ctrl: string }>
> = {
  enter: { code: 13, bytes: '\r', ctrl: '\r' },
  tab: { code: 9, bytes: '\t', ctrl: '\t' },
  escape: { code: 27, bytes: ESC, ctrl: ESC },
  backspace: { code: 127, bytes: '\x7f', ctrl: '\b' },
  space: { code: 32, bytes: ' ', ctrl: '\0' },
};

const bitsOf = (m: Modifiers) => (m.shift ? 1 : 0) + (m.alt ? 2 : 0) + (m.ctrl ? 4 : 0) + (m.super ? 8 : 0);
const kitty = (code: number, bits: number) => (bits === 0 ? `${ESC}[${code}u` : `${ESC}[${code};${bits + 1}u`);
const otherKey = (code: number, bits: number) => `${ESC}[27;${bits + 1};${code}~`;
const wants = (modes: KeyModes, flag: number) => (modes.keyboardFlags & flag) !== 0;

/** Enter, Tab, Escape, Backspace, Space: ambiguous in the legacy encoding as soon as a modifier is held. */
export function encodeEnteringKey(name: NamedKey, modifiers: Modifiers, modes: KeyModes): string {
  const key = ENTERING[name as EnteringKey];
  const bits = bitsOf(modifiers);
  if (wants(modes, ALL_AS_SEQUENCES)) return kitty(key.code, bits);
  const typesASpace = name === 'space' && bits <= 1;
  if (wants(modes, DISAMBIGUATE) && !typesASpace && (bits > 0 || name === 'escape')) return kitty(key.code, bits);
  if (modifiers.super) return '';
  if (name === 'tab' && bits === 1) return `${ESC}[Z`;
  if (modes.modifyOtherKeys > 0 && bits > 0 && !typesASpace) return otherKey(key.code, bits);
  return (modifiers.alt ? ESC : '') + (modifiers.ctrl ? key.ctrl : key.bytes);
}

/** A key with a character on it. */
export function encodeCharacter(character: string, modifiers: Modifiers, modes: KeyModes): string {
  const bits = bitsOf(modifiers);
  const code = character.toLowerCase().codePointAt(0) ?? 0;
  const text = modifiers.shift ? character.toUpperCase() : character;
  if (wants(modes, ALL_AS_SEQUENCES)) return kitty(code, bits);
  if (bits <= 1) return text;
  if (wants(modes, DISAMBIGUATE)) return kitty(code, bits);
  if (modifiers.super) return '';
  if (modes.modifyOtherKeys > 1) return otherKey(code, bits);
  return (modifiers.alt ? ESC : '') + (modifiers.ctrl ? control(character, text) : text);
}

/** Keys that share a control character with a letter, on the keyboards for which terminals were made. */
const CONTROLS: Readonly<Record<string, string>> = {
  '@': '\0',
  '2': '\0',
  '`': '\0',
  '3': '\x1b',
  '4': '\x1c',
  '5': '\x1d',
  '6': '\x1e',
  '~': '\x1e',
  '7': '\x1f',
  '/': '\x1f',
  '-': '\x1f',
  '8': '\x7f',
  '?': '\x7f',
};

function control(character: string, text: string): string {
  const special = CONTROLS[character];
  if (special !== undefined) return special;
  const code = character.toUpperCase().charCodeAt(0);
  return code >= 0x41 && code <= 0x5f ? String.fromCharCode(code & 0x1f) : text;
}
