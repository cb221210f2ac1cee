import { describe, expect, it } from 'vitest';
import { cleanLines, cleanText } from './clean-text.js';

describe('H3: text of programs in lines and tables', () => {
  it('loses escape sequences as a whole, not only their first character', () => {
    expect(cleanText('a\x1b]0;x\x07b')).toBe('ab');
    expect(cleanText('a\x1b]52;c;aGk=\x1b\\b')).toBe('ab');
    expect(cleanText('\x1b[31mred\x1b[0m \x9b1mbold')).toBe('red bold');
    expect(cleanText('a\x1bPq#0\x1b\\b\x1bc')).toBe('ab');
  });

  it('loses an escape sequence that never ends', () => {
    expect(cleanText('safe\x1b]0;rm -rf')).toBe('safe');
    expect(cleanText('safe\x1b')).toBe('safe');
  });

  it('stays in its line and in its direction', () => {
    expect(cleanText('one\r\ntwo\tthree')).toBe('one  two three');
    expect(cleanText('abc\u202egpj.exe\u2066')).toBe('abc gpj.exe');
  });

  it('is cut to a length that a reader can use, between characters', () => {
    const cut = cleanText('😀'.repeat(10_000));
    expect([...cut]).toHaveLength(200);
    expect(cut.endsWith('…')).toBe(true);
  });

  it('keeps letters of every script', () => {
    expect(cleanText('שלום 中文 é ✓')).toBe('שלום 中文 é ✓');
  });

  it('keeps line breaks and tabs where there are many lines', () => {
    expect(cleanLines('a\tb\n\x1b[2Jc\x07\n')).toBe('a\tb\nc\n');
  });
});
