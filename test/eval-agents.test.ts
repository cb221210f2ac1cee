import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { BUNDLED_MANIFESTS, readManifests } from '@switchyard/detector/engine';
import { describe, expect, it } from 'vitest';
import { castFiles, readRecording } from '../tools/eval/recording.js';
import { replay } from '../tools/eval/replay.js';
import { misses, reportOf, summaryOf, THRESHOLDS } from '../tools/eval/report.js';
import { score } from '../tools/eval/score.js';
import { ROOT } from './source-files.js';

/** Recordings made by hand for these tests. */
const OWN = join(ROOT, 'test', 'fixtures', 'recordings');
/** Recordings of real agents, where they are at hand: they are too large for the repository. */
const CORPUS = resolve(ROOT, process.env['SWITCHYARD_CORPUS'] ?? '../shared/corpus/dev');
const WITH_CORPUS = existsSync(CORPUS);

const log = { debug: () => undefined, info: () => undefined, warn: console.warn, error: console.error };
const engines = (await readManifests({ bundled: BUNDLED_MANIFESTS, overrides: [] }, log)).map(({ engine }) => engine);
const scoresOf = (folder: string, withoutStatus: boolean) =>
  castFiles([folder]).map((file) => {
    const recording = readRecording(file, withoutStatus);
    return score(recording.name, recording.labels, replay(recording, engines));
  });

describe('the recordings of the repository', () => {
  it.each([false, true])('are told right throughout (without program status: %s)', (withoutStatus) => {
    const scores = scoresOf(OWN, withoutStatus);
    const sum = summaryOf(scores);
    expect(scores.map(({ name, seconds, right }) => [name, (seconds - right).toFixed(2)])).toEqual(
      scores.map(({ name }) => [name, '0.00']),
    );
    expect(sum).toMatchObject({ falseBlocked: 0, falseWorking: 0, blockedAsIdle: 0 });
    expect(misses(sum, withoutStatus)).toEqual([]);
  });
});

describe.skipIf(!WITH_CORPUS)(
  `recordings of real agents (${WITH_CORPUS ? CORPUS : 'none: set SWITCHYARD_CORPUS'})`,
  () => {
    it.each([false, true])(
      'keep what docs/agents.md promises (without program status: %s)',
      (withoutStatus) => {
        const scores = scoresOf(CORPUS, withoutStatus);
        expect(misses(summaryOf(scores), withoutStatus), reportOf(scores, withoutStatus)).toEqual([]);
      },
      120_000,
    );
  },
);

describe('the score', () => {
  const labels = {
    agent: 'a',
    is_agent: true,
    duration: 10,
    slack: 0.5,
    foreground: [],
    intervals: [
      { from: 0, to: 4, state: 'idle' },
      { from: 4, to: 8, state: 'working' },
      { from: 8, to: 10, state: 'blocked' },
    ],
  } as const;
  const seen = (...states: [number, 'idle' | 'working' | 'blocked' | null][]) =>
    states.map(([t, state]) => ({ t, state, why: '' }));

  it('takes either neighbour around a boundary, and unknown for neither right nor wrong', () => {
    const result = score('x', labels, seen([0, 'idle'], [4.4, 'working'], [6, null], [7, 'working'], [8.6, 'blocked']));
    expect(result.right).toBeCloseTo(8.9);
    expect(result.unknown).toBeCloseTo(1);
    expect(result.delays.map(({ seconds }) => seconds.toFixed(1))).toEqual(['0.4', '0.6']);
  });

  it('counts how long an open question was called idle, and alarms on what is no agent', () => {
    expect(score('x', labels, seen([0, 'idle'], [4, 'working'], [8, 'idle'])).blockedAsIdle).toBeCloseTo(2);
    const none = { ...labels, is_agent: false, intervals: [{ from: 0, to: 10, state: 'none' }] } as const;
    const sum = summaryOf([score('n', none, seen([0, null], [1, 'blocked'], [2, 'working'], [3, null]))]);
    expect(sum).toMatchObject({ falseBlocked: 1, falseWorking: 1 });
    expect(misses(sum, false)).toEqual(['blocked was said 1 times of what is no agent']);
  });

  it('fails where a promise is missed', () => {
    const sum = summaryOf([score('x', labels, seen([0, null]))]);
    expect(sum.accuracy).toBeLessThan(THRESHOLDS.accuracy);
    expect(misses(sum, false)).not.toEqual([]);
  });
});
