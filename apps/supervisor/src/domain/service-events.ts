import type { JournalData } from '@switchyard/protocol';
import type { ProcessSpec } from './process-plan.js';

/** What is told of a run, by whoever watches it. */
interface Run {
  readonly pid: number | undefined;
  readonly startTime: string;
}

interface Told<K extends 'service.crashed' | 'service.restarted'> {
  readonly key: string;
  readonly kind: K;
  readonly data: JournalData<K>;
}

/**
 * The end of a process as an event. Its key is that of the run, which ends once.
 *
 * @param at Unix milliseconds; names what never ran, or so briefly that nobody saw when it began
 */
export function crashEvent(
  { name, service }: Pick<ProcessSpec, 'name' | 'service'>,
  crash: Run & { readonly how: string; readonly crashes: number; readonly failed: boolean; readonly retryMs: number },
  at: number,
): Told<'service.crashed'> {
  const { pid = null, startTime, how, crashes, failed, retryMs } = crash;
  return {
    key: `crashed ${name} ${pid === null || startTime === '' ? at : `${pid} ${startTime}`}`,
    kind: 'service.crashed',
    data: { process: name, service, pid, how, crashes, failed, retry_ms: retryMs },
  };
}

export function restartEvent(
  { name, service }: Pick<ProcessSpec, 'name' | 'service'>,
  restart: Run & { readonly reason: 'crashed' | 'asked'; readonly restarts: number },
): Told<'service.restarted'> {
  const { pid = null, startTime, reason, restarts } = restart;
  return {
    key: `restarted ${name} ${pid} ${startTime}`,
    kind: 'service.restarted',
    data: { process: name, service, pid, reason, restarts },
  };
}
