import { describe, expect, it } from 'vitest';
import { newText, tailOf } from './new-text.js';

describe('newText', () => {
  it.each([
    ['what follows', '$ ls\na', '$ ls\na b\nc', ' b\nc'],
    ['nothing', '$ ls', '$ ls', ''],
    ['all of it when there was nothing', '', 'hello', 'hello'],
    ['what follows when lines have left at the top', 'a\nb\nc', 'b\nc\nd\ne', '\nd\ne'],
    ['the rest of a line that was not complete', 'a\nb\n$ ec', 'b\n$ echo hi\nhi\n$ ', 'ho hi\nhi\n$ '],
    ['all from the first other line on when the screen was painted anew', 'a\nb\nc', 'a\nx\ny', 'x\ny'],
    ['nothing when lines have only gone', 'a\nb\nc', 'a\nb', ''],
  ])('is %s', (_what, before, after, expected) => {
    expect(newText(before, after)).toBe(expected);
  });

  it('finds its place among equal lines', () => {
    expect(newText('x\nx\nx\n$ ', 'x\nx\n$ make\ndone\n$ ')).toBe('make\ndone\n$ ');
  });
});

describe('tailOf', () => {
  it('is the end of the text, without half a character', () => {
    expect(tailOf('abc', 5)).toBe('abc');
    expect(tailOf('abcdef', 3)).toBe('def');
    expect(tailOf('a😀b', 2)).toBe('b');
    expect(tailOf('a😀b', 3)).toBe('😀b');
  });
});
