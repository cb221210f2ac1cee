import type { KeyModes } from './key-encoding.js';
import { encodeKey } from './keys.js';

const KEY_OF: Readonly<Record<string, string>> = {
  '\r\n': 'enter',
  '\r': 'enter',
  '\n': 'enter',
  '\t': 'tab',
  '\x1b': 'escape',
  '\x7f': 'backspace',
};
const KEYS = /\r\n|[\r\n\t\x1b\x7f]/g;

/**
 * Text as keystrokes: line ends press Enter, tab Tab, ESC Escape and DEL Backspace, in the encoding that the program has
 * asked for; everything else is typed as it is.
 */
export function typedText(text: string, modes: KeyModes): string {
  return text.replace(KEYS, (match) => encodeKey(KEY_OF[match] ?? match, modes) ?? match);
}

const PASTE_START = '\x1b[200~';
const PASTE_END = '\x1b[201~';
/** The end mark, with the introducer in its one- or two-character form. */
const END_MARKS = /(?:\x1b\[|\x9b)201~/g;

/**
 * Text as a paste. When the program asked for brackets it gets them, and text that holds the closing bracket cannot end
 * the paste early; otherwise the text is typed.
 */
export function pastedText(text: string, modes: KeyModes, bracketed: boolean): string {
  if (!bracketed) return typedText(text, modes);
  return PASTE_START + withoutEndMarks(text).replace(/\r\n|\n/g, '\r') + PASTE_END;
}

/** Removing a mark can bring the parts of another together, so until none is left. */
function withoutEndMarks(text: string): string {
  let before = text;
  let after = text.replace(END_MARKS, '');
  while (after !== before) {
    before = after;
    after = before.replace(END_MARKS, '');
  }
  return after;
}
