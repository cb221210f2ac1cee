/** Refs and index change in bursts, and git writes several files for one step: look when it is quiet for so long … */
const MOVE_QUIET_MS = 100;
/** … but do not wait longer for the end of a rebase of a thousand steps. */
const MOVE_PATIENCE_MS = 1000;
/** Files may have changed when a terminal printed: look when it has come to rest … */
const TOUCH_QUIET_MS = 500;
/** … or, while it goes on and on, after so long. */
const TOUCH_PATIENCE_MS = 5000;
/** The least time between two looks that only output asks for. It doubles with every such look that finds nothing new. */
const TOUCH_PAUSE_MS = 2000;
/** A program that prints for ever and changes nothing costs a look in half a minute. */
const MOST_DOUBLINGS = 4;
/** A look may take a second in a large repository: it takes at most a tenth, and for output a twentieth, of the time. */
const MOVE_COST = 10;
const TOUCH_COST = 20;

interface Burst {
  readonly first: number;
  readonly last: number;
}

/**
 * Decides when a checkout is looked at next. Nothing happened: never. Two kinds of things happen: git moved (refs, index),
 * which is looked at at once, and the checkout was touched (something was printed in a terminal there), which may mean
 * nothing. All times are milliseconds of one clock that only rises.
 */
export class Pace {
  #moves: Burst | null = null;
  #touches: Burst | null = null;
  #endedAt = Number.NEGATIVE_INFINITY;
  #tookMs = 0;
  #vain = 0;
  #onlyTouched = false;

  moved(now: number): void {
    this.#moves = grown(this.#moves, now);
    this.#vain = 0;
  }

  touched(now: number): void {
    this.#touches = grown(this.#touches, now);
  }

  /** Somebody worked here and has stopped: as {@link touched}, and more likely than mere output to mean something. */
  worked(now: number): void {
    this.#vain = 0;
    this.touched(now);
  }

  /** When to look; null: there is no reason to. */
  get dueAt(): number | null {
    const dues = [this.#moveDue(), this.#touchDue()].filter((due) => due !== null);
    return dues.length === 0 ? null : Math.min(...dues);
  }

  /** What happens from now on is for the next look. */
  begins(): void {
    this.#onlyTouched = this.#moves === null;
    this.#moves = null;
    this.#touches = null;
  }

  /** @param news whether the look found anything new */
  ended(now: number, tookMs: number, news: boolean): void {
    this.#endedAt = now;
    this.#tookMs = tookMs;
    if (news) this.#vain = 0;
    else if (this.#onlyTouched) this.#vain = Math.min(this.#vain + 1, MOST_DOUBLINGS);
  }

  #moveDue(): number | null {
    if (this.#moves === null) return null;
    const { first, last } = this.#moves;
    const rested = this.#endedAt + Math.max(MOVE_QUIET_MS, MOVE_COST * this.#tookMs);
    return Math.max(rested, Math.min(last + MOVE_QUIET_MS, first + MOVE_PATIENCE_MS));
  }

  #touchDue(): number | null {
    if (this.#touches === null) return null;
    const { first, last } = this.#touches;
    const rested = this.#endedAt + Math.max(TOUCH_PAUSE_MS * 2 ** this.#vain, TOUCH_COST * this.#tookMs);
    return Math.max(rested, Math.min(last + TOUCH_QUIET_MS, first + TOUCH_PATIENCE_MS));
  }
}

const grown = (burst: Burst | null, now: number): Burst => ({ first: burst?.first ?? now, last: now });
