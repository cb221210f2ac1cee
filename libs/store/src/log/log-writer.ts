import { closeSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import {
  EXIT_FILE,
  errorCode,
  FILE_MODE,
  isSystemError,
  META_FILE,
  makeFolder,
  readRecord,
  segmentName,
  segmentStarts,
  writeRecord,
} from './folder.js';
import { JournalWriter } from './journal.js';
import type { ExitRecord, LogMeta } from './types.js';

export interface LogWriterOptions {
  /** Folder of all logs of this host. */
  readonly root: string;
  readonly surfaceId: string;
  /** Output kept; the oldest segment goes when more is held and it is parsed. */
  readonly budgetBytes: number;
  /** Told when a further segment has begun. */
  readonly onSegment?: () => void;
}

/** Eight segments a budget: at most an eighth of it is lost at once, and a folder stays short. */
const SEGMENTS_PER_BUDGET = 8;
/** Below it the file operations cost more than the bytes. */
const MIN_SEGMENT_BYTES = 8 * 1024;
/** Above it removing the oldest frees space in lumps that are too large. */
const MAX_SEGMENT_BYTES = 8 * 1024 * 1024;

/**
 * Appends one terminal's output. The log is the truth: its end is the number of bytes the terminal has ever
 * produced. There is one writer per log (the keeper); it goes on after the end of what it finds.
 */
export class LogWriter {
  readonly folder: string;
  readonly #budget: number;
  readonly #onSegment: (() => void) | undefined;
  readonly #segmentBytes: number;
  readonly #journal: JournalWriter;
  #starts: number[];
  #end: number;
  #acked: number;
  #fd: number | undefined;
  #blocked: string | undefined;

  constructor(options: LogWriterOptions) {
    this.folder = join(options.root, options.surfaceId);
    this.#budget = options.budgetBytes;
    this.#onSegment = options.onSegment;
    const eighth = Math.floor(options.budgetBytes / SEGMENTS_PER_BUDGET);
    this.#segmentBytes = Math.min(MAX_SEGMENT_BYTES, Math.max(MIN_SEGMENT_BYTES, eighth));
    makeFolder(this.folder);
    this.#starts = segmentStarts(this.folder);
    const last = this.#starts.at(-1);
    this.#end = last === undefined ? 0 : last + statSync(join(this.folder, segmentName(last))).size;
    this.#acked = this.#starts[0] ?? 0;
    this.#journal = new JournalWriter(this.folder);
  }

  /** Bytes ever produced. */
  get end(): number {
    return this.#end;
  }

  /** Offset of the oldest byte still held. */
  get start(): number {
    return this.#starts[0] ?? this.#end;
  }

  /** Bytes on the disk. */
  get held(): number {
    return this.#end - this.start;
  }

  /** Everything below is parsed. */
  get acked(): number {
    return this.#acked;
  }

  /** Why the last append was cut short, e.g. `ENOSPC`; undefined when it was not. */
  get blocked(): string | undefined {
    return this.#blocked;
  }

  /** Nobody has parsed a whole budget: one more byte and either it or an unread one would have to go. */
  get unparsedBudget(): boolean {
    return this.#end - this.#acked >= this.#budget;
  }

  /** Sizes that the disk has not taken yet. */
  get unwritten(): boolean {
    return this.#journal.unwritten;
  }

  /**
   * Appends what the disk takes.
   * @returns bytes taken. Fewer than given: `blocked` says why; the caller keeps the rest and tries again later.
   */
  append(data: Buffer): number {
    let taken = 0;
    try {
      this.#journal.flush();
      while (taken < data.length) {
        const room = this.#roomInSegment();
        const written = writeSync(room.fd, data, taken, Math.min(data.length - taken, room.bytes));
        taken += written;
        this.#end += written;
      }
      this.#blocked = undefined;
    } catch (error) {
      // No space, no quota, a failing disk: all mean the same for the program in the terminal. It waits.
      if (!isSystemError(error)) throw error;
      this.#blocked = errorCode(error) ?? error.message;
    }
    this.#trim();
    return taken;
  }

  /** Everything below `offset` is parsed; it may be removed. Going back is ignored. */
  ack(offset: number): void {
    this.#acked = Math.max(this.#acked, Math.min(offset, this.#end));
    this.#trim();
  }

  /** From here on output is for this size. Kept and tried again with the next append when the disk is full. */
  journal(kind: 'spawn' | 'resize', cols: number, rows: number): void {
    this.#journal.add({ kind, offset: this.#end, cols, rows }, this.start);
  }

  /** @throws when the disk does not take it */
  writeMeta(meta: LogMeta): void {
    writeRecord(join(this.folder, META_FILE), meta);
    rmSync(join(this.folder, EXIT_FILE), { force: true });
  }

  /** @throws when the disk does not take it; the caller tries again */
  writeExit(exit: ExitRecord): void {
    writeRecord(join(this.folder, EXIT_FILE), exit);
  }

  readMeta(): LogMeta | undefined {
    return readRecord<LogMeta>(join(this.folder, META_FILE));
  }

  readExit(): ExitRecord | undefined {
    return readRecord<ExitRecord>(join(this.folder, EXIT_FILE));
  }

  close(): void {
    if (this.#fd === undefined) return;
    closeSync(this.#fd);
    this.#fd = undefined;
  }

  #roomInSegment(): { fd: number; bytes: number } {
    const start = this.#starts.at(-1);
    if (start === undefined || this.#end - start >= this.#segmentBytes) return this.#openSegment(this.#end);
    this.#fd ??= openSync(join(this.folder, segmentName(start)), 'a', FILE_MODE);
    return { fd: this.#fd, bytes: this.#segmentBytes - (this.#end - start) };
  }

  #openSegment(start: number): { fd: number; bytes: number } {
    const fd = openSync(join(this.folder, segmentName(start)), 'a', FILE_MODE);
    this.close();
    this.#fd = fd;
    this.#starts.push(start);
    if (this.#starts.length > 1) this.#onSegment?.();
    return { fd, bytes: this.#segmentBytes };
  }

  /** Removes the oldest segment, if it is parsed and not the only one. @returns bytes that were freed */
  dropOldest(): number {
    const [oldest, next] = this.#starts;
    if (oldest === undefined || next === undefined || next > this.#acked) return 0;
    rmSync(join(this.folder, segmentName(oldest)), { force: true });
    this.#starts.shift();
    return next - oldest;
  }

  #trim(): void {
    while (this.held > this.#budget && this.dropOldest() > 0);
  }
}
