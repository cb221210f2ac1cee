import { describe, expect, it } from 'vitest';
import { compilePattern } from './pattern.js';

const match = (pattern: string, text: string) => compilePattern(pattern)?.regex.exec(text)?.[0];

describe('compilePattern', () => {
  it.each([
    ['done', 'all done.', 'done'],
    ['(?i)DONE', 'all done.', 'done'],
    ['(?im)^second$', 'first\nSecond', 'Second'],
    ['a++b', 'xaaab', 'aaab'],
    ['a{2,}+b', 'xaaab', 'aaab'],
    ['(?>a|ab)c', 'abac', 'ac'],
    ['x\\hy', 'x\u00a0y', 'x\u00a0y'],
    ['[\\h,]+', 'a ,\tb', ' ,\t'],
    ['a\\Rb', 'a\r\nb', 'a\r\nb'],
    ['\\Qa.b*\\E+', 'a.b**', 'a.b**'],
    ['\\Q[x', '[x', '[x'],
    ['\\x{1F600}', '😀', '😀'],
    ['\\p{Lu}+', 'abCD', 'CD'],
    ['\\Aab', 'ab', 'ab'],
    ['b\\z', 'ab', 'b'],
    ['[]a]+', 'x]a', ']a'],
    ['\\e\\[0m', '\x1b[0m', '\x1b[0m'],
    ['\\$\\ $', 'me$ ', '$ '],
    ['\\-\\"', '-"', '-"'],
    ['', 'x', ''],
  ])('%s finds %j → %j', (pattern, text, found) => {
    expect(match(pattern, text)).toBe(found);
  });

  it.each(['(', '[a', 'a{2,1}', '\\p{Nope}', '*', 'x'.repeat(9000)])('refuses %s', (pattern) => {
    expect(compilePattern(pattern)).toBeUndefined();
  });

  it('knows which patterns need the text before', () => {
    expect(compilePattern('^a')?.looksBack).toBe(true);
    expect(compilePattern('(?<=x)a')?.looksBack).toBe(true);
    expect(compilePattern('(?<name>a)$')?.looksBack).toBe(false);
  });
});
