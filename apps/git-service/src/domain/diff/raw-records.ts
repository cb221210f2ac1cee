import { fail } from '@switchyard/protocol';

/** One difference as `git diff-index --raw -z` and its kin list it. */
export interface ChangeRecord {
  /** Octal; `000000` where a side has no file. */
  readonly oldMode: string;
  readonly newMode: string;
  /** Object ids; only zeros where a side has no file, and on the new side where it is the worktree. */
  readonly oldId: string;
  readonly newId: string;
  /** Added, Copied, Deleted, Modified, Renamed, Type changed, Unmerged. */
  readonly status: 'A' | 'C' | 'D' | 'M' | 'R' | 'T' | 'U';
  /** Percentage, of a renamed or copied file. */
  readonly similarity: number | null;
  /** From the top of the worktree: any bytes but NUL. */
  readonly path: Buffer;
  /** Where it was, of a renamed or copied file; else null. */
  readonly oldPath: Buffer | null;
}

const COLON = 0x3a;
const HEAD = /^:(\d{6}) (\d{6}) ([0-9a-f]{40,64}) ([0-9a-f]{40,64}) ([ACDMRTU])(\d{0,3})$/;
const EMPTY = Buffer.alloc(0);

/**
 * Reads the records at the beginning of the output, piece by piece, as it comes. Fields end with NUL; where a patch
 * follows, an empty field stands between.
 */
export class RawRecordReader {
  readonly records: ChangeRecord[] = [];
  #rest: Buffer = EMPTY;
  #fields: Buffer[] = [];
  #isComplete = false;

  /** Whether the last record was read, and the patch has begun. */
  get isComplete(): boolean {
    return this.#isComplete;
  }

  /** @returns what belongs to the patch already; null while there may be more records */
  push(chunk: Buffer): Buffer | null {
    const data = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    let from = 0;
    for (let end = data.indexOf(0); end >= 0; end = data.indexOf(0, from)) {
      const field = data.subarray(from, end);
      from = end + 1;
      if (field.length === 0 && this.#fields.length === 0) {
        this.#isComplete = true;
        return data.subarray(from);
      }
      this.#take(field);
    }
    // A copy: the piece may be large, and most of it is done with.
    this.#rest = Buffer.from(data.subarray(from));
    return null;
  }

  /** The output has ended. @throws `git_command_failed` when it ended within a record */
  end(): void {
    if (this.#fields.length > 0 || this.#rest.length > 0) malformed(this.#fields[0] ?? this.#rest);
    this.#isComplete = true;
  }

  #take(field: Buffer): void {
    this.#fields.push(field);
    const [head, first, second] = this.#fields;
    if (head === undefined) return;
    if (head[0] !== COLON) malformed(head);
    const parts = HEAD.exec(head.toString('latin1'));
    if (parts === null) malformed(head);
    const [, oldMode = '', newMode = '', oldId = '', newId = '', status = '', score = ''] = parts;
    const isMoved = status === 'R' || status === 'C';
    if (first === undefined || (isMoved && second === undefined)) return;
    this.#fields = [];
    this.records.push({
      oldMode,
      newMode,
      oldId,
      newId,
      status: status as ChangeRecord['status'],
      similarity: isMoved ? Number(score) : null,
      path: Buffer.from(second ?? first),
      oldPath: isMoved ? Buffer.from(first) : null,
    });
  }
}

/** All records of an output without a patch. */
export function readRawRecords(output: Buffer): ChangeRecord[] {
  const reader = new RawRecordReader();
  reader.push(output);
  reader.end();
  return reader.records;
}

function malformed(field: Buffer): never {
  fail('git_command_failed', 'git lists a difference in a form that is not known.', {
    field: field.toString('utf8'),
  });
}
