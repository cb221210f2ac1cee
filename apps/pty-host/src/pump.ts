/** Work that is done in steps of a few milliseconds, so that many terminals share one event loop. */
export interface Job {
  /** Of which terminal it is. */
  readonly surfaceId?: string;
  /** Does one step. @returns whether there is more to do now */
  step(): boolean;
}

/** How long steps may hold the event loop before requests and timers get a turn. */
const SLICE_MS = 8;

/**
 * Gives jobs their turns, one step each in order of arrival, so that a flooding terminal delays another by one step and
 * not by its whole backlog. Idle, it holds no timer.
 */
export class Pump {
  readonly #jobs = new Set<Job>();
  readonly #onFault: (job: Job, error: unknown) => void;
  #next: Job | undefined;
  #scheduled = false;

  /** @param onFault is told of a job whose step threw; the job is dropped, the others go on */
  constructor(onFault: (job: Job, error: unknown) => void) {
    this.#onFault = onFault;
  }

  /** The job has work. Repeating it changes nothing. */
  add(job: Job): void {
    this.#jobs.add(job);
    this.#schedule();
  }

  /** Somebody waits for this job: it has the next step. */
  addFirst(job: Job): void {
    this.add(job);
    this.#next = job;
  }

  remove(job: Job): void {
    this.#jobs.delete(job);
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => this.#slice());
  }

  #slice(): void {
    this.#scheduled = false;
    const end = performance.now() + SLICE_MS;
    while (this.#jobs.size > 0) {
      this.#turn();
      if (performance.now() >= end) break;
    }
    if (this.#jobs.size > 0) this.#schedule();
  }

  #turn(): void {
    const preferred = this.#next !== undefined && this.#jobs.has(this.#next) ? this.#next : undefined;
    this.#next = undefined;
    const job = preferred ?? firstOf(this.#jobs);
    if (job === undefined) return;
    this.#jobs.delete(job);
    try {
      if (job.step()) this.#jobs.add(job);
    } catch (error) {
      this.#onFault(job, error);
    }
  }
}

function firstOf<T>(set: Set<T>): T | undefined {
  for (const each of set) return each;
  return undefined;
}
