import type { AnyMethod } from './define.js';

/** The largest delay a timer of Node takes; a longer one would fire at once. */
const LONGEST_TIMER_MS = 2_147_483_647;

/**
 * The owner of a wait says `timeout` itself and knows why. The gateway waits for so much longer: it allows for a service
 * that is just restarting and rebuilding its terminals, and steps in when there is no answer at all.
 */
export const OWNER_MARGIN_MS = 10_000;

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
