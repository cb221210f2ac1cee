import { type ScreenSample, SETTLE_MS, type Verdict } from '@switchyard/agents';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { verdictWith } from '../test/support/verdict.js';
import type { Sighting } from './sample-watch.js';
import { Sampler } from './sampler.js';

const screens = new Map<string, string>();
const judged: string[] = [];
const told: Sighting[] = [];
let evaluate: (sample: ScreenSample) => Promise<Verdict>;
let sampler: Sampler;

function sampleOf(surface_id: string): ScreenSample {
  const cursor = { row: 0, col: 0, visible: true };
  const facts = { surface_id, rev: 1, offset: 1, at: 0, cols: 80, rows: 1, title: '', progress: null };
  return { ...facts, lines: [screens.get(surface_id) ?? ''], cursor, alternate: false, foreground: null };
}
const verdictOn = (sample: ScreenSample) => verdictWith({ agent: 'codex', rule: sample.lines.join() });
function show(surfaceId: string, text: string): void {
  screens.set(surfaceId, text);
  sampler.changed(surfaceId);
}
const wait = (ms: number) => vi.advanceTimersByTimeAsync(ms);

beforeEach(() => {
  vi.useFakeTimers();
  for (const list of [judged, told]) list.length = 0;
  screens.clear();
  evaluate = async (sample) => verdictOn(sample);
  sampler = new Sampler({
    detect: true,
    now: () => Date.now(),
    port: {
      look: (id) => (screens.has(id) ? { sample: sampleOf(id), painting: false, program: null } : undefined),
      evaluate: (sample) => {
        judged.push(sample.lines.join());
        return evaluate(sample);
      },
      tell: async (sighting) => {
        told.push(sighting);
      },
      fault: () => {},
    },
  });
});
afterEach(() => {
  sampler.close();
  vi.useRealTimers();
});

describe('the sampler', () => {
  it('has a screen judged that has settled, and then holds no timer', async () => {
    show('a', 'one');
    await wait(50);
    show('a', 'two');
    await wait(SETTLE_MS - 1);
    expect(judged).toEqual([]);
    await wait(1);
    expect(judged).toEqual(['two']);
    expect(told).toMatchObject([{ sample: { surface_id: 'a' }, verdict: { rule: 'two' } }]);
    await wait(6000);
    expect([judged, vi.getTimerCount()]).toEqual([['two'], 0]);
  });

  it('looks four times a second at one that never settles', async () => {
    for (let i = 0; i < 100; i++) {
      show('a', 'x'.repeat(i));
      await wait(20);
    }
    expect(judged.length).toBeGreaterThanOrEqual(6);
    expect(judged.length).toBeLessThanOrEqual(8);
  });

  it('has one look of a terminal under way, and the next is at the newest screen', async () => {
    let answer: (verdict: Verdict) => void = () => {};
    evaluate = () => new Promise((resolve) => (answer = resolve));
    show('a', 'one');
    await wait(100);
    for (const text of ['two', 'three', 'four']) {
      show('a', text);
      await wait(300);
    }
    expect(judged).toEqual(['one']);
    answer(verdictOn(sampleOf('a')));
    await wait(0);
    expect(judged).toEqual(['one', 'four']);
  });

  it('has at most 32 looks under way', async () => {
    const answers: (() => void)[] = [];
    evaluate = (sample) => new Promise((resolve) => answers.push(() => resolve(verdictOn(sample))));
    for (let i = 0; i < 40; i++) show(String(i), `${i}`);
    await wait(100);
    expect(judged).toHaveLength(32);
    answers[0]?.();
    await wait(0);
    expect(judged).toHaveLength(33);
    sampler.drop('39');
    for (const done of answers) done();
    await wait(0);
    expect(judged).toHaveLength(39);
  });

  it('tells what else it knows when no detector answers, and asks again', async () => {
    evaluate = async () => {
      throw new Error('nobody there');
    };
    show('a', 'one');
    await wait(100);
    expect(told).toMatchObject([{ verdict: null }]);
    evaluate = async (sample) => verdictOn(sample);
    await wait(1000);
    expect(judged).toEqual(['one', 'one']);
    expect(told).toMatchObject([{ verdict: null }, { verdict: { agent: 'codex' } }]);
  });

  it('tells a report that comes while a look is timed later at once', async () => {
    show('a', 'one');
    sampler.reported('a');
    await wait(0);
    expect(judged).toEqual(['one']);
  });

  it('forgets a terminal that is gone', async () => {
    show('a', 'one');
    sampler.drop('a');
    await wait(1000);
    expect([judged, vi.getTimerCount()]).toEqual([[], 0]);
  });
});
