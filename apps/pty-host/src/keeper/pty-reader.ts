import { readSync } from 'node:fs';
import { ReadStream } from 'node:tty';
import { systemCode } from './fault.js';
import { masterClosed } from './native-pty.js';

/**
 * The kernel gives at most 4 KiB of terminal output per read. One buffer serves all terminals: each read is
 * consumed before the next begins.
 */
const shared = Buffer.allocUnsafe(64 * 1024);

/** A flooding background process must not keep a drain going for ever; the kernel holds far less than this. */
const DRAIN_LIMIT_BYTES = 256 * 1024;

/** Reads a terminal's master by readiness events: no thread, no timer, nothing while it is silent. Owns the descriptor. */
export class PtyReader {
  readonly #fd: number;
  readonly #onData: (chunk: Buffer) => void;
  readonly #stream: ReadStream;
  #closed = false;

  /**
   * @param onData gets memory that is reused after it returns
   * @param onBroken once, when the terminal can no longer be read (it was hung up under us)
   * @param paused nothing is read before {@link resume}
   */
  constructor(fd: number, onData: (chunk: Buffer) => void, onBroken: (reason: string) => void, paused: boolean) {
    this.#fd = fd;
    this.#onData = onData;
    const onread = {
      buffer: shared,
      callback: (bytes: number, buffer: Uint8Array) => {
        this.#deliver(buffer as Buffer, bytes);
        return true;
      },
    };
    // The types know `onread` for connections only; the stream is the same class underneath.
    this.#stream = new ReadStream(fd, { onread } as object);
    let reason = 'end of file';
    this.#stream.on('error', (error) => {
      reason = error.message;
    });
    this.#stream.on('close', () => {
      if (!this.#closed) {
        this.#closed = true;
        masterClosed(fd);
        onBroken(reason);
      }
    });
    if (!paused) this.#stream.resume();
  }

  get closed(): boolean {
    return this.#closed;
  }

  pause(): void {
    this.#stream.pause();
  }

  resume(): void {
    if (!this.#closed) this.#stream.resume();
  }

  /** Takes what the kernel holds right now. @returns bytes read */
  drain(): number {
    let total = 0;
    while (!this.#closed && total < DRAIN_LIMIT_BYTES) {
      const bytes = this.#readNow();
      if (bytes === 0) break;
      total += bytes;
      this.#deliver(shared, bytes);
    }
    return total;
  }

  /** Closes the master. The kernel hangs up whoever still uses the terminal. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    masterClosed(this.#fd);
    this.#stream.destroy();
  }

  #deliver(buffer: Buffer, bytes: number): void {
    if (!this.#closed) this.#onData(buffer.subarray(0, bytes));
  }

  #readNow(): number {
    try {
      return readSync(this.#fd, shared, 0, shared.length, null);
    } catch (error) {
      const code = systemCode(error);
      // EAGAIN: nothing there. EIO: hung up; the stream reports that by itself.
      if (code === 'EAGAIN' || code === 'EIO') return 0;
      throw error;
    }
  }
}
