import { setTimeout as delay } from 'node:timers/promises';

/** Slow machines share two cores between a whole yard and its tests. */
const DEFAULT_TIMEOUT_MS = 15_000;
/** Short against every time limit of a test, long against the cost of a look. */
const LOOK_EVERY_MS = 20;

/** Any value but these is an answer; they mean "not yet". */
type NotYet = undefined | null | false;

/**
 * Looks until `probe` gives an answer. For conditions that nobody announces; where there is an event, await that.
 *
 * @param what the condition in words, for the failure message
 * @param probe returns the answer, or undefined, null or false for "not yet"; a throw counts as "not yet" too
 * @param seen what was last seen, for the failure message; default: what the probe last gave or threw
 */
export async function waitFor<T>(
  what: string,
  probe: () => T | NotYet | Promise<T | NotYet>,
  { timeoutMs = DEFAULT_TIMEOUT_MS, seen }: { timeoutMs?: number; seen?: () => unknown } = {},
): Promise<T> {
  const end = Date.now() + timeoutMs;
  let last: unknown;
  for (;;) {
    try {
      const answer = await probe();
      if (answer !== undefined && answer !== null && answer !== false) return answer;
      last = answer;
    } catch (error) {
      last = error;
    }
    if (Date.now() >= end) throw new Error(`not within ${timeoutMs} ms: ${what}; last seen: ${show(seen?.() ?? last)}`);
    await delay(LOOK_EVERY_MS);
  }
}

/** The promise, or an error that names what did not come in time. */
export async function within<T>(timeoutMs: number, what: string, promise: Promise<T>): Promise<T> {
  const timer = new AbortController();
  try {
    const late = delay(timeoutMs, undefined, { signal: timer.signal }).then(() => {
      throw new Error(`not within ${timeoutMs} ms: ${what}`);
    });
    // The race ends the wait; when the promise won, the timer is withdrawn and its rejection has no meaning.
    late.catch(() => undefined);
    return await Promise.race([promise, late]);
  } finally {
    timer.abort();
  }
}

function show(value: unknown): string {
  if (value instanceof Error) return value.message;
  return typeof value === 'string' ? value : (JSON.stringify(value)?.slice(0, 2000) ?? String(value));
}
