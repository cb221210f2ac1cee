import { describe, expect, it } from 'vitest';
import { ageText } from './age.js';

describe('an age', () => {
  it.each([
    [-5, '0s'],
    [59_999, '59s'],
    [60_000, '1m'],
    [3_599_999, '59m'],
    [3_600_000, '1h'],
    [86_400_000 * 3, '3d'],
  ])('of %i ms is %s', (ms, text) => {
    expect(ageText(ms)).toBe(text);
  });
});
