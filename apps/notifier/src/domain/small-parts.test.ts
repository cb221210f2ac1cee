import { describe, expect, it } from 'vitest';
import { actionFor } from './action.js';
import { Attendance } from './attendance.js';
import { decodeCursor, encodeCursor } from './list-cursor.js';
import { RateLimiter } from './rate-limit.js';
import { MOST_ATTEMPTS, retryDelay } from './retry.js';

describe('a rate limit', () => {
  it('allows a burst, then one in a time, of each key', () => {
    const limiter = new RateLimiter({ burst: 2, everyMs: 100 });
    const taken = (at: number) => [limiter.take('a', at), limiter.take('a', at), limiter.take('a', at)];
    expect(taken(1000)).toEqual([true, true, false]);
    expect(limiter.take('b', 1000)).toBe(true);
    expect(taken(1150)).toEqual([true, false, false]);
    expect(taken(10_000)).toEqual([true, true, false]);
    expect(limiter.take('a', 0), 'a clock that was set back').toBe(false);
  });
});

describe('who looks at what', () => {
  it('is what clients with a person before them have said, for as long as they said', () => {
    const attendance = new Attendance();
    attendance.attend('client-1', 'S1', 1000);
    attendance.attend('client-2', null, 500);
    const at = (surface: string, front: boolean, now: number) => attendance.looksAt(surface, front, null, now);
    expect([at('S1', false, 999), at('S1', false, 1000), at('S2', false, 1)]).toEqual([true, false, false]);
    expect([at('S2', true, 499), at('S2', true, 500)]).toEqual([true, false]);
    expect([attendance.anybody(999), attendance.anybody(1000)]).toEqual([true, false]);
    attendance.leave('client-1');
    expect(at('S1', false, 1)).toBe(false);
  });

  it('gives way to what clients of the peer pretend', () => {
    const attendance = new Attendance();
    expect(attendance.looksAt('S1', true, true, 1)).toBe(true);
    expect(attendance.looksAt('S1', false, true, 1)).toBe(false);
    attendance.attend('client-1', 'S1', 1000);
    expect(attendance.looksAt('S1', true, false, 1)).toBe(false);
  });
});

it('a delivery is tried at growing distances, and given up', () => {
  const delays = Array.from({ length: MOST_ATTEMPTS }, (_, i) => retryDelay(i + 1));
  expect(delays).toEqual([1000, 5000, 30_000, 300_000, 1_800_000, null]);
});

it('a cursor names a row, and nothing else is one', () => {
  expect(decodeCursor(encodeCursor(42))).toBe(42);
  for (const wrong of ['', 'x', '42', encodeCursor(-1)]) {
    expect(() => decodeCursor(wrong)).toThrow(expect.objectContaining({ code: 'invalid_params' }));
  }
});

it('suggests what a person would do next', () => {
  expect(actionFor('agent_blocked', 'surface:3')).toEqual({ kind: 'answer', command: 'sy attach surface:3' });
  expect(actionFor('agent_failed', null)).toEqual({ kind: 'look', command: 'sy notifications' });
});
