/** A screen that has been quiet this long has settled: programs paint a frame in one go or in a few quick writes. */
export const SETTLE_MS = 60;
/** A screen that never settles (a spinner, streaming text) is looked at this often. */
export const BUSY_MS = 250;

/** When to sample a screen: soon after it settles, now and then while it does not, never while nothing changes. */
export class SampleCadence {
  #firstChange: number | null = null;
  #lastChange = 0;

  /** Milliseconds at which the next sample is due, on the clock of the caller; null: nothing to look at. */
  get dueAt(): number | null {
    if (this.#firstChange === null) return null;
    return Math.min(this.#lastChange + SETTLE_MS, this.#firstChange + BUSY_MS);
  }

  /** Something that a sample holds has changed: the screen, the title, the foreground process. */
  changed(at: number): void {
    this.#firstChange ??= at;
    this.#lastChange = at;
  }

  /** A sample was taken; what comes later is a new change. */
  sampled(): void {
    this.#firstChange = null;
  }
}
