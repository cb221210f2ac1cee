import { copyFileSync, openSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';

/** Days of a busy service; small enough to open in an editor. One older file of this size is kept beside it. */
const ROTATE_BYTES = 8 * 1024 * 1024;

/** Where a process of the yard writes what it says. */
export function logFileOf(logDir: string, name: string): string {
  return join(logDir, `${name}.log`);
}

/** Opens a log for appending, private to us; a full one is first moved to `<name>.log.1`. The caller closes it. */
export function openLog(logDir: string, name: string): number {
  const file = logFileOf(logDir, name);
  rotateWhenFull(file);
  return openSync(file, 'a', 0o600);
}

/**
 * Copies and empties rather than renames: a running process keeps its descriptor, and since it appends, its next line
 * goes to the start of the emptied file.
 */
export function rotateWhenFull(file: string, limit: number = ROTATE_BYTES): void {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size < limit) return;
  copyFileSync(file, `${file}.1`);
  truncateSync(file, 0);
}
