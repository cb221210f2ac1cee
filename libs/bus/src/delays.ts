/** A broker that is restarted at once is met at once; one that is away for long costs a try every two seconds. */
const SHORTEST_MS = 25;
const LONGEST_MS = 2000;
/** Waits grow with the outage: after one second every 125 ms. */
const GROWTH = 8;
/** Many clients must not come back in the same millisecond. */
const JITTER = 0.25;

/** How long to wait between the tries of one outage. */
export class ReconnectDelays {
  readonly #now: () => number;
  #lostAt: number | undefined;

  /** @param now Unix milliseconds */
  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** An outage begins. */
  lost(): void {
    this.#lostAt ??= this.#now();
  }

  /** @returns milliseconds until the next try; the shortest while there is no outage: `nats` asks early */
  next(): number {
    const outage = this.#lostAt === undefined ? 0 : this.#now() - this.#lostAt;
    return jittered(Math.min(LONGEST_MS, Math.max(SHORTEST_MS, outage / GROWTH)));
  }

  /** The outage is over. */
  connected(): void {
    this.#lostAt = undefined;
  }
}

/** How long to wait after the failure number `attempt` (from 0) of the first connection. */
export function firstDelay(attempt: number): number {
  return jittered(Math.min(LONGEST_MS, SHORTEST_MS * 2 ** Math.min(attempt, 10)));
}

function jittered(ms: number): number {
  return Math.round(ms * (1 + JITTER * Math.random()));
}
