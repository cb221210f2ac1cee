import { describe, expect, it } from 'vitest';
import { expiredTo } from './history.js';

const LIMITS = { events: 10, bytes: 1000, ageMs: 100 };
const events = (from: number, to: number, at = 1000, bytes = 1) =>
  Array.from({ length: to - from + 1 }, (_, i) => ({ seq: from + i, at, bytes }));

describe('what expires', () => {
  it('is nothing within all limits', () => {
    expect(expiredTo(LIMITS, { last: 10, bytes: 10 }, events(1, 10), 1000)).toBe(0);
  });

  it('is what is more than the number', () => {
    expect(expiredTo(LIMITS, { last: 15, bytes: 15 }, events(1, 15), 1000)).toBe(5);
  });

  it('is what is too old, but never what comes after something younger', () => {
    const mixed = [...events(1, 3, 800), ...events(4, 4, 950), ...events(5, 5, 800), ...events(6, 9)];
    expect(expiredTo(LIMITS, { last: 9, bytes: 9 }, mixed, 1000)).toBe(3);
  });

  it('is as much as the bytes ask for', () => {
    expect(expiredTo(LIMITS, { last: 9, bytes: 1250 }, events(1, 9, 1000, 100), 1000)).toBe(3);
  });

  it('is never the newest', () => {
    expect(expiredTo(LIMITS, { last: 2, bytes: 9000 }, events(1, 2, 0, 4500), 1000)).toBe(1);
  });
});
