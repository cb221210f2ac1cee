import { closeSync, existsSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  EXIT_FILE,
  isMissing,
  JOURNAL_FILE,
  META_FILE,
  readIfThere,
  readRecord,
  segmentName,
  segmentStarts,
} from './folder.js';
import { parseJournal } from './journal.js';
import type { ExitRecord, JournalEntry, LogMeta, LogSlice } from './types.js';

/**
 * Reads one terminal's output by offset, in another process than its writer or the same one. Any number of
 * readers may read while the writer appends, rotates and removes. Holds at most one descriptor: close it.
 */
export class LogReader {
  readonly folder: string;
  /** `last`: when it was opened, no later segment was there. */
  #open: { readonly fd: number; readonly start: number; readonly last: boolean } | undefined;

  /** A log that does not exist (yet) reads as empty. */
  constructor(root: string, surfaceId: string) {
    this.folder = join(root, surfaceId);
  }

  /**
   * @param from offset of the first byte wanted
   * @param maxBytes upper bound of `data`; it is only shorter at the end of the log or before a gap
   * @returns empty `data` at (or beyond) the end. With `gap`, `data` starts at `gap.to`, the oldest byte held.
   */
  read(from: number, maxBytes: number): LogSlice {
    const first = this.#seek(from);
    if (first === undefined) return { offset: from, data: Buffer.alloc(0) };
    const gap = first > from ? { gap: { from, to: first } } : {};
    const parts: Buffer[] = [];
    let at = first;
    while (at - first < maxBytes) {
      const part = this.#readSegment(at, maxBytes - (at - first));
      if (part.length === 0 && this.#seek(at, true) !== at) break;
      parts.push(part);
      at += part.length;
    }
    return { offset: first, data: parts.length === 1 ? (parts[0] ?? Buffer.alloc(0)) : Buffer.concat(parts), ...gap };
  }

  /** Bytes ever produced, as far as they are in the log now. */
  end(): number {
    const last = segmentStarts(this.folder).at(-1);
    if (last === undefined) return 0;
    try {
      return last + statSync(join(this.folder, segmentName(last))).size;
    } catch (error) {
      // The newest segment is only removed together with the whole log.
      if (isMissing(error)) return 0;
      throw error;
    }
  }

  /** Offset of the oldest byte held. */
  start(): number {
    return segmentStarts(this.folder)[0] ?? 0;
  }

  /** Sizes by offset, oldest first. */
  journal(): JournalEntry[] {
    return parseJournal(readIfThere(join(this.folder, JOURNAL_FILE)) ?? '');
  }

  meta(): LogMeta | undefined {
    return readRecord<LogMeta>(join(this.folder, META_FILE));
  }

  /** undefined while the program runs */
  exit(): ExitRecord | undefined {
    return readRecord<ExitRecord>(join(this.folder, EXIT_FILE));
  }

  close(): void {
    if (this.#open === undefined) return;
    closeSync(this.#open.fd);
    this.#open = undefined;
  }

  /**
   * Opens the segment that holds `from`, or else the next later one.
   * @param next the open segment is read to its end, look behind it
   * @returns where reading can go on; undefined at the end of the log
   */
  #seek(from: number, next = false): number | undefined {
    if (!next && this.#open !== undefined && from >= this.#open.start && from < this.#endOfOpen()) return from;
    if (this.#isAtEnd(from)) return undefined;
    const starts = segmentStarts(this.folder);
    const holding = starts.findLast((start) => start <= from);
    const candidates = starts.filter((start) => start === holding || start > from);
    for (const start of candidates) {
      if (!this.#openSegment(start, start === starts.at(-1))) continue;
      if (start > from) return start;
      if (from < this.#endOfOpen()) return from;
    }
    return undefined;
  }

  /**
   * Whether `from` is the end of the log, told without listing the folder: asked after every piece that is read. The
   * oldest segment goes first, so as long as the open one is there, whatever came after it is there too.
   */
  #isAtEnd(from: number): boolean {
    if (!this.#open?.last || from !== this.#endOfOpen()) return false;
    if (existsSync(join(this.folder, segmentName(from)))) return false;
    // Looked at after the search for a successor: it was there all that time.
    const { nlink, size } = fstatSync(this.#open.fd);
    return nlink > 0 && from === this.#open.start + size;
  }

  #openSegment(start: number, last: boolean): boolean {
    if (this.#open?.start === start) return true;
    try {
      const fd = openSync(join(this.folder, segmentName(start)), 'r');
      this.close();
      this.#open = { fd, start, last };
      return true;
    } catch (error) {
      // Removed by the writer since it was listed.
      if (isMissing(error)) return false;
      throw error;
    }
  }

  #endOfOpen(): number {
    return this.#open === undefined ? 0 : this.#open.start + fstatSync(this.#open.fd).size;
  }

  #readSegment(at: number, maxBytes: number): Buffer {
    if (this.#open === undefined) return Buffer.alloc(0);
    const available = Math.min(maxBytes, this.#endOfOpen() - at);
    if (available <= 0) return Buffer.alloc(0);
    const data = Buffer.allocUnsafe(available);
    return data.subarray(0, readSync(this.#open.fd, data, 0, available, at - this.#open.start));
  }
}
