export interface RateLimit {
  /** So many at once. */
  readonly burst: number;
  /** Milliseconds until there may be one more. */
  readonly everyMs: number;
}

/** Deliveries of one surface: more in a row is one that cannot stop, and the first told enough. */
export const SURFACE_DELIVERIES: RateLimit = { burst: 5, everyMs: 10_000 };
/** Deliveries of the yard: as many as a person can take in. */
export const YARD_DELIVERIES: RateLimit = { burst: 30, everyMs: 2000 };
/** Texts shown by `notification.show`. */
export const SHOWN: RateLimit = { burst: 5, everyMs: 2000 };
/** What programs ask their terminals to tell, of one surface: each is written to disk and told to all clients. */
export const SURFACE_SIGNALS: RateLimit = { burst: 20, everyMs: 1000 };

/** Surfaces whose count is kept; of those beyond, the one that was quiet for longest starts anew. */
const MOST_KEYS = 2048;

/** Allows so many of each key at once, and then one in a time. Pure: the clock is given. */
export class RateLimiter {
  readonly #limit: RateLimit;
  readonly #buckets = new Map<string, { left: number; at: number }>();

  constructor(limit: RateLimit) {
    this.#limit = limit;
  }

  /** @param at milliseconds. @returns whether one more is allowed, and then it counts */
  take(key: string, at: number): boolean {
    const { burst, everyMs } = this.#limit;
    const before = this.#buckets.get(key) ?? { left: burst, at };
    const left = Math.min(burst, before.left + Math.max(0, at - before.at) / everyMs);
    this.#buckets.delete(key);
    this.#buckets.set(key, { left: left >= 1 ? left - 1 : left, at });
    for (const oldest of this.#buckets.keys()) {
      if (this.#buckets.size <= MOST_KEYS) break;
      this.#buckets.delete(oldest);
    }
    return left >= 1;
  }
}
