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
  /** When the present turn is over. */
  #until = 0;
  /** After a job that blocked for long, what it kept from being read comes first, for as long as it blocked. */
  #readUntil = 0;
  #added = false;

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
    this.#added = true;
    if (this.waiting === 0 && performance.now() < this.#until) this.#start(job);
    else this.#waiting.push(job);
  }

  readonly #turn = (): void => {
    const now = performance.now();
    const reading = this.#added && now < this.#readUntil;
    this.#added = false;
    this.#until = now + SLICE_MS;
    if (!reading) this.#startWaiting();
    this.#scheduled = this.waiting > 0;
    if (this.#scheduled) setImmediate(this.#turn);
  };

  #startWaiting(): void {
    while (this.waiting > 0 && performance.now() < this.#until) this.#start(this.#waiting[this.#next++] as T);
    if (this.#next >= COMPACT_AT || this.waiting === 0) {
      this.#waiting.splice(0, this.#next);
      this.#next = 0;
    }
  }

  #start(job: T): void {
    const began = performance.now();
    this.#run(job);
    const ended = performance.now();
    if (ended - began > SLICE_MS) this.#readUntil = ended + (ended - began);
  }
}
