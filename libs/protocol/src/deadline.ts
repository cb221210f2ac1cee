import type { AnyMethod } from './define.js';

/** The largest delay a timer of Node takes; a longer one would fire at once. */
const LONGEST_TIMER_MS = 2_147_483_647;

/**
 * How long the owner of a method may take: what the caller names in the method's own time-out parameter, else the
 * method's deadline. Callers further out add a margin, so that the innermost gives up first and says why.
 *
 * @param params as validated, or as sent
 * @param marginMs added to it
 * @returns milliseconds, fit for a timer
 */
export function deadlineMsOf(spec: AnyMethod, params: unknown, marginMs = 0): number {
  const named = spec.timeoutParam ? (params as Record<string, unknown> | undefined)?.[spec.timeoutParam] : undefined;
  const own = typeof named === 'number' && named >= 0 ? named : spec.deadlineMs;
  return Math.min(own + marginMs, LONGEST_TIMER_MS);
}
