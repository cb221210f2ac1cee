import type { LogWriter } from '@switchyard/store/log';
import type { KeeperLog } from './logger.js';

/** A full disk is asked again this soon, then ever later. */
const RETRY_FIRST_MS = 100;
const RETRY_LAST_MS = 2000;

export interface StoreListener {
  /** The log has grown. */
  stored(offset: number): void;
  /** The disk has begun to refuse, with its reason, or (null) takes everything again. */
  blocked(reason: string | null): void;
  /** Whether to go on reading may have changed. */
  changed(): void;
}

/** Puts output into the log, and holds the one piece that a full disk did not take until it does. */
export class OutputStore {
  readonly #writer: LogWriter;
  readonly #log: KeeperLog;
  readonly #listener: StoreListener;
  #rest: Buffer | undefined;
  #timer: NodeJS.Timeout | undefined;
  #delay = RETRY_FIRST_MS;
  #isBlocked = false;

  constructor(writer: LogWriter, log: KeeperLog, listener: StoreListener) {
    this.#writer = writer;
    this.#log = log;
    this.#listener = listener;
  }

  /** Output is waiting for the disk: read no more. */
  get waiting(): boolean {
    return this.#rest !== undefined;
  }

  /** @param chunk reused by the caller afterwards */
  store(chunk: Buffer): void {
    // Reading has stopped when something is held, but a read may have been under way.
    if (this.#rest !== undefined) this.#rest = Buffer.concat([this.#rest, chunk]);
    else this.#append(chunk);
    this.#listener.changed();
  }

  /** @returns bytes that go unstored */
  discard(): number {
    const lost = this.#rest?.length ?? 0;
    this.#rest = undefined;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#unblocked();
    return lost;
  }

  #append(chunk: Buffer): void {
    const taken = this.#writer.append(chunk);
    if (taken > 0) this.#listener.stored(this.#writer.end);
    if (taken === chunk.length) {
      this.#unblocked();
      return;
    }
    this.#rest = Buffer.from(chunk.subarray(taken));
    if (!this.#isBlocked) {
      this.#isBlocked = true;
      const { folder, blocked = 'unknown' } = this.#writer;
      this.#log.warn({ log: folder, reason: blocked }, 'log cannot grow; the program waits');
      this.#listener.blocked(blocked);
    }
    this.#timer = setTimeout(() => this.#again(), this.#delay);
    this.#delay = Math.min(RETRY_LAST_MS, this.#delay * 2);
  }

  #unblocked(): void {
    this.#delay = RETRY_FIRST_MS;
    if (!this.#isBlocked) return;
    this.#isBlocked = false;
    this.#log.info({ log: this.#writer.folder }, 'log grows again');
    this.#listener.blocked(null);
  }

  #again(): void {
    const rest = this.#rest;
    if (rest === undefined) return;
    this.#rest = undefined;
    this.#append(rest);
    this.#listener.changed();
  }
}
