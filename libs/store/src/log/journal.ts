import { appendFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FILE_MODE, isSystemError, JOURNAL_FILE, readIfThere } from './folder.js';
import type { JournalEntry } from './types.js';

/** Rewritten when longer: a window that is dragged writes hundreds, and only sizes of held output matter. */
const COMPACT_ENTRIES = 2048;

/** Sizes and starts with their offsets, so that a replay parses each byte at the size it was written for. */
export class JournalWriter {
  readonly #path: string;
  #entries: JournalEntry[];
  #unwritten: JournalEntry[] = [];
  #compactAt: number;

  constructor(folder: string) {
    this.#path = join(folder, JOURNAL_FILE);
    this.#entries = parseJournal(readIfThere(this.#path) ?? '');
    this.#compactAt = Math.max(COMPACT_ENTRIES, 2 * this.#entries.length);
  }

  /** @param heldFrom offset of the oldest byte in the log */
  add(entry: JournalEntry, heldFrom: number): void {
    // While the disk is full no output is written, so the offset stands still and the newest size says it all.
    const last = this.#unwritten.at(-1);
    if (last?.kind === entry.kind && last.offset === entry.offset) this.#unwritten.pop();
    this.#unwritten.push(entry);
    try {
      this.flush();
      if (this.#entries.length > this.#compactAt) this.#compact(heldFrom);
    } catch (error) {
      // Not lost: kept in #unwritten, and no output is written before it (LogWriter.append flushes first).
      if (!isSystemError(error)) throw error;
    }
  }

  get unwritten(): boolean {
    return this.#unwritten.length > 0;
  }

  /** @throws when the disk does not take it */
  flush(): void {
    if (this.#unwritten.length === 0) return;
    // The leading newline ends a line that a crash or a full disk has cut short.
    const lines = this.#unwritten.map((entry) => `\n${JSON.stringify(entry)}`).join('');
    appendFileSync(this.#path, `${lines}\n`, { mode: FILE_MODE });
    this.#entries.push(...this.#unwritten);
    this.#unwritten = [];
  }

  #compact(heldFrom: number): void {
    const kept = this.#entries.filter((entry, index) => {
      const next = this.#entries[index + 1];
      return next === undefined || (next.offset > entry.offset && next.offset > heldFrom);
    });
    const draft = `${this.#path}.tmp`;
    writeFileSync(draft, kept.map((entry) => `${JSON.stringify(entry)}\n`).join(''), { mode: FILE_MODE });
    renameSync(draft, this.#path);
    this.#entries = kept;
    this.#compactAt = Math.max(COMPACT_ENTRIES, 2 * kept.length);
  }
}

/**
 * @param text of a journal file; blank lines and a line cut short by a crash are passed over
 * @returns entries in the order written, offsets not falling
 */
export function parseJournal(text: string): JournalEntry[] {
  const entries: JournalEntry[] = [];
  for (const line of text.split('\n')) {
    const entry = parseEntry(line);
    if (entry !== undefined) entries.push(entry);
  }
  return entries;
}

function parseEntry(line: string): JournalEntry | undefined {
  if (!line.endsWith('}')) return undefined;
  try {
    return JSON.parse(line) as JournalEntry;
  } catch {
    return undefined;
  }
}
