import { describe, expect, it } from 'vitest';
import { Pace } from './pace.js';

/** Runs looks of a given cost on a clock of the test's own. */
class Clock {
  readonly pace = new Pace();
  now = 0;
  readonly looks: number[] = [];
  readonly #tookMs: number;
  readonly #news: boolean;

  constructor(tookMs = 10, news = false) {
    this.#tookMs = tookMs;
    this.#news = news;
  }

  /** Calls `happens` every `everyMs` for so long, and looks whenever it is due. */
  run(forMs: number, everyMs: number, happens: (pace: Pace, now: number) => void): number[] {
    const end = this.now + forMs;
    let next = this.now;
    while (this.now < end) {
      if (this.now >= next) {
        happens(this.pace, this.now);
        next += everyMs;
      }
      const { dueAt } = this.pace;
      if (dueAt !== null && dueAt <= this.now) this.#look();
      this.now++;
    }
    return this.looks;
  }

  #look(): void {
    this.pace.begins();
    this.looks.push(this.now);
    this.now += this.#tookMs;
    this.pace.ended(this.now, this.#tookMs, this.#news);
  }
}

const nothing = () => undefined;

describe('when a checkout is looked at', () => {
  it('is never, while nothing happens', () => {
    expect(new Pace().dueAt).toBeNull();
    const clock = new Clock();
    clock.run(100_000, 1000, nothing);
    expect(clock.looks).toEqual([]);
  });

  it('is a moment after the last of several moves', () => {
    const clock = new Clock();
    clock.run(90, 10, (pace, now) => pace.moved(now));
    clock.run(10_000, 1000, nothing);
    expect(clock.looks).toEqual([180]);
  });

  it('is about once a second while moves do not end', () => {
    const clock = new Clock();
    clock.run(10_000, 1, (pace, now) => pace.moved(now));
    expect(clock.looks.length).toBeGreaterThanOrEqual(9);
    expect(clock.looks.length).toBeLessThanOrEqual(10);
  });

  it('leaves a slow repository alone for ten times as long as a look took', () => {
    const clock = new Clock(2000);
    clock.run(100_000, 1, (pace, now) => pace.moved(now));
    expect(clock.looks.length).toBeLessThanOrEqual(5);
  });

  it('is when a terminal has come to rest', () => {
    const clock = new Clock();
    clock.run(1000, 50, (pace, now) => pace.touched(now));
    clock.run(10_000, 10_001, nothing);
    expect(clock.looks).toEqual([1450]);
  });

  it('is ever more seldom for a terminal that prints on and changes nothing', () => {
    const clock = new Clock();
    clock.run(300_000, 50, (pace, now) => pace.touched(now));
    const pauses = clock.looks.slice(1).map((at, index) => at - (clock.looks[index] ?? 0));
    expect(pauses.at(0)).toBeLessThanOrEqual(5100);
    expect(pauses.at(-1)).toBeGreaterThanOrEqual(32_000);
  });

  it('is as often as before once something was found, a turn has ended or git has moved', () => {
    const bored = () => {
      const clock = new Clock();
      clock.run(200_000, 50, (pace, now) => pace.touched(now));
      return clock;
    };
    for (const wakes of ['worked', 'moved'] as const) {
      const clock = bored();
      clock.pace[wakes](clock.now);
      const before = clock.looks.length;
      clock.run(3000, 3001, nothing);
      expect(clock.looks.length, wakes).toBe(before + 1);
    }
    const busy = new Clock(10, true);
    busy.run(100_000, 50, (pace, now) => pace.touched(now));
    expect(busy.looks.length).toBeGreaterThanOrEqual(19);
  });

  it('forgets nothing that happens during a look', () => {
    const pace = new Pace();
    pace.moved(0);
    pace.begins();
    pace.moved(150);
    pace.ended(200, 100, true);
    expect(pace.dueAt).toBe(1200);
  });
});
