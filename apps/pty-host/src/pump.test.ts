import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, expect, it, vi } from 'vitest';
import { Marks } from './marks.js';
import { Pump } from './pump.js';

afterEach(() => vi.useRealTimers());

function job(name: string, steps: number, done: string[]) {
  let left = steps;
  return {
    step: () => {
      done.push(name);
      return --left > 0;
    },
  };
}

it('gives each job one step after the other', async () => {
  const done: string[] = [];
  const pump = new Pump(() => {});
  pump.add(job('a', 3, done));
  pump.add(job('b', 2, done));
  await nextTurn();
  expect(done).toEqual(['a', 'b', 'a', 'b', 'a']);
});

it('prefers the job that somebody waits for, for one step', async () => {
  const done: string[] = [];
  const pump = new Pump(() => {});
  pump.add(job('a', 2, done));
  pump.addFirst(job('b', 2, done));
  await nextTurn();
  expect(done).toEqual(['b', 'a', 'b', 'a']);
});

it('lets requests in between the steps of an endless job', async () => {
  const pump = new Pump(() => {});
  const endless = { step: () => true };
  pump.add(endless);
  const target = new EventTarget();
  setTimeout(() => target.dispatchEvent(new Event('turn')), 1);
  await once(target, 'turn');
  pump.remove(endless);
});

it('drops a job that throws and goes on with the others', async () => {
  const done: string[] = [];
  const faults: unknown[] = [];
  const pump = new Pump((_, error) => faults.push(error));
  pump.add({
    step: () => {
      throw new Error('broken');
    },
  });
  pump.add(job('b', 1, done));
  await nextTurn();
  expect(done).toEqual(['b']);
  expect(faults).toMatchObject([{ message: 'broken' }]);
});

it('merges marks within 50 ms and never owes one', () => {
  vi.useFakeTimers();
  let sent = 0;
  const marks = new Marks(() => sent++);
  marks.mark();
  expect(sent).toBe(1);
  for (let i = 0; i < 10; i++) marks.mark();
  expect(sent).toBe(1);
  vi.advanceTimersByTime(50);
  expect(sent).toBe(2);
  expect(vi.getTimerCount()).toBe(0);
  marks.mark();
  marks.flush();
  expect(sent).toBe(3);
});
