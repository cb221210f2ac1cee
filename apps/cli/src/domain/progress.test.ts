import { describe, expect, it } from 'vitest';
import { readProgress } from './progress.js';

describe('a progress on the command line', () => {
  it.each([
    ['0.5', { value: 0.5, total: 1 }],
    ['.25', { value: 0.25, total: 1 }],
    ['1', { value: 1, total: 1 }],
    ['50%', { value: 50, total: 100 }],
    ['12/40', { value: 12, total: 40 }],
  ])('is read from %s', (text, progress) => {
    expect(readProgress(text)).toEqual(progress);
  });

  it.each(['', 'half', '-1', '1/0', '1/', '%', '1e3', '1 / 2'])('is not read from "%s"', (text) => {
    expect(readProgress(text)).toBeUndefined();
  });
});
