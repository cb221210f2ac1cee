import { setTimeout as delay } from 'node:timers/promises';
import { signalProcess } from '@switchyard/service/signal';
import type { ProcessRecord } from '../managed-process.js';
import { isRunning } from './process-info.js';

const LOOK_MS = 50;

/** Ends a process that is nobody's child of ours: TERM, then KILL when the time is over. */
export async function endProcess({ pid, start_time }: ProcessRecord, graceMs: number): Promise<void> {
  const killAt = performance.now() + graceMs;
  let signal: NodeJS.Signals | 0 = 'SIGTERM';
  while (isRunning(pid, start_time)) {
    if (signal !== 0) signalProcess({ pid, isSame: () => isRunning(pid, start_time) }, signal);
    signal = performance.now() >= killAt ? 'SIGKILL' : 0;
    await delay(LOOK_MS);
  }
}
