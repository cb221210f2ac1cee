import { expect, it } from 'vitest';
import { patternCost } from './pattern-cost.js';

it('counts each endless repetition as one more power of the text', () => {
  const exponents = ['abc', 'a+', 'a*?b{2,}', '[)*+]+', '\\d+\\.\\d+', '\\p{Lu}x', 'a{3}', '(?:a|b)c', '(ab)?c'];
  expect(exponents.map((source) => patternCost(source)?.exponent)).toEqual([1, 2, 3, 2, 3, 1, 1, 1, 1]);
});

it('counts branches and short repetitions as a factor', () => {
  const plain = patternCost('abcd')?.factor ?? 0;
  expect(patternCost('a|cd')?.factor).toBe(2 * plain);
  expect(patternCost('ab?c')?.factor).toBe(2 * plain);
  expect((patternCost('(?:a|b|c)d')?.factor ?? 0) % 3).toBe(0);
  expect(patternCost('a{2,9}')?.factor).toBe(10 * 7);
});

it.each(['(a+)+b', '(?:a|b)*', '(a){2}', '(a)\\1', '(?<x>a)\\k<x>'])('knows no bound for %s', (source) => {
  expect(patternCost(source)).toBeUndefined();
});

it('is a bound for what the engine needs: the worst texts of these patterns are searched at once', () => {
  for (const [source, text] of [
    ['a+a+b', 'a'.repeat(100)],
    ['[ab]*[bc]*d', 'b'.repeat(100)],
  ] as const) {
    const { factor, exponent } = patternCost(source) ?? { factor: 0, exponent: 0 };
    expect(factor * (text.length + 1) ** exponent).toBeGreaterThan(text.length ** 3 / 6);
    expect(new RegExp(source).test(text)).toBe(false);
  }
});
