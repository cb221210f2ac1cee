import { describe, expect, it } from 'vitest';
import { firstDelay, ReconnectDelays } from './delays.js';

describe('delays between tries', () => {
  it('are short at first, grow with the outage and stay bounded', () => {
    let now = 1_000_000;
    const delays = new ReconnectDelays(() => now);
    delays.lost();
    expect(delays.next()).toBeLessThan(40);
    now += 1000;
    expect(delays.next()).toBeGreaterThanOrEqual(125);
    now += 3_600_000;
    expect(delays.next()).toBeGreaterThanOrEqual(2000);
    expect(delays.next()).toBeLessThanOrEqual(2500);
  });

  it('begin anew with the next outage', () => {
    let now = 1_000_000;
    const delays = new ReconnectDelays(() => now);
    delays.lost();
    now += 60_000;
    delays.connected();
    delays.lost();
    expect(delays.next()).toBeLessThan(40);
  });

  it('do not count the time before the first outage, although they are asked for at the first connection', () => {
    let now = 1_000_000;
    const delays = new ReconnectDelays(() => now);
    expect(delays.next()).toBeLessThan(40);
    now += 86_400_000;
    expect(delays.next()).toBeLessThan(40);
    delays.lost();
    expect(delays.next()).toBeLessThan(40);
  });

  it('of the first connection grow too', () => {
    expect(firstDelay(0)).toBeLessThan(40);
    expect(firstDelay(1000)).toBeLessThanOrEqual(2500);
  });
});
