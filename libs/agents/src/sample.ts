import type { Params } from '@switchyard/protocol';

/**
 * What the detector looks at: the live screen of one terminal at one moment, with what is known of the program on it.
 * Declared in the contract (`agent.evaluate`), since it travels from the pty-host to a detector.
 */
export type ScreenSample = Params<'agent.evaluate'>['samples'][number];
export type ForegroundProcess = NonNullable<ScreenSample['foreground']>;
export type ScreenProgress = NonNullable<ScreenSample['progress']>;

/** Whether both are the same run of the same program. */
export function sameProcess(a: ForegroundProcess | null, b: ForegroundProcess | null): boolean {
  return a !== null && b !== null && a.pid === b.pid && a.start_time === b.start_time;
}
