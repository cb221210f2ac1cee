/** Marks of one surface: at most one in this time, and the last one always. */
const MARK_INTERVAL_MS = 50;

/**
 * Merges marks: the first after a silence goes out at once, those that follow within the interval become one at its end.
 * Holds a timer only while one is owed.
 */
export class Marks {
  readonly #send: () => void;
  #timer: NodeJS.Timeout | undefined;
  #sentAt = Number.NEGATIVE_INFINITY;

  constructor(send: () => void) {
    this.#send = send;
  }

  mark(): void {
    if (this.#timer !== undefined) return;
    const wait = this.#sentAt + MARK_INTERVAL_MS - performance.now();
    if (wait <= 0) this.#fire();
    else this.#timer = setTimeout(() => this.#fire(), wait);
  }

  /** Sends a mark that is owed, now. */
  flush(): void {
    if (this.#timer !== undefined) this.#fire();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #fire(): void {
    this.close();
    this.#sentAt = performance.now();
    this.#send();
  }
}
