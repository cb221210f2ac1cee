import type { Writable } from 'node:stream';

export interface OutboxLimits {
  /** Above this the connection stops reading requests: a client that does not take replies gets no new work done. */
  readonly highWaterBytes: number;
  /** Above this the client is taken for one that does not read at all. */
  readonly limitBytes: number;
}

/** Replies up to this size are joined with their neighbours into one write; larger ones are not worth the copy. */
const JOIN_BELOW_BYTES = 16 * 1024;

/**
 * What waits to be written to one client. Lines that are sent in one turn of the event loop leave in one write.
 * Does not close the stream; the owner decides what a refused line means.
 */
export class Outbox {
  readonly #stream: Writable;
  readonly #limits: OutboxLimits;
  readonly #onTaken: () => void;
  #batch: Buffer[] = [];
  #batchBytes = 0;

  /** @param onTaken told each time the system has taken what was flushed: `bytes` is smaller than before */
  constructor(stream: Writable, limits: OutboxLimits, onTaken: () => void = () => undefined) {
    this.#stream = stream;
    this.#limits = limits;
    this.#onTaken = onTaken;
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
   * @returns false when it would exceed the limit and was not taken
   */
  send(line: Buffer): boolean {
    const waiting = this.bytes;
    // One reply alone may be larger than a small limit; it is refused only when others wait already.
    if (waiting > 0 && waiting + line.length > this.#limits.limitBytes) return false;
    if (this.#batch.length === 0) process.nextTick(() => this.flush());
    this.#batch.push(line);
    this.#batchBytes += line.length;
    return true;
  }

  /** Writes what was sent in this turn; called by itself at the end of the turn. */
  flush(): void {
    const batch = this.#batch;
    this.#batch = [];
    this.#batchBytes = 0;
    if (this.#stream.destroyed || this.#stream.writableEnded) return;
    for (let start = 0; start < batch.length; ) {
      const end = endOfRun(batch, start);
      const run = batch.slice(start, end);
      const bytes = run.length === 1 ? run[0] : Buffer.concat(run);
      if (end < batch.length) this.#stream.write(bytes);
      else this.#stream.write(bytes, this.#onTaken);
      start = end;
    }
  }
}

/** @returns the index after the lines from `start` on that are worth joining; at least one line further */
function endOfRun(lines: readonly Buffer[], start: number): number {
  let end = start;
  while (end < lines.length && (lines[end]?.length ?? 0) <= JOIN_BELOW_BYTES) end++;
  return Math.max(end, start + 1);
}
