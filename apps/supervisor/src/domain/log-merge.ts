import type { LogEntry } from './log-entry.js';

/** An entry, and where it begins in its file: see `LogMark`. */
export interface PlacedEntry {
  readonly entry: LogEntry;
  readonly start: readonly [bytes: number, olderMs: number];
}

interface Ordered extends PlacedEntry {
  readonly order: number;
}

/** The entries of several files as one, by time. Each file keeps its own order: a line without a time follows the one before. */
export function mergeLogs(files: readonly (readonly PlacedEntry[])[]): PlacedEntry[] {
  return files.flatMap(inOrder).sort((a, b) => a.order - b.order);
}

function inOrder(placed: readonly PlacedEntry[]): Ordered[] {
  let order = 0;
  return placed.map((one) => {
    order = Math.max(order, one.entry.at ?? order);
    return { ...one, order };
  });
}
