import type { Writable } from 'node:stream';

export interface OutboxLimits {
  /** Above this the connection stops reading requests: a client that does not take replies gets no new work done. */
  readonly highWaterBytes: number;
  /** Above this the client is taken for one that does not read at all. */
  readonly limitBytes: number;
}

/** Replies up to this size are joined with their neighbours into one write; larger ones are not worth the copy. */
const JOIN_BELOW_CHARS = 16 * 1024;

/**
 * What waits to be written to one client. Lines that are sent in one turn of the event loop leave in one write.
 * Does not close the stream; the owner decides what a refused line means.
 */
export class Outbox {
  readonly #stream: Writable;
  readonly #limits: OutboxLimits;
  #batch: string[] = [];
  #batchBytes = 0;

  constructor(stream: Writable, limits: OutboxLimits) {
    this.#stream = stream;
    this.#limits = limits;
  }

  /** Bytes that the client has not taken yet. */
  get bytes(): number {
    return this.#batchBytes + this.#stream.writableLength;
  }

  get isAboveHighWater(): boolean {
    return this.bytes > this.#limits.highWaterBytes;
  }

  /**
   * @param line a whole frame, line feed included
   * @param bytes its length in UTF-8
   * @returns false when it would exceed the limit and was not taken
   */
  send(line: string, bytes: number): boolean {
    const waiting = this.bytes;
    // One reply alone may be larger than the limit of a small yard; it is refused only when others wait already.
    if (waiting > 0 && waiting + bytes > this.#limits.limitBytes) return false;
    if (this.#batch.length === 0) process.nextTick(() => this.flush());
    this.#batch.push(line);
    this.#batchBytes += bytes;
    return true;
  }

  /** Writes what was sent in this turn; called by itself at the end of the turn. */
  flush(): void {
    const batch = this.#batch;
    if (batch.length === 0) return;
    this.#batch = [];
    this.#batchBytes = 0;
    if (this.#stream.destroyed || this.#stream.writableEnded) return;
    let small = '';
    for (const line of batch) {
      if (line.length <= JOIN_BELOW_CHARS) {
        small += line;
      } else {
        if (small) this.#stream.write(small);
        small = '';
        this.#stream.write(line);
      }
    }
    if (small) this.#stream.write(small);
  }
}
