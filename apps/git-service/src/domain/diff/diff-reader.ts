import { fail } from '@switchyard/protocol';
import { patchHeader } from './patch-headers.js';
import { PatchReader, type PatchSection } from './patch-reader.js';
import { type ChangeRecord, RawRecordReader } from './raw-records.js';

/** A record with its patch. */
export interface PatchedRecord {
  /** Place among the records. */
  readonly index: number;
  readonly record: ChangeRecord;
  /**
   * None: git found the contents alike after all, only the times of the file had changed. Two: a change of type, where
   * one file goes and another comes.
   */
  readonly sections: readonly PatchSection[];
}

/**
 * Reads the output of `git diff-index --raw -p -z` and its kin, piece by piece, as it comes: first all records, then the
 * patch of each in the same order.
 */
export class DiffReader {
  readonly #raw = new RawRecordReader();
  readonly #patch: PatchReader;
  #current: { index: number; sections: PatchSection[] } | undefined;
  #next = 0;

  /** @param fileLimitBytes what the hunks of one file may take */
  constructor(fileLimitBytes: number) {
    this.#patch = new PatchReader(fileLimitBytes);
  }

  get records(): readonly ChangeRecord[] {
    return this.#raw.records;
  }

  /** Whether {@link records} are all there are. */
  get isListed(): boolean {
    return this.#raw.isComplete;
  }

  /** @returns the records whose patch was completed by this piece, in their order */
  push(chunk: Buffer): PatchedRecord[] {
    const patch = this.#raw.isComplete ? chunk : this.#raw.push(chunk);
    return patch === null ? [] : this.#sort(this.#patch.push(patch));
  }

  /** The output has ended. @returns the rest of the records */
  end(): PatchedRecord[] {
    if (!this.#raw.isComplete) this.#raw.end();
    const done = this.#sort(this.#patch.end());
    this.#finishCurrent(done);
    while (this.#next < this.records.length) done.push(this.#without());
    return done;
  }

  #sort(sections: readonly PatchSection[]): PatchedRecord[] {
    const done: PatchedRecord[] = [];
    for (const section of sections) {
      if (this.#isSecondHalf(section)) {
        this.#current?.sections.push(section);
        continue;
      }
      this.#finishCurrent(done);
      while (!this.#isOf(section, this.#next)) done.push(this.#without());
      this.#current = { index: this.#next++, sections: [section] };
    }
    return done;
  }

  #isSecondHalf(section: PatchSection): boolean {
    if (this.#current === undefined || this.#current.sections.length > 1) return false;
    const { index } = this.#current;
    return this.records[index]?.status === 'T' && this.#isOf(section, index);
  }

  #isOf(section: PatchSection, index: number): boolean {
    const record = this.records[index];
    if (record === undefined) {
      fail('git_command_failed', 'git prints a patch of a file that it does not list.', { header: section.header });
    }
    return patchHeader(record) === section.header;
  }

  #finishCurrent(done: PatchedRecord[]): void {
    if (this.#current === undefined) return;
    done.push(this.#patched(this.#current.index, this.#current.sections));
    this.#current = undefined;
  }

  #without(): PatchedRecord {
    return this.#patched(this.#next++, []);
  }

  #patched(index: number, sections: readonly PatchSection[]): PatchedRecord {
    const record = this.records[index];
    if (record === undefined) throw new RangeError(`no record ${index}`);
    return { index, record, sections };
  }
}
