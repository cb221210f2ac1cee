import { describe, expect, it } from 'vitest';
import { LookTimes } from './look-times.js';

describe('the times at which ports are looked at', () => {
  it('are none while nothing happens', () => {
    expect(new LookTimes(2000).dueAt).toBeNull();
  });

  it('are soon after a sign, twice more, and then none again', () => {
    const times = new LookTimes(1000);
    const looks: number[] = [];
    times.sign(1000);
    for (let due = times.dueAt; due !== null; due = times.dueAt) {
      looks.push(due);
      times.looked(due);
    }
    expect(looks).toEqual([1300, 3000, 7000]);
  });

  it('are as far apart as they should be while terminals print on and on', () => {
    const times = new LookTimes(2000);
    const looks: number[] = [];
    for (let now = 0; now < 10_000; now += 10) {
      times.sign(now);
      if ((times.dueAt ?? Number.POSITIVE_INFINITY) > now) continue;
      looks.push(now);
      times.looked(now);
    }
    expect(looks).toEqual([300, 2300, 4300, 6300, 8300]);
  });
});
