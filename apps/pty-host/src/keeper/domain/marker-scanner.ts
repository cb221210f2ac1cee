/**
 * Finds the marker that the keeper writes behind a terminal's last output, and takes it out of the stream.
 * Bytes that may be the beginning of the marker are held back until the next ones decide.
 */
export class MarkerScanner {
  readonly #marker: Buffer;
  #held: Buffer = Buffer.alloc(0);

  constructor(marker: Buffer) {
    this.#marker = marker;
  }

  /**
   * @param chunk may be reused by the caller afterwards
   * @returns output that is certain, to be used before the next call; after `found` everything is
   */
  push(chunk: Buffer): { readonly output: Buffer; readonly found: boolean } {
    const all = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    const at = all.indexOf(this.#marker);
    if (at >= 0) {
      this.#held = Buffer.alloc(0);
      return { output: all.subarray(0, at), found: true };
    }
    const certain = all.length - this.#prefixAtEnd(all);
    this.#held = Buffer.from(all.subarray(certain));
    return { output: all.subarray(0, certain), found: false };
  }

  /** What is held back, when no more will come. */
  flush(): Buffer {
    const held = this.#held;
    this.#held = Buffer.alloc(0);
    return held;
  }

  /** Length of the longest end of `all` that the marker begins with. */
  #prefixAtEnd(all: Buffer): number {
    const longest = Math.min(all.length, this.#marker.length - 1);
    for (let length = longest; length > 0; length--) {
      if (all.subarray(all.length - length).equals(this.#marker.subarray(0, length))) return length;
    }
    return 0;
  }
}
