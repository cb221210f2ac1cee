import { randomFillSync } from 'node:crypto';

/** Nobody guesses 72 bits. */
const SECRET_BYTES = 9;
/** Taking random bytes costs a system call: so many numbers share one. */
const POOL_NUMBERS = 512;

/**
 * Numbers that only those know whom they were told. Whoever knows the number of a call may answer it and ask for its
 * body, so another machine that was asked something must not be able to tell the numbers of other calls from it.
 */
export class CallNumbers {
  readonly #pool = Buffer.alloc(SECRET_BYTES * POOL_NUMBERS);
  #used = this.#pool.length;
  #count = 0;

  /** @returns one token of a subject, never the same again */
  next(): string {
    if (this.#used === this.#pool.length) {
      randomFillSync(this.#pool);
      this.#used = 0;
    }
    const secret = this.#pool.toString('base64url', this.#used, this.#used + SECRET_BYTES);
    this.#used += SECRET_BYTES;
    return `${(++this.#count).toString(36)}-${secret}`;
  }
}
