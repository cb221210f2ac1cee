/** Short enough that callers inside their restart grace (3 s) notice nothing. */
const FIRST_DELAY_MS = 50;
/** A process that cannot start must not burn a core. */
const LONGEST_DELAY_MS = 5_000;
/** More crashes than this within the window are not bad luck: a person has to look. */
const CRASHES_UNTIL_FAILED = 5;
const WINDOW_MS = 5 * 60_000;
/** Even then it is tried again: the reason (a full disk, a port in use) may go away by itself. */
const FAILED_RETRY_MS = 30_000;
/** A run that was ready for this long makes up for one crash before it. */
const QUIET_MS = 60_000;

/** Times (milliseconds) of the crashes that still count. */
export type CrashHistory = readonly number[];

export interface RestartDecision {
  readonly history: CrashHistory;
  readonly delayMs: number;
  readonly failed: boolean;
}

/** How many crashes still count. @param now of the same clock as the history */
export function countedCrashes(history: CrashHistory, now: number): number {
  return history.filter((at) => now - at < WINDOW_MS).length;
}

/**
 * What to do after a process ended without being told to.
 *
 * @param history of earlier decisions, empty at first
 * @param now milliseconds, of the same clock as the history
 * @param readyForMs how long the run that ended had been ready, 0 if it never was
 */
export function afterCrash(history: CrashHistory, now: number, readyForMs: number): RestartDecision {
  const forgiven = Math.floor(readyForMs / QUIET_MS);
  const counted = [...history.filter((at) => now - at < WINDOW_MS).slice(forgiven), now];
  if (counted.length > CRASHES_UNTIL_FAILED) return { history: counted, delayMs: FAILED_RETRY_MS, failed: true };
  const delayMs = Math.min(FIRST_DELAY_MS * 2 ** (counted.length - 1), LONGEST_DELAY_MS);
  return { history: counted, delayMs, failed: false };
}
