import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { GiveBack } from './give-back.js';
import type { Job } from './pump.js';
import { type Sleeper, Slumber } from './slumber.js';

const AFTER_MS = 10_000;
const KiB = 1024;
const events: string[] = [];
const jobs = new Set<Job>();

beforeEach(() => {
  vi.useFakeTimers();
  events.length = 0;
  jobs.clear();
});
afterEach(() => vi.useRealTimers());

function slumber({ afterMs = AFTER_MS, budgetBytes = 1000 * KiB } = {}) {
  const pump = { add: (job: Job) => void jobs.add(job), remove: (job: Job) => void jobs.delete(job) };
  return new Slumber({ afterMs, budgetBytes, pump, onFreed: (bytes) => events.push(`freed ${bytes}`) });
}

/** Time passes, and all work that is due is done. */
function pass(ms: number): void {
  vi.advanceTimersByTime(ms);
  for (const job of jobs) while (job.step());
  jobs.clear();
}

function sleeper(surfaceId: string, looseBytes = KiB, steps = 2): Sleeper {
  const made = {
    surfaceId,
    looseBytes,
    packSome: (): boolean => {
      events.push(surfaceId);
      made.looseBytes -= looseBytes / steps;
      return made.looseBytes > 0;
    },
  };
  return made;
}

it('packs a screen that has not been used for a while, then holds no timer', () => {
  const all = slumber();
  all.changed(sleeper('a'));
  pass(AFTER_MS - 100);
  expect([all.asleep, events]).toEqual([0, []]);
  pass(200);
  expect([all.asleep, events]).toEqual([1, ['a', 'a', `freed ${KiB}`]]);
  expect(vi.getTimerCount()).toBe(0);
});

it('holds one timer, however many screens are awake', () => {
  const all = slumber();
  for (let i = 0; i < 100; i++) all.changed(sleeper(`${i}`));
  expect(vi.getTimerCount()).toBe(1);
});

it('leaves a screen awake that prints or is looked at, and one asleep that is looked at', () => {
  const all = slumber();
  const [printing, looked, other] = [sleeper('printing'), sleeper('looked'), sleeper('other')];
  for (const each of [printing, looked, other]) all.changed(each);
  for (let ms = 0; ms < 2 * AFTER_MS; ms += 1000) {
    pass(1000);
    all.changed(printing);
    all.looked(looked);
    if (other.looseBytes === 0) all.looked(other);
  }
  expect([all.asleep, new Set(events)]).toEqual([1, new Set(['other', `freed ${KiB}`])]);
});

it('packs those that have been silent for longest when the awake ones take too much, but none that has just printed', () => {
  const all = slumber({ budgetBytes: 250 * KiB });
  const [a, b, c] = ['a', 'b', 'c'].map((name) => sleeper(name, 100 * KiB, 1)) as [Sleeper, Sleeper, Sleeper];
  for (const each of [a, b, c]) {
    all.changed(each);
    pass(100);
  }
  expect(events).toEqual([]);
  pass(1000);
  expect(events).toEqual(['a', `freed ${100 * KiB}`]);
  expect(all.awakeBytes).toBe(200 * KiB);
  pass(AFTER_MS);
  expect(all.asleep).toBe(3);
});

it('stops packing a screen that prints meanwhile', () => {
  const all = slumber();
  const printing = sleeper('a');
  all.changed(printing);
  vi.advanceTimersByTime(AFTER_MS + 100);
  for (const job of jobs) job.step();
  all.changed(printing);
  pass(AFTER_MS - 1000);
  expect([all.asleep, events]).toEqual([0, ['a']]);
});

it('never packs when it is off, nor what was dropped', () => {
  const off = slumber({ afterMs: 0 });
  off.changed(sleeper('a'));
  const on = slumber();
  const gone = sleeper('b');
  on.changed(gone);
  on.drop(gone);
  pass(2 * AFTER_MS);
  expect([off.asleep, on.asleep, events]).toEqual([0, 0, []]);
});

it('has memory given back when it is much, and spends a fiftieth of the time on it at most', () => {
  const MiB = KiB * KiB;
  // Takes 100 ms.
  const collect = vi.fn(() => void vi.advanceTimersByTime(100));
  const giveBack = new GiveBack(collect);
  giveBack.freed(MiB);
  expect(vi.getTimerCount()).toBe(0);
  for (let i = 0; i < 40; i++) giveBack.freed(MiB);
  vi.advanceTimersByTime(1000);
  expect(collect).toHaveBeenCalledTimes(1);
  giveBack.freed(100 * MiB);
  vi.advanceTimersByTime(4000);
  expect(collect).toHaveBeenCalledTimes(1);
  vi.advanceTimersByTime(1000);
  expect(collect).toHaveBeenCalledTimes(2);
  expect(vi.getTimerCount()).toBe(0);
});
