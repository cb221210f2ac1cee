/** One line of a connection, or the news that a line is over the limit, after which nothing more can be read. */
export type Frame = { readonly tooLarge: false; readonly line: Buffer } | { readonly tooLarge: true };

const NEWLINE = 0x0a;
/** Chunks below this size are gathered in blocks, so that a line sent byte by byte costs bytes and not objects. */
const SMALL_CHUNK = 4096;
/** The blocks of a long line; its first block is small, since most lines are short and connections are many. */
const BLOCK = 64 * 1024;

/**
 * Cuts a stream of bytes into lines. What is not complete is kept as a list of chunks and joined once, when its
 * newline arrives. Blank lines are dropped; a carriage return before the newline is dropped too. Bytes stay bytes:
 * whether a line is UTF-8 is for the decoder to say, so that a character cut by a read is never broken.
 */
export class FrameSplitter {
  readonly #maxBytes: number;
  #chunks: Buffer[] = [];
  #block: Buffer | undefined;
  #blockUsed = 0;
  #held = 0;
  #ended = false;

  /** @param maxBytes of one line without its newline; memory held is bounded by about this */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Bytes of the unfinished line. */
  get heldBytes(): number {
    return this.#held;
  }

  /**
   * @param chunk what was read; not kept beyond the call when small
   * @returns the lines it completes; after `{ tooLarge: true }` there are none any more
   */
  push(chunk: Buffer): Frame[] {
    const frames: Frame[] = [];
    let start = 0;
    while (!this.#ended) {
      const newline = chunk.indexOf(NEWLINE, start);
      const piece = chunk.subarray(start, newline === -1 ? chunk.length : newline);
      if (this.#held + piece.length > this.#maxBytes) {
        this.#drop();
        this.#ended = true;
        frames.push({ tooLarge: true });
      } else if (newline === -1) {
        this.#hold(piece);
        break;
      } else {
        addLine(frames, this.#held === 0 ? piece : this.#join(piece));
        start = newline + 1;
      }
    }
    return frames;
  }

  /** @returns the last line when the stream ended without a newline after it */
  end(): Frame[] {
    const frames: Frame[] = [];
    if (!this.#ended && this.#held > 0) addLine(frames, this.#join(Buffer.alloc(0)));
    this.#ended = true;
    return frames;
  }

  #hold(piece: Buffer): void {
    if (piece.length === 0) return;
    if (piece.length >= SMALL_CHUNK) {
      this.#closeBlock();
      this.#chunks.push(piece);
    } else {
      if (this.#block !== undefined && this.#blockUsed + piece.length > this.#block.length) this.#closeBlock();
      this.#block ??= Buffer.allocUnsafe(this.#held < SMALL_CHUNK ? SMALL_CHUNK : BLOCK);
      this.#blockUsed += piece.copy(this.#block, this.#blockUsed);
    }
    this.#held += piece.length;
  }

  #closeBlock(): void {
    if (this.#block === undefined) return;
    this.#chunks.push(this.#block.subarray(0, this.#blockUsed));
    this.#block = undefined;
    this.#blockUsed = 0;
  }

  #join(last: Buffer): Buffer {
    this.#closeBlock();
    const line = Buffer.concat([...this.#chunks, last], this.#held + last.length);
    this.#drop();
    return line;
  }

  #drop(): void {
    this.#chunks = [];
    this.#block = undefined;
    this.#blockUsed = 0;
    this.#held = 0;
  }
}

function addLine(frames: Frame[], bytes: Buffer): void {
  const line = bytes.at(-1) === 0x0d ? bytes.subarray(0, -1) : bytes;
  if (!isBlank(line)) frames.push({ tooLarge: false, line });
}

/** Spaces, tabs and carriage returns. The loop ends at the first other byte: at once, for a request. */
function isBlank(line: Buffer): boolean {
  return line.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d);
}
