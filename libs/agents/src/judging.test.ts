import { expect, it } from 'vitest';
import { Judging } from './judging.js';
import type { ScreenSample } from './sample.js';
import type { Verdict } from './verdict.js';

const sample = (rev: number) => ({ rev }) as ScreenSample;
const verdictOn = ({ rev }: ScreenSample) => ({ rev }) as Verdict;

/** Detectors whose answers are given by hand, in the order of the questions. */
function detectors() {
  const questions: { revs: number[]; answer(verdicts?: (Verdict | null)[]): void; fail(error: Error): void }[] = [];
  const judging = new Judging(
    (samples) =>
      new Promise((resolve, reject) => {
        questions.push({
          revs: samples.map(({ rev }) => rev),
          answer: (verdicts = samples.map(verdictOn)) => resolve(verdicts),
          fail: reject,
        });
      }),
  );
  return { judging, questions };
}

it('asks at once for each while few are under way, and for several together after that', async () => {
  const { judging, questions } = detectors();
  const asked = Array.from({ length: 20 }, (_, rev) => judging.judge(sample(rev)));
  expect(questions.map(({ revs }) => revs)).toEqual([[0], [1], [2], [3], [4], [5], [6], [7]]);
  questions[3]?.answer();
  expect(await asked[3]).toEqual({ rev: 3 });
  expect(questions[8]?.revs).toEqual([8, 9, 10, 11, 12, 13, 14, 15]);
  for (let i = 0; i < questions.length; i++) {
    questions[i]?.answer();
    await asked[questions[i]?.revs[0] ?? 0];
  }
  expect((await Promise.all(asked)).map(({ rev }) => rev)).toEqual(Array.from({ length: 20 }, (_, rev) => rev));
});

it('tells each of those in a question of its own outcome, and all of them that nobody answered', async () => {
  const { judging, questions } = detectors();
  const asked = Array.from({ length: 24 }, (_, rev) => judging.judge(sample(rev)));
  const outcomes = Promise.allSettled(asked);
  questions[0]?.answer();
  questions[1]?.fail(new Error('no detector'));
  await Promise.allSettled([asked[0], asked[1]]);
  questions[8]?.answer([null, ...Array.from({ length: 7 }, (_, i) => verdictOn(sample(9 + i)))]);
  questions[9]?.fail(new Error('gone'));
  for (const question of questions.slice(2, 8)) question.answer();
  const told = await outcomes;
  expect(told[1]).toMatchObject({ status: 'rejected', reason: { message: 'no detector' } });
  expect(told[8]).toMatchObject({ status: 'rejected', reason: { code: 'internal_error' } });
  expect(told[9]).toMatchObject({ status: 'fulfilled', value: { rev: 9 } });
  expect(told.slice(16).every(({ status }) => status === 'rejected')).toBe(true);
});
