import { isUtf8 } from 'node:buffer';
import { fail } from '@switchyard/protocol';
import { type DiffHunk, type DiffLine, LINE_OVERHEAD_BYTES } from './changed-file.js';

/** The patch of one file. A change of type is two of them: the file goes, and the other one comes. */
export interface PatchSection {
  /** Its first line, as latin1: see patch-headers.ts. */
  readonly header: string;
  /** Contents differ, and git does not show how: it takes one of them for binary, or it is over `core.bigFileThreshold`. */
  readonly isBinary: boolean;
  /** Its hunks take more than the limit and are left out. */
  readonly isTooLarge: boolean;
  readonly isUtf8: boolean;
  readonly additions: number;
  readonly deletions: number;
  readonly hunks: DiffHunk[];
}

const NEWLINE = 0x0a;
const SPACE = 0x20;
const PLUS = 0x2b;
const MINUS = 0x2d;
const BACKSLASH = 0x5c;
const HUNK = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)$/s;
const BEGINNINGS = ['diff --git ', '* Unmerged path '];

/** Reads a patch in git's format, piece by piece, as it comes. Memory stays within a few times the limit of one file. */
export class PatchReader {
  readonly #limitBytes: number;
  #partial: Buffer[] = [];
  #partialBytes = 0;
  #isLineTooLong = false;
  #section: OpenSection | undefined;

  /** @param limitBytes what the hunks of one file may take */
  constructor(limitBytes: number) {
    this.#limitBytes = limitBytes;
  }

  /** @returns the sections that were completed by this piece */
  push(chunk: Buffer): PatchSection[] {
    const done: PatchSection[] = [];
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      this.#keep(chunk.subarray(from, end));
      from = end + 1;
      this.#take(this.#wholeLine(), done);
    }
    this.#keep(Buffer.from(chunk.subarray(from)));
    return done;
  }

  /** The patch has ended. @returns the last section, if there was one */
  end(): PatchSection[] {
    const last = this.#section?.close();
    this.#section = undefined;
    return last === undefined ? [] : [last];
  }

  #keep(bytes: Buffer): void {
    const isTooLong = this.#partialBytes + bytes.length > this.#limitBytes + 1;
    if (isTooLong) this.#isLineTooLong = true;
    // Of a line that is too long the first byte says what it is; the rest is more than will be shown.
    const kept = isTooLong ? bytes.subarray(0, this.#partialBytes === 0 ? 1 : 0) : bytes;
    if (kept.length === 0) return;
    this.#partial.push(kept);
    this.#partialBytes += kept.length;
  }

  #wholeLine(): Buffer {
    const line = this.#partial.length === 1 ? this.#partial[0] : undefined;
    const whole = line ?? Buffer.concat(this.#partial);
    this.#partial = [];
    this.#partialBytes = 0;
    return whole;
  }

  #take(line: Buffer, done: PatchSection[]): void {
    if (this.#isLineTooLong) {
      this.#isLineTooLong = false;
      this.#section?.giveUp();
    }
    if (this.#section?.takes(line)) return;
    const text = line.toString('latin1');
    if (BEGINNINGS.some((beginning) => text.startsWith(beginning))) {
      done.push(...this.end());
      this.#section = new OpenSection(text, this.#limitBytes);
    } else if (this.#section === undefined) {
      malformed(line);
    } else {
      this.#section.describe(text, line);
    }
  }
}

class OpenSection {
  readonly #header: string;
  readonly #limitBytes: number;
  readonly #hunks: DiffHunk[] = [];
  #last: DiffLine | undefined;
  #oldLeft = 0;
  #newLeft = 0;
  #additions = 0;
  #deletions = 0;
  #cost = 0;
  #isBinary = false;
  #isTooLarge = false;
  #isUtf8 = true;

  constructor(header: string, limitBytes: number) {
    this.#header = header;
    this.#limitBytes = limitBytes;
  }

  /** Whether a line is one of the hunk that is open, or the remark on the last line of one. */
  takes(line: Buffer): boolean {
    if (line[0] === BACKSLASH) {
      if (this.#last !== undefined) this.#last.no_newline = true;
      return true;
    }
    if (this.#oldLeft === 0 && this.#newLeft === 0) return false;
    switch (line[0]) {
      case PLUS:
        this.#newLeft--;
        this.#additions++;
        this.#add('added', line);
        return true;
      case MINUS:
        this.#oldLeft--;
        this.#deletions++;
        this.#add('removed', line);
        return true;
      case SPACE:
        this.#oldLeft--;
        this.#newLeft--;
        this.#add('context', line);
        return true;
      default:
        return malformed(line);
    }
  }

  /** A line between hunks, or before the first. */
  describe(text: string, line: Buffer): void {
    if (text.startsWith('Binary files ')) this.#isBinary = true;
    if (!text.startsWith('@@ ')) return;
    const parts = HUNK.exec(line.toString('utf8'));
    if (parts === null) malformed(line);
    const [, oldStart, oldLines = '1', newStart, newLines = '1', heading = ''] = parts;
    this.#oldLeft = Number(oldLines);
    this.#newLeft = Number(newLines);
    this.#hunks.push({
      old_start: Number(oldStart),
      old_lines: this.#oldLeft,
      new_start: Number(newStart),
      new_lines: this.#newLeft,
      heading,
      lines: [],
    });
  }

  /** Its hunks will not be shown; they are only read to their end. */
  giveUp(): void {
    this.#isTooLarge = true;
    this.#hunks.length = 0;
    this.#last = undefined;
    this.#cost = 0;
  }

  close(): PatchSection {
    if (this.#oldLeft > 0 || this.#newLeft > 0) malformed(Buffer.from(this.#header, 'latin1'));
    return {
      header: this.#header,
      isBinary: this.#isBinary,
      isTooLarge: this.#isTooLarge,
      isUtf8: this.#isUtf8,
      additions: this.#additions,
      deletions: this.#deletions,
      hunks: this.#isTooLarge ? [] : this.#hunks,
    };
  }

  #add(kind: DiffLine['kind'], line: Buffer): void {
    if (this.#isTooLarge) return;
    this.#cost += line.length + LINE_OVERHEAD_BYTES;
    if (this.#cost > this.#limitBytes) {
      this.giveUp();
      return;
    }
    if (!isUtf8(line)) this.#isUtf8 = false;
    this.#last = { kind, text: line.toString('utf8', 1) };
    this.#hunks.at(-1)?.lines.push(this.#last);
  }
}

function malformed(line: Buffer): never {
  fail('git_command_failed', 'git prints a patch in a form that is not known.', {
    line: line.toString('utf8', 0, 200),
  });
}
