import { describe, expect, it } from 'vitest';
import { plainLines, upToLineEnd } from './plain-text.js';

describe('plainLines', () => {
  it('takes whole lines of printable ASCII', () => {
    expect(plainLines(Buffer.from('one\r\n\r\ntwo ~\r\n'))).toBe('one\r\n\r\ntwo ~\r\n');
  });

  it.each([
    ['half a line', 'one\r\ntwo'],
    ['a line that is overwritten', 'one\rtwo\r\n'],
    ['a line feed that keeps the column', 'one\ntwo\r\n'],
    ['a tabulator, whose cells are skipped', 'one\ttwo\r\n'],
    ['a backspace', 'ond\be\r\n'],
    ['a control sequence', '\x1b[31mone\x1b[m\r\n'],
    ['a C1 control', 'one\x85two\r\n'],
    ['what is not ASCII', 'où\r\n'],
    ['nothing', ''],
  ])('refuses %s', (_what, text) => {
    expect(plainLines(Buffer.from(text, 'latin1'))).toBeUndefined();
  });
});

describe('upToLineEnd', () => {
  it('cuts after the last line end, and not at all without one', () => {
    expect(upToLineEnd(Buffer.from('one\r\ntwo\r\nthr')).toString()).toBe('one\r\ntwo\r\n');
    expect(upToLineEnd(Buffer.from('one')).toString()).toBe('one');
  });
});
