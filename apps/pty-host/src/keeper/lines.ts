const NEWLINE = 0x0a;

/** Cuts a byte stream into lines. Pieces are joined once per line, so a long line costs what it weighs. */
export class LineSplitter {
  readonly #limit: number;
  readonly #onLine: (line: Buffer) => void;
  #pieces: Buffer[] = [];
  #held = 0;

  /** @param limitBytes of one line, without its newline */
  constructor(limitBytes: number, onLine: (line: Buffer) => void) {
    this.#limit = limitBytes;
    this.#onLine = onLine;
  }

  /** @returns false when a line is over the limit; the stream is then of no more use */
  push(chunk: Buffer): boolean {
    let from = 0;
    for (let to = chunk.indexOf(NEWLINE); to >= 0; to = chunk.indexOf(NEWLINE, from)) {
      if (this.#held + to - from > this.#limit) return false;
      this.#onLine(this.#take(chunk.subarray(from, to)));
      from = to + 1;
    }
    if (from < chunk.length) {
      this.#pieces.push(chunk.subarray(from));
      this.#held += chunk.length - from;
    }
    return this.#held <= this.#limit;
  }

  #take(last: Buffer): Buffer {
    if (this.#pieces.length === 0) return last;
    this.#pieces.push(last);
    const line = Buffer.concat(this.#pieces);
    this.#pieces = [];
    this.#held = 0;
    return line;
  }
}
