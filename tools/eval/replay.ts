import { type ForegroundProcess, processNames } from '@switchyard/agents';
import type { Engine } from '@switchyard/detector/engine';
import { replay as play, type Seen } from 'switchyard/replay';
import type { Foreground, Recording } from './recording.js';

export type { Seen, SeenState } from 'switchyard/replay';

/** The recorder looked at the foreground this often: a change was somewhere in the time before it was seen. */
const FOREGROUND_EVERY_S = 0.5;

/**
 * Plays a recording as a yard would see it, with the processes that the recorder saw.
 * @returns what state was known when, beginning at 0
 */
export function replay({ cols, rows, events, labels }: Recording, engines: readonly Engine[]): Seen[] {
  const { duration, foreground } = labels;
  const scene = { cols, rows, events, duration, foregroundAt: (t: number) => foregroundAt(foreground, t) };
  return play(scene, engines).filter(({ state }, i, all) => i === 0 || all[i - 1]?.state !== state);
}

/** What the process table would have said. */
function foregroundAt(changes: readonly Foreground[], t: number): ForegroundProcess | null {
  const index = changes.findLastIndex((change) => change.t - FOREGROUND_EVERY_S <= t);
  const change = changes[index];
  if (change === undefined) return null;
  // A program may rename itself; the table shows the same process then.
  const first = changes.findIndex((_, i) => i <= index && changes.slice(i, index + 1).every((c) => isSame(c, change)));
  return {
    pid: first + 1,
    pgid: first + 1,
    start_time: first,
    names: processNames(change),
    argv: [...change.argv],
    hint: null,
  };
}

const isSame = (a: Foreground, b: Foreground) =>
  a.argv.join(' ') === b.argv.join(' ') || (a.comm === b.comm && a.argv[0] === b.argv[0]);
