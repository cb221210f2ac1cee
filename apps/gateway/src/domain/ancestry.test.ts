import { describe, expect, it } from 'vitest';
import { descendsFrom } from './ancestry.js';

const parents = new Map([
  [1, 0],
  [10, 1],
  [20, 10],
  [30, 20],
  [40, 1],
  [50, 51],
  [51, 50],
]);
const descends = (pid: number, ancestor: number) => descendsFrom(pid, ancestor, (of) => parents.get(of));

describe('descent', () => {
  it('goes over any number of parents', () => {
    expect(descends(20, 10)).toBe(true);
    expect(descends(30, 10)).toBe(true);
    expect(descends(40, 10)).toBe(false);
    expect(descends(10, 30)).toBe(false);
  });

  it('is not from oneself, nor of a process that is gone, and comes to an end', () => {
    expect(descends(10, 10)).toBe(false);
    expect(descends(99, 10)).toBe(false);
    expect(descends(50, 10)).toBe(false);
    expect(descends(30, 0)).toBe(false);
  });
});
