import { type ChangedFile, costOf } from '../domain/diff/changed-file.js';
import type { PatchedRecord } from '../domain/diff/diff-reader.js';
import type { ChangeRecord } from '../domain/diff/raw-records.js';
import { trackedFile } from '../domain/diff/tracked-file.js';
import { type Comparison, sizesOf } from './comparison.js';
import { FILE_LIMIT_BYTES } from './git-diff.js';
import type { Listing } from './listing.js';
import type { ChangesLimits } from './question.js';
import { readUntracked } from './untracked.js';

/** Untracked files read at once. What does not fit on the page has been read in vain, and is a file each at most. */
const READS_AT_ONCE = 8;
const ONLY_ZEROS = /^0+$/;

/** Files of one page, as many as the limits allow. */
export class Page {
  /** Place of its first file among all records, and behind them all untracked files. */
  readonly start: number;
  readonly files: ChangedFile[] = [];
  /** Places of the records that were read for it, also of those that turned out to be nothing to tell. */
  readonly read: number[] = [];
  readonly #limits: ChangesLimits;
  readonly #binary: { readonly file: ChangedFile; readonly index: number }[] = [];
  #bytes = 0;
  #next: number | null = null;

  constructor(start: number, limits: ChangesLimits) {
    this.start = start;
    this.#limits = limits;
  }

  /** Place of the first file that did not fit; null: all did. */
  get next(): number | null {
    return this.#next;
  }

  /**
   * @param records those that git lists; it may have left some out
   * @param leftOut how many
   * @returns whether there is room for more
   */
  add(patched: PatchedRecord, records: readonly ChangeRecord[], leftOut: number): boolean {
    const index = leftOut + patched.index;
    if (index < this.start) return true;
    const file = trackedFile(patched, records[patched.index - 1], records[patched.index + 1]);
    if (file !== null && !this.#take(file, index)) return false;
    if (file?.kind === 'binary') this.#binary.push({ file, index });
    this.read.push(index);
    return true;
  }

  /** Tells files that are too large from binary ones: git calls both binary, and has the sizes. */
  async measure({ top, isOfFiles }: Comparison, { records, marks }: Listing, signal: AbortSignal): Promise<void> {
    const binary = this.#binary.flatMap(({ file, index }) => {
      const record = records[index];
      return record === undefined ? [] : [{ file, record, mark: marks[index] }];
    });
    const ids = binary.flatMap(({ record }) => [record.oldId, record.newId]).filter((id) => !ONLY_ZEROS.test(id));
    const sizes = await sizesOf(top, ids, signal);
    for (const { file, record, mark } of binary) {
      const size = Math.max(
        sizes.get(record.oldId) ?? 0,
        sizes.get(record.newId) ?? 0,
        isOfFiles ? (mark?.size ?? 0) : 0,
      );
      if (size > FILE_LIMIT_BYTES) file.kind = 'too_large';
    }
  }

  /** Adds what git does not know. @returns false when one of the files is not as it was seen */
  async addUntracked(top: string, { records, untracked, untrackedMarks }: Listing): Promise<boolean> {
    let at = Math.max(0, this.start - records.length);
    while (this.#next === null && at < untracked.paths.length) {
      const paths = untracked.paths.slice(at, at + READS_AT_ONCE);
      const marks = untrackedMarks.slice(at, at + READS_AT_ONCE);
      const read = await Promise.all(paths.map((path, i) => readUntracked(top, path, marks[i]?.mark ?? '')));
      for (const file of read) {
        if (file === null) return false;
        if (!this.#take(file, records.length + at++)) break;
      }
    }
    return true;
  }

  #take(file: ChangedFile, index: number): boolean {
    const bytes = this.#bytes + costOf(file);
    const isFull = this.files.length >= this.#limits.files || bytes > this.#limits.bytes;
    if (isFull && this.files.length > 0) {
      this.#next = index;
      return false;
    }
    this.#bytes = bytes;
    this.files.push(file);
    return true;
  }
}
