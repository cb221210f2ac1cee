import { writeSync } from 'node:fs';

/** Lines that a full disk did not take are kept up to here: more than a minute of a process that has something to say. */
const MOST_HELD_CHARS = 256 * 1024;
/** While lines are held and nothing further is said. */
const RETRY_MS = 1000;
/** The disk may take them later. Anything else means that nobody is left to read. */
const PASSING = new Set(['ENOSPC', 'EDQUOT', 'EROFS', 'EAGAIN']);

export interface LineSinkOptions {
  /** The line that stands for those that were given up. */
  readonly lostLine: (lines: number) => string;
  /** Writes to the file; default `fs.writeSync`. @returns bytes written */
  readonly writeTo?: (fd: number, bytes: Buffer) => number;
}

/**
 * Writes lines to a descriptor before it returns. What the disk does not take is held, written as soon as it does, and
 * bounded: lines that had to be given up are counted, and the count is a line of its own. Never throws.
 */
export class LineSink {
  readonly #fd: number;
  readonly #options: LineSinkOptions;
  /** The rest of a line that was taken in part comes first. */
  #rest: Buffer = Buffer.alloc(0);
  #held: string[] = [];
  #heldChars = 0;
  #lost = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(fd: number, options: LineSinkOptions) {
    this.#fd = fd;
    this.#options = options;
  }

  /** @param line with its end of line */
  write(line: string): void {
    if (this.#held.length > 0 || this.#rest.length > 0) this.#hold(line);
    else this.#rest = Buffer.from(line);
    this.#flush();
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    try {
      while (this.#rest.length > 0) {
        const written = (this.#options.writeTo ?? writeSync)(this.#fd, this.#rest);
        this.#rest = this.#rest.subarray(written);
        if (this.#rest.length === 0) this.#rest = this.#next();
      }
    } catch (error) {
      if (PASSING.has((error as NodeJS.ErrnoException).code ?? '')) this.#timer = this.#later();
      else this.#forget();
    }
  }

  /** What is to be written next, in the order in which it was said. */
  #next(): Buffer {
    const lines = this.#held.join('');
    const gap = this.#lost > 0 ? this.#options.lostLine(this.#lost) : '';
    this.#held = [];
    this.#heldChars = 0;
    this.#lost = 0;
    return Buffer.from(lines + gap);
  }

  /** The first lines tell how it began: later ones are given up. */
  #hold(line: string): void {
    if (this.#lost > 0 || this.#heldChars + line.length > MOST_HELD_CHARS) {
      this.#lost++;
      return;
    }
    this.#held.push(line);
    this.#heldChars += line.length;
  }

  #forget(): void {
    this.#rest = Buffer.alloc(0);
    this.#held = [];
    this.#heldChars = 0;
    this.#lost = 0;
  }

  #later(): NodeJS.Timeout {
    return setTimeout(() => this.#flush(), RETRY_MS).unref();
  }
}
