/** So much may be unconfirmed before a large reply waits. Enough to keep loopback busy. */
const WINDOW_BYTES = 8 * 1024 * 1024;
/** Beyond this nothing more is taken: the broker is not reading and memory must not fill. */
const LIMIT_BYTES = 96 * 1024 * 1024;
/** How often the broker is asked how far it is. */
const PROBE_BYTES = 1024 * 1024;
/** What a message costs besides its payload: subject, headers, the object that holds it. */
const OVERHEAD_BYTES = 256;

/**
 * Counts what was handed to the connection and not yet confirmed by the broker. The client library itself buffers
 * without a limit.
 */
export class Backlog {
  readonly #confirm: () => Promise<void>;
  #unconfirmed = 0;
  #sinceProbe = 0;
  #epoch = 0;
  #waiting: (() => void)[] = [];

  /** @param confirm resolves when the broker has handled everything before it; rejects when the connection is lost */
  constructor(confirm: () => Promise<void>) {
    this.#confirm = confirm;
  }

  get full(): boolean {
    return this.#unconfirmed >= LIMIT_BYTES;
  }

  add(bytes: number): void {
    this.#unconfirmed += bytes + OVERHEAD_BYTES;
    this.#sinceProbe += bytes + OVERHEAD_BYTES;
    if (this.#sinceProbe >= PROBE_BYTES) this.#probe();
  }

  /** Resolves when less than the window is unconfirmed, or the connection is lost. */
  room(): Promise<void> {
    if (this.#unconfirmed < WINDOW_BYTES) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** The connection is gone and with it what was unconfirmed. */
  reset(): void {
    this.#epoch++;
    this.#unconfirmed = 0;
    this.#sinceProbe = 0;
    this.#wake();
  }

  #probe(): void {
    const { amount, epoch } = { amount: this.#sinceProbe, epoch: this.#epoch };
    this.#sinceProbe = 0;
    const done = () => {
      if (epoch !== this.#epoch) return;
      this.#unconfirmed -= amount;
      if (this.#unconfirmed < WINDOW_BYTES) this.#wake();
    };
    // A rejected probe is a lost connection, which also resets.
    this.#confirm().then(done, done);
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}
