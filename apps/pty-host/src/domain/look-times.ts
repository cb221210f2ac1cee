/**
 * When the ports of the terminals are looked at. Something may begin to listen a while after it has printed its last: so
 * one look follows soon after the first sign, and some more after the last one. Then nothing, until there is a sign again.
 */
const SOON_MS = 300;
const AFTER_MS = [2000, 6000] as const;

/** Pure: the clock is given, milliseconds that only rise. */
export class LookTimes {
  readonly #everyMs: number;
  /** First sign that no look has followed yet. */
  #firstSign: number | null = null;
  #lastSign: number | null = null;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #afterLooks = 0;

  /** @param everyMs at most one look in this time, however much is printed */
  constructor(everyMs: number) {
    this.#everyMs = everyMs;
  }

  /** When the next look is due; null: not before there is a sign. */
  get dueAt(): number | null {
    const wanted = this.#wantedAt();
    return wanted === null ? null : Math.max(wanted, this.#lookedAt + this.#everyMs);
  }

  /** Something was printed, or a program has ended. */
  sign(now: number): void {
    this.#firstSign ??= now;
    this.#lastSign = now;
    this.#afterLooks = 0;
  }

  looked(now: number): void {
    if (this.#firstSign === null) this.#afterLooks++;
    this.#firstSign = null;
    this.#lookedAt = now;
  }

  #wantedAt(): number | null {
    if (this.#firstSign !== null) return this.#firstSign + SOON_MS;
    const after = AFTER_MS[this.#afterLooks];
    return this.#lastSign === null || after === undefined ? null : this.#lastSign + after;
  }
}
