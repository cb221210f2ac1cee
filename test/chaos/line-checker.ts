import type { Ledger } from './ledger.js';
import { findLine, LINE_BYTES, lineOf } from './lines.js';

/** Enough of what was found to see what it is. */
const SHOWN_BYTES = 120;

/** What one printer has printed, compared byte by byte with what it must have printed at that offset. */
export class LineChecker {
  readonly #printer: number;
  readonly #ledger: Ledger;
  /** Offset of line 1; moves when bytes are lost or doubled, so that each is counted once. */
  #base: number;
  #next: number;

  /** @param base offset of the first line */
  constructor(printer: number, base: number, ledger: Ledger) {
    this.#printer = printer;
    this.#base = base;
    this.#next = base;
    this.#ledger = ledger;
  }

  /** Offset up to which all has come. */
  get next(): number {
    return this.#next;
  }

  get base(): number {
    return this.#base;
  }

  /** @returns the offset at which a line ends */
  endOf(line: number): number {
    return this.#base + line * LINE_BYTES;
  }

  /** The next piece. One that begins elsewhere than the one before ended is a fault of whoever sends pieces. */
  take(offset: number, data: Buffer): void {
    this.#ledger.did('bytes', data.length);
    if (offset > this.#next) this.#lost(offset - this.#next, `offset ${offset} follows ${this.#next}`);
    if (offset < this.#next) this.#doubled(this.#next - offset, `offset ${offset} follows ${this.#next}`);
    this.#next = offset + data.length;
    this.#compare(offset, data);
  }

  /** A piece read once more, from anywhere. */
  reread(offset: number, data: Buffer): void {
    this.#ledger.did('bytes', data.length);
    if (data.equals(this.#expected(offset, data.length))) return;
    this.#ledger.fault('bytes lost', `${this.#name} read once more at ${offset}: ${show(data)}`, data.length);
  }

  #compare(offset: number, data: Buffer): void {
    for (let at = 0; at < data.length; ) {
      const rest = data.subarray(at);
      const expected = this.#expected(offset + at, rest.length);
      if (rest.equals(expected)) return;
      const wrong = rest.findIndex((byte, i) => byte !== expected[i]);
      const inLine = (offset + at + wrong - this.#base) % LINE_BYTES;
      const from = at + Math.max(0, wrong - inLine);
      const found = findLine(this.#printer, data.subarray(from).toString('latin1'));
      const next = found === undefined ? data.length : from + found.index;
      if (found === undefined || !this.#realign(offset + next, found.number, data.subarray(from, next))) {
        this.#damaged(offset + at + wrong, rest.subarray(wrong, next - at), expected.subarray(wrong));
      }
      at = next;
    }
  }

  /** A whole line stands at another offset than it should: what comes after it is compared from there. */
  #realign(offset: number, line: number, before: Buffer): boolean {
    const base = offset - (line - 1) * LINE_BYTES;
    if (base === this.#base) return false;
    const what = `line ${line} at offset ${offset}, after ${show(before)}`;
    if (base < this.#base) this.#lost(this.#base - base, what);
    else this.#doubled(base - this.#base, what);
    this.#base = base;
    return true;
  }

  #damaged(offset: number, data: Buffer, expected: Buffer): void {
    const wrong = data.reduce((count, byte, i) => count + (byte === expected[i] ? 0 : 1), 0);
    this.#lost(wrong, `damaged from offset ${offset}: ${show(data)}`);
  }

  /** What is between two offsets, whatever the place in a line. */
  #expected(offset: number, length: number): Buffer {
    const from = offset - this.#base;
    const first = Math.floor(from / LINE_BYTES);
    const last = Math.ceil((from + length) / LINE_BYTES);
    const lines = Array.from({ length: last - first }, (_, i) => `${this.#line(first + i + 1)}\r\n`);
    const start = from - first * LINE_BYTES;
    return Buffer.from(lines.join(''), 'latin1').subarray(start, start + length);
  }

  /** Before the first line there is nothing that could be right. */
  #line(n: number): string {
    return n < 1 ? '?'.repeat(LINE_BYTES - 2) : lineOf(this.#printer, n);
  }

  get #name(): string {
    return `printer ${this.#printer}`;
  }

  #lost(bytes: number, what: string): void {
    this.#ledger.fault('bytes lost', `${this.#name}: ${what}`, bytes);
  }

  #doubled(bytes: number, what: string): void {
    this.#ledger.fault('bytes doubled', `${this.#name}: ${what}`, bytes);
  }
}

const show = (data: Buffer) => JSON.stringify(data.subarray(0, SHOWN_BYTES).toString('latin1'));
