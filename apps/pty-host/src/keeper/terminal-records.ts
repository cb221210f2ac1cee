import type { ExitRecord, LogMeta, LogWriter } from '@switchyard/store/log';
import type { KeeperLog } from './logger.js';

/** A full disk is asked again this often: the records are small and there are two per terminal. */
const RETRY_MS = 1000;

/**
 * What runs in a terminal and how it ended: known here at once, and on disk as soon as the disk takes it, so that a
 * full disk delays nobody who waits for an exit.
 */
export class TerminalRecords {
  readonly #writer: LogWriter;
  readonly #log: KeeperLog;
  #meta: LogMeta | undefined;
  #exit: ExitRecord | undefined;
  #unwritten = new Set<'meta' | 'exit'>();
  #timer: NodeJS.Timeout | undefined;

  constructor(writer: LogWriter, log: KeeperLog) {
    this.#writer = writer;
    this.#log = log;
    this.#meta = writer.readMeta();
    this.#exit = writer.readExit();
  }

  get meta(): LogMeta | undefined {
    return this.#meta;
  }

  get exit(): ExitRecord | undefined {
    return this.#exit;
  }

  started(meta: LogMeta): void {
    this.#meta = meta;
    this.#exit = undefined;
    this.#unwritten = new Set(['meta']);
    this.#write();
  }

  ended(exit: ExitRecord): void {
    this.#exit = exit;
    this.#unwritten.add('exit');
    this.#write();
  }

  /** The disk has everything. */
  get written(): boolean {
    return this.#unwritten.size === 0;
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #write(): void {
    clearTimeout(this.#timer);
    try {
      if (this.#unwritten.has('meta') && this.#meta !== undefined) this.#writer.writeMeta(this.#meta);
      this.#unwritten.delete('meta');
      if (this.#unwritten.has('exit') && this.#exit !== undefined) this.#writer.writeExit(this.#exit);
      this.#unwritten.delete('exit');
    } catch (error) {
      this.#log.warn({ log: this.#writer.folder, reason: String(error) }, 'record not written yet');
      this.#timer = setTimeout(() => this.#write(), RETRY_MS);
    }
  }
}
