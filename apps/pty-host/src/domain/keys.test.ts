import { describe, expect, it } from 'vitest';
import { encodeKey, type KeyModes } from './keys.js';
import { pastedText, typedText } from './typed-text.js';

const legacy: KeyModes = { appCursor: false, appKeypad: false, keyboardFlags: 0, modifyOtherKeys: 0 };

describe('encodeKey', () => {
  it.each([
    ['enter', '\r'],
    ['Return', '\r'],
    ['tab', '\t'],
    ['shift+tab', '\x1b[Z'],
    ['backtab', '\x1b[Z'],
    ['esc', '\x1b'],
    ['backspace', '\x7f'],
    ['ctrl+backspace', '\b'],
    ['delete', '\x1b[3~'],
    ['up', '\x1b[A'],
    ['arrow_left', '\x1b[D'],
    ['ARROW_DOWN', '\x1b[B'],
    ['home', '\x1b[H'],
    ['pagedown', '\x1b[6~'],
    ['f1', '\x1bOP'],
    ['f12', '\x1b[24~'],
    ['ctrl-c', '\x03'],
    ['CTRL+C', '\x03'],
    ['sigint', '\x03'],
    ['eof', '\x04'],
    ['sigtstp', '\x1a'],
    ['sigquit', '\x1c'],
    ['ctrl-\\', '\x1c'],
    ['ctrl-[', '\x1b'],
    ['ctrl-space', '\0'],
    ['ctrl--', '\x1f'],
    ['alt+x', '\x1bx'],
    ['opt-enter', '\x1b\r'],
    ['ctrl+alt+a', '\x1b\x01'],
    ['shift+a', 'A'],
    ['x', 'x'],
    ['X', 'X'],
    ['+', '+'],
    ['-', '-'],
    ['ctrl+up', '\x1b[1;5A'],
    ['ctrl+shift+delete', '\x1b[3;6~'],
    ['cmd+c', ''],
    ['kp_enter', '\r'],
    ['ö', 'ö'],
  ])('sends %s as %j', (name, bytes) => {
    expect(encodeKey(name, legacy)).toBe(bytes);
  });

  it.each(['nope', '', 'ctrl+nope', 'f99', 'ab', '\x07'])('knows no key %j', (name) => {
    expect(encodeKey(name, legacy)).toBeUndefined();
  });

  it('uses the sequences of application cursor and keypad mode', () => {
    const modes = { ...legacy, appCursor: true, appKeypad: true };
    expect(encodeKey('up', modes)).toBe('\x1bOA');
    expect(encodeKey('ctrl+up', modes)).toBe('\x1b[1;5A');
    expect(encodeKey('kp_enter', modes)).toBe('\x1bOM');
  });

  it('tells ambiguous keys apart under the kitty keyboard protocol', () => {
    const modes = { ...legacy, keyboardFlags: 1, appCursor: true };
    expect(encodeKey('escape', modes)).toBe('\x1b[27u');
    expect(encodeKey('ctrl+c', modes)).toBe('\x1b[99;5u');
    expect(encodeKey('shift+enter', modes)).toBe('\x1b[13;2u');
    expect(encodeKey('cmd+k', modes)).toBe('\x1b[107;9u');
    expect(encodeKey('enter', modes)).toBe('\r');
    expect(encodeKey('a', modes)).toBe('a');
    expect(encodeKey('up', modes)).toBe('\x1b[A');
    expect(encodeKey('enter', { ...modes, keyboardFlags: 9 })).toBe('\x1b[13u');
  });

  it('honours modifyOtherKeys', () => {
    expect(encodeKey('shift+enter', { ...legacy, modifyOtherKeys: 1 })).toBe('\x1b[27;2;13~');
    expect(encodeKey('ctrl+c', { ...legacy, modifyOtherKeys: 1 })).toBe('\x03');
    expect(encodeKey('ctrl+c', { ...legacy, modifyOtherKeys: 2 })).toBe('\x1b[27;5;99~');
  });
});

describe('typedText', () => {
  it('presses keys for control characters and types the rest', () => {
    expect(typedText('a\tb\nc\r\nd\x7f\x1b é', legacy)).toBe('a\tb\rc\rd\x7f\x1b é');
    expect(typedText('\x1b', { ...legacy, keyboardFlags: 1 })).toBe('\x1b[27u');
  });
});

describe('pastedText', () => {
  it('is bracketed only when the program asked for it', () => {
    expect(pastedText('a\nb', legacy, true)).toBe('\x1b[200~a\rb\x1b[201~');
    expect(pastedText('a\nb', legacy, false)).toBe('a\rb');
  });

  it('cannot be ended by its own text', () => {
    const sly = 'x\x1b[20\x1b[201~1~rm -rf\n\x9b201~';
    expect(pastedText(sly, legacy, true)).toBe('\x1b[200~xrm -rf\r\x1b[201~');
  });
});
