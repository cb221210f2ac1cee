import { accessSync, constants, copyFileSync, existsSync, openSync, rmSync, statSync, truncateSync } from 'node:fs';
import { devNull } from 'node:os';
import { join } from 'node:path';
import type { Log } from '@switchyard/bus';
import { storageFault } from '@switchyard/store/fault';

/** Days of a busy service; small enough to open in an editor. One older file of this size is kept beside it. */
const ROTATE_BYTES = 8 * 1024 * 1024;

/** Where a process of the yard writes what it says. */
export function logFileOf(logDir: string, name: string): string {
  return join(logDir, `${name}.log`);
}

/** Opens a log for appending, private to us; a full one is first moved to `<name>.log.1`. The caller closes it. */
export function openLog(logDir: string, name: string): number {
  const file = logFileOf(logDir, name);
  try {
    rotateWhenFull(file);
    return openSync(file, 'a', 0o600);
  } catch (error) {
    // A process without a log is better than none: what it says is lost, and `system.health` tells why.
    if (storageFault(error) === undefined) throw error;
    return openSync(existsSync(file) && isWritable(file) ? file : devNull, 'a');
  }
}

function isWritable(file: string): boolean {
  try {
    accessSync(file, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Copies and empties rather than renames: a running process keeps its descriptor, and since it appends, its next line
 * goes to the start of the emptied file.
 */
export function rotateWhenFull(file: string, limit: number = ROTATE_BYTES): void {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size < limit) return;
  try {
    copyFileSync(file, `${file}.1`);
  } catch (error) {
    // What the disk took of it would only be in the way. The file grows on, and moves when there is room.
    rmSync(`${file}.1`, { force: true });
    throw error;
  }
  truncateSync(file, 0);
}

/** As {@link rotateWhenFull} for a process that runs: on a full disk its log grows on. */
export function tryToRotate(file: string, log: Pick<Log, 'warn'>): void {
  try {
    rotateWhenFull(file);
  } catch (error) {
    if (storageFault(error) === undefined) throw error;
    log.warn({ err: error, file }, 'a full log could not be moved aside');
  }
}
