/**
 * When the ports of the terminals are looked at. Something may begin to listen a while after it has printed its last: so
 * one look follows soon after the first sign, and some more after the last one. Then nothing, until there is a sign again.
 */
const SOON_MS = 300;
const AFTER_MS = [1500, 5000] as const;
/** While terminals print on and on. */
const EVERY_MS = 2000;

/** Pure: the clock is given, milliseconds that only rise. */
export class LookTimes {
  /** First sign that no look has followed yet. */
  #firstSign: number | null = null;
  #lastSign: number | null = null;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #afterLooks = 0;

  /** When the next look is due; null: not before there is a sign. */
  get dueAt(): number | null {
    if (this.#firstSign !== null) return Math.max(this.#firstSign + SOON_MS, this.#lookedAt + EVERY_MS);
    const after = AFTER_MS[this.#afterLooks];
    return this.#lastSign === null || after === undefined ? null : this.#lastSign + after;
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
}
