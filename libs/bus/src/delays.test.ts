import { describe, expect, it } from 'vitest';
import { firstDelay, reconnectDelays } from './delays.js';

describe('delays between tries', () => {
  it('are short at first, grow with the outage and stay bounded', () => {
    let now = 1_000_000;
    const next = reconnectDelays(() => now);
    expect(next()).toBeLessThan(40);
    now += 1000;
    expect(next()).toBeGreaterThanOrEqual(125);
    for (let i = 0; i < 100; i++) {
      now += 2500;
      next();
    }
    expect(next()).toBeGreaterThanOrEqual(2000);
    expect(next()).toBeLessThanOrEqual(2500);
  });

  it('begin anew with the next outage', () => {
    let now = 1_000_000;
    const next = reconnectDelays(() => now);
    for (let i = 0; i < 20; i++) {
      next();
      now += 2500;
    }
    now += 60_000;
    expect(next()).toBeLessThan(40);
  });

  it('of the first connection grow too', () => {
    expect(firstDelay(0)).toBeLessThan(40);
    expect(firstDelay(1000)).toBeLessThanOrEqual(2500);
  });
});
