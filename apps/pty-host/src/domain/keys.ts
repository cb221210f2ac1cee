import { encodeCharacter, encodeEnteringKey, type KeyModes, type Modifiers } from './key-encoding.js';
import { FUNCTION_KEYS, KEYPAD_KEYS, NAMED_KEYS, type NamedKey } from './key-names.js';

export type { KeyModes } from './key-encoding.js';

/** Names for keys that are really a combination. */
const ALIASES: Readonly<Record<string, string>> = {
  sigint: 'ctrl+c',
  eof: 'ctrl+d',
  sigtstp: 'ctrl+z',
  sigquit: 'ctrl+\\',
  backtab: 'shift+tab',
};

const MODIFIERS: Readonly<Record<string, keyof Modifiers>> = {
  ctrl: 'ctrl',
  control: 'ctrl',
  shift: 'shift',
  alt: 'alt',
  opt: 'alt',
  option: 'alt',
  meta: 'alt',
  cmd: 'super',
  command: 'super',
  super: 'super',
};
const MODIFIER_PREFIX = /^(ctrl|control|shift|alt|opt|option|meta|cmd|command|super)[+-](?=.)/i;
const MODIFIER_BIT: Readonly<Record<keyof Modifiers, number>> = { shift: 1, alt: 2, ctrl: 4, super: 8 };

/**
 * What a keyboard sends for a key, given what the program has asked of the terminal.
 *
 * @param name such as `enter`, `ctrl-c`, `shift+tab`, `arrow_up`, `f5`, `x`; case does not matter except for a lone letter
 * @returns undefined when there is no such key; empty when a terminal has no bytes for it (⌘ without the kitty protocol)
 */
export function encodeKey(name: string, modes: KeyModes): string | undefined {
  const given = name === ' ' ? 'space' : name.trim();
  const { key, modifiers } = parse(ALIASES[given.toLowerCase()] ?? given);
  const named = NAMED_KEYS[key.toLowerCase()];
  if (named !== undefined) return encodeNamed(named, modifiers, modes);
  const [character, ...more] = key;
  if (character === undefined || more.length > 0 || character < ' ') return undefined;
  return encodeCharacter(character, modifiers, modes);
}

function parse(text: string): { key: string; modifiers: Modifiers } {
  const modifiers: Modifiers = { ctrl: false, shift: false, alt: false, super: false };
  let key = text;
  for (let match = MODIFIER_PREFIX.exec(key); match !== null; match = MODIFIER_PREFIX.exec(key)) {
    const modifier = MODIFIERS[(match[1] ?? '').toLowerCase()];
    if (modifier !== undefined) modifiers[modifier] = true;
    key = key.slice(match[0].length);
  }
  return { key, modifiers };
}

function encodeNamed(key: NamedKey, modifiers: Modifiers, modes: KeyModes): string {
  const keypad = KEYPAD_KEYS[key];
  if (keypad !== undefined) return modes.appKeypad ? `\x1bO${keypad.application}` : keypad.plain;
  const code = FUNCTION_KEYS[key];
  if (code === undefined) return encodeEnteringKey(key, modifiers, modes);
  let bits = 0;
  for (const [name, bit] of Object.entries(MODIFIER_BIT)) if (modifiers[name as keyof Modifiers]) bits += bit;
  if ('number' in code) return bits === 0 ? `\x1b[${code.number}~` : `\x1b[${code.number};${bits + 1}~`;
  if (bits > 0) return `\x1b[1;${bits + 1}${code.letter}`;
  const keyboardProtocol = modes.keyboardFlags !== 0;
  const singleShift = !keyboardProtocol && (code.always || modes.appCursor);
  return `\x1b${singleShift ? 'O' : '['}${code.letter}`;
}
