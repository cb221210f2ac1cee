import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Turns } from './turns.js';

const spin = (ms: number) => {
  const until = performance.now() + ms;
  while (performance.now() < until);
};

describe('turns', () => {
  it('start jobs at once while there is time', () => {
    const done: number[] = [];
    const turns = new Turns<number>((job) => done.push(job));
    for (let i = 0; i < 100; i++) turns.add(i);
    expect(done).toHaveLength(100);
  });

  it('keep the order and let the event loop breathe between slow jobs', async () => {
    const done: number[] = [];
    const turns = new Turns<number>((job) => {
      spin(11);
      done.push(job);
    });
    for (let i = 0; i < 5; i++) turns.add(i);
    expect(done).toEqual([0]);
    let breaths = 0;
    while (turns.waiting > 0) {
      await nextTurn();
      breaths++;
    }
    expect(done).toEqual([0, 1, 2, 3, 4]);
    expect(breaths).toBeGreaterThanOrEqual(4);
  });

  it('give back the room of what was started', async () => {
    let done = 0;
    const turns = new Turns<number>(() => {
      if (done++ === 0) spin(11);
    });
    for (let i = 0; i < 5000; i++) turns.add(i);
    expect(turns.waiting).toBe(4999);
    while (turns.waiting > 0) await nextTurn();
    turns.add(1);
    expect(done).toBe(5001);
  });
});
