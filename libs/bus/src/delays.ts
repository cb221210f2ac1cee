/** A broker that is restarted at once is met at once; one that is away for long costs a try every two seconds. */
const SHORTEST_MS = 25;
const LONGEST_MS = 2000;
/** Waits grow with the outage: after one second every 125 ms. */
const GROWTH = 8;
/** Many clients must not come back in the same millisecond. */
const JITTER = 0.25;

/** Longer than any pause between two tries of one outage: a dial that times out and the longest wait. */
const NEW_OUTAGE_MS = 10_000;

/**
 * @param now Unix milliseconds
 * @returns a function that is asked before each try to reconnect and answers how long to wait
 */
export function reconnectDelays(now: () => number = Date.now): () => number {
  let lostAt = 0;
  let askedAt = Number.NEGATIVE_INFINITY;
  return () => {
    const at = now();
    if (at - askedAt > NEW_OUTAGE_MS) lostAt = at;
    askedAt = at;
    return jittered(Math.min(LONGEST_MS, Math.max(SHORTEST_MS, (at - lostAt) / GROWTH)));
  };
}

/** How long to wait after the failure number `attempt` (from 0) of the first connection. */
export function firstDelay(attempt: number): number {
  return jittered(Math.min(LONGEST_MS, SHORTEST_MS * 2 ** Math.min(attempt, 10)));
}

function jittered(ms: number): number {
  return Math.round(ms * (1 + JITTER * Math.random()));
}
