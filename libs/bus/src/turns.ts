/**
 * How long handlers may be started in one turn of the event loop. After it the socket is read first, so that
 * cancellations are heard and the broker's pings answered between two slow handlers.
 */
const SLICE_MS = 10;

/** Places of started jobs are given back in lots of this size. */
const COMPACT_AT = 1024;

/** Starts jobs at once while there is time in this turn, and the others, in order, in the next turns. */
export class Turns<T> {
  readonly #run: (job: T) => void;
  readonly #waiting: T[] = [];
  #next = 0;
  #scheduled = false;
  #until = 0;

  /** @param run starts a job; must not throw */
  constructor(run: (job: T) => void) {
    this.#run = run;
  }

  get waiting(): number {
    return this.#waiting.length - this.#next;
  }

  add(job: T): void {
    if (!this.#scheduled) {
      this.#scheduled = true;
      this.#until = performance.now() + SLICE_MS;
      setImmediate(this.#turn);
    }
    if (this.waiting === 0 && performance.now() < this.#until) this.#run(job);
    else this.#waiting.push(job);
  }

  readonly #turn = (): void => {
    this.#until = performance.now() + SLICE_MS;
    while (this.waiting > 0 && performance.now() < this.#until) {
      const job = this.#waiting[this.#next++] as T;
      this.#run(job);
    }
    if (this.#next >= COMPACT_AT || this.waiting === 0) {
      this.#waiting.splice(0, this.#next);
      this.#next = 0;
    }
    this.#scheduled = this.waiting > 0;
    if (this.#scheduled) setImmediate(this.#turn);
  };
}
