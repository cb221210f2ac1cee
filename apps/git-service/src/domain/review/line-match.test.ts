import { describe, expect, it } from 'vitest';
import { matchLines } from './line-match.js';

const lines = (text: string) => text.split(' ');
const match = (before: string, after: string) => [...matchLines(lines(before), lines(after))];

/** A small generator of numbers that are the same in every run. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

describe('matchLines', () => {
  it('matches what both ends have in common', () => {
    expect(match('a b c', 'a x c')).toEqual([0, -1, 2]);
    expect(match('a b c', 'a b b2 c')).toEqual([0, 1, 3]);
    expect(match('a b c', '')).toEqual([-1, -1, -1]);
  });

  it('takes lines that are the only ones of their kind for landmarks', () => {
    expect(match('x { one } { two } y', 'z { new } { one } { two } w')).toEqual([-1, 4, 5, 6, 7, 8, 9, -1]);
  });

  it('finds the longest common part where no line is the only one of its kind', () => {
    expect(match('x a a b b y', 'z a b b a w')).toEqual([-1, -1, 1, 2, 3, -1]);
  });

  it('gives rising places to equal lines, and finds again all that stayed, whatever was put between', () => {
    for (let seed = 1; seed <= 200; seed++) {
      const below = random(seed);
      const before = Array.from({ length: 40 }, () => `line ${below(20)}`);
      const after = before.flatMap((line) => {
        const what = below(10);
        if (what === 0) return [];
        return what === 1 ? [`new ${below(1000)}`, line] : [line];
      });
      const matched = [...matchLines(before, after)];
      const kept = matched.filter((at) => at >= 0);
      expect(kept).toEqual([...new Set(kept)].sort((a, b) => a - b));
      for (const [index, at] of matched.entries()) if (at >= 0) expect(after[at]).toBe(before[index]);
    }
  });

  it('compares texts of a hundred thousand lines', () => {
    const before = Array.from({ length: 100_000 }, (_, n) => (n % 3 === 0 ? '}' : `line ${n}`));
    const after = before.filter((_, n) => n % 1000 !== 1);
    const matched = matchLines(before, after);
    expect(matched.filter((at) => at < 0)).toHaveLength(100);
  });
});
