import { writeSync } from 'node:fs';
import { KeeperFault, systemCode } from './fault.js';

/** A program that does not read is asked again this soon, then ever later: no CPU, and soon enough for a fast reader. */
const FIRST_DELAY_MS = 1;
const LAST_DELAY_MS = 50;
/** Written in one turn at most, so that a huge paste does not hold up the other terminals. */
const TURN_BYTES = 256 * 1024;

/** Input on its way to one program, in order, bounded, without a thread and without polling while it is empty. */
export class InputQueue {
  readonly #fd: number;
  readonly #limit: number;
  readonly #onBroken: (reason: string) => void;
  #chunks: Buffer[] = [];
  #queued = 0;
  #delay = FIRST_DELAY_MS;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;
  /** Bytes the program has taken, ever. */
  taken = 0;
  /** Times the program did not take what was there. */
  stalls = 0;
  overflows = 0;

  /**
   * @param fd non-blocking master of the terminal
   * @param limitBytes waiting at most
   */
  constructor(fd: number, limitBytes: number, onBroken: (reason: string) => void) {
    this.#fd = fd;
    this.#limit = limitBytes;
    this.#onBroken = onBroken;
  }

  /** Bytes the program has not taken yet. */
  get queued(): number {
    return this.#queued;
  }

  /** All of it or nothing. @throws KeeperFault `input_overflow` */
  push(data: Buffer): void {
    if (this.#queued + data.length > this.#limit) {
      this.overflows += 1;
      const facts = { queued: this.#queued, limit: this.#limit, bytes: data.length };
      throw new KeeperFault('input_overflow', 'The program does not read and its input queue is full.', facts);
    }
    if (data.length === 0) return;
    this.#chunks.push(data);
    this.#queued += data.length;
    if (this.#timer === undefined) this.#pump();
  }

  /** All that is waiting, for a successor. */
  peek(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  /** Takes over what a predecessor had; nothing is written before {@link go}. */
  inherit(data: Buffer, stalls: number, overflows: number): void {
    this.stalls = stalls;
    this.overflows = overflows;
    if (data.length > 0) this.#chunks.push(data);
    this.#queued = data.length;
  }

  go(): void {
    if (this.#timer === undefined) this.#pump();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#chunks = [];
    this.#queued = 0;
  }

  #pump(): void {
    this.#timer = undefined;
    let turn = 0;
    while (!this.#closed && turn < TURN_BYTES) {
      const chunk = this.#chunks[0];
      if (chunk === undefined) return;
      const written = this.#write(chunk);
      if (written === undefined) return;
      if (written === 0) {
        this.#retryLater();
        return;
      }
      turn += written;
      this.#queued -= written;
      this.taken += written;
      this.#delay = FIRST_DELAY_MS;
      if (written === chunk.length) this.#chunks.shift();
      else this.#chunks[0] = chunk.subarray(written);
    }
    if (this.#chunks.length > 0 && !this.#closed) this.#timer = setTimeout(() => this.#pump(), 0);
  }

  /** @returns bytes taken; undefined when the terminal is broken */
  #write(chunk: Buffer): number | undefined {
    try {
      return writeSync(this.#fd, chunk);
    } catch (error) {
      if (systemCode(error) === 'EAGAIN') return 0;
      this.close();
      this.#onBroken(String(error));
      return undefined;
    }
  }

  #retryLater(): void {
    this.stalls += 1;
    this.#timer = setTimeout(() => this.#pump(), this.#delay);
    this.#delay = Math.min(LAST_DELAY_MS, this.#delay * 2);
  }
}
