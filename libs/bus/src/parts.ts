import type { Part } from './headers.js';

/** Well under the usual payload limit of 1 MiB, and small enough that other traffic gets between two pieces. */
export const PIECE_BYTES = 512 * 1024;
/** Of one reply, and of one request. Above what the gateway lets through, so that its limit is the one that is met. */
export const MESSAGE_LIMIT_BYTES = 80 * 1024 * 1024;

/** Cuts bytes into the pieces they travel in. */
export function* pieces(bytes: Uint8Array, stream: string): Generator<{ part: Part; data: Uint8Array }> {
  const count = Math.max(1, Math.ceil(bytes.length / PIECE_BYTES));
  for (let index = 0; index < count; index++) {
    const data = bytes.subarray(index * PIECE_BYTES, (index + 1) * PIECE_BYTES);
    yield { part: index === count - 1 ? { stream, index, count } : { stream, index }, data };
  }
}

/** What one more piece led to. */
export type Assembled = { state: 'more' } | { state: 'whole'; bytes: Buffer } | { state: 'lost'; why: string };

const MORE: Assembled = { state: 'more' };

/** Puts pieces together again; a hole is reported, never passed over. */
export class Assembler {
  #stream: string | undefined;
  #pieces: Uint8Array[] = [];
  #bytes = 0;

  /** Whether a reply has begun and not ended. */
  get partial(): boolean {
    return this.#pieces.length > 0;
  }

  add(part: Part, data: Uint8Array): Assembled {
    if (part.index === 0) this.#begin(part.stream);
    if (part.stream !== this.#stream) return MORE; // The rest of a sending that a newer one replaced.
    if (part.index !== this.#pieces.length) return this.#lost(`piece ${part.index} after ${this.#pieces.length}`);
    this.#pieces.push(data);
    this.#bytes += data.length;
    if (this.#bytes > MESSAGE_LIMIT_BYTES) return this.#lost(`more than ${MESSAGE_LIMIT_BYTES} bytes`);
    if (part.count === undefined) return MORE;
    if (part.count !== this.#pieces.length) return this.#lost(`${this.#pieces.length} of ${part.count} pieces`);
    const bytes = Buffer.concat(this.#pieces, this.#bytes);
    this.reset();
    return { state: 'whole', bytes };
  }

  reset(): void {
    this.#stream = undefined;
    this.#pieces = [];
    this.#bytes = 0;
  }

  #begin(stream: string): void {
    this.reset();
    this.#stream = stream;
  }

  #lost(why: string): Assembled {
    this.reset();
    return { state: 'lost', why };
  }
}
