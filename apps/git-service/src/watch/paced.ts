import { Pace } from '../domain/watch/pace.js';

/** Runs a look when its {@link Pace} says so, one at a time. */
export class Paced {
  readonly pace = new Pace();
  /** Says whether it found anything new. Must not throw. */
  readonly #look: () => Promise<boolean>;
  #timer: NodeJS.Timeout | undefined;
  #firesAt = Number.POSITIVE_INFINITY;
  #looking = false;
  #closed = false;

  constructor(look: () => Promise<boolean>) {
    this.#look = look;
  }

  moved(): void {
    this.pace.moved(performance.now());
    this.#arm();
  }

  touched(): void {
    this.pace.touched(performance.now());
    this.#arm();
  }

  worked(): void {
    this.pace.worked(performance.now());
    this.#arm();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  /** A burst of a thousand events sets one timer: one that fires too early is set anew then. */
  #arm(): void {
    const { dueAt } = this.pace;
    if (this.#closed || this.#looking || dueAt === null || dueAt >= this.#firesAt) return;
    clearTimeout(this.#timer);
    this.#firesAt = dueAt;
    this.#timer = setTimeout(() => this.#fire(), Math.max(0, dueAt - performance.now()));
    this.#timer.unref();
  }

  #fire(): void {
    this.#firesAt = Number.POSITIVE_INFINITY;
    const { dueAt } = this.pace;
    if (dueAt !== null && dueAt <= performance.now()) void this.#run();
    else this.#arm();
  }

  async #run(): Promise<void> {
    this.#looking = true;
    this.pace.begins();
    const begun = performance.now();
    const news = await this.#look();
    const ended = performance.now();
    this.pace.ended(ended, ended - begun, news);
    this.#looking = false;
    this.#arm();
  }
}
