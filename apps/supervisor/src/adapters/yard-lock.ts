import { linkSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { readJson } from './json-file.js';
import { isRunning, startTimeOf } from './process-info.js';

/** How often a lock that another taker removed under our hands is tried again. */
const ATTEMPTS = 5;

interface Holder {
  readonly pid: number;
  readonly start_time: string;
}

/** Another supervisor runs this yard. */
export class YardRunningError extends Error {
  readonly pid: number;
  constructor(pid: number) {
    super(`this yard is already running (supervisor pid ${pid})`);
    this.name = 'YardRunningError';
    this.pid = pid;
  }
}

/**
 * Makes this process the only supervisor of a yard. A lock whose holder is gone (its process id together with its
 * start time tells) is taken over.
 *
 * @param resuming an earlier program of this process held it
 * @returns gives the lock back
 * @throws YardRunningError when the holder lives
 */
export function takeYardLock(file: string, resuming = false): () => void {
  // The program that was replaced by this one took it, for this very process.
  if (resuming && yardHolder(file) === process.pid) return () => rmSync(file, { force: true });
  const own = `${file}.${process.pid}`;
  const me: Holder = { pid: process.pid, start_time: startTimeOf(process.pid) ?? '' };
  writeFileSync(own, JSON.stringify(me), { mode: 0o600 });
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      if (linked(own, file)) return () => rmSync(file, { force: true });
      const holder = yardHolder(file);
      if (holder !== undefined) throw new YardRunningError(holder);
      setAside(file);
    }
    throw new Error(`cannot take ${file}: other processes keep taking it`);
  } finally {
    rmSync(own, { force: true });
  }
}

/** The process id of the living supervisor that holds the lock, if there is one. */
export function yardHolder(file: string): number | undefined {
  const holder = readJson(file) as Partial<Holder> | undefined;
  if (holder?.pid === undefined || holder.start_time === undefined) return undefined;
  return isRunning(holder.pid, holder.start_time) ? holder.pid : undefined;
}

/** A hard link appears with its whole content or not at all, and never replaces another. */
function linked(own: string, file: string): boolean {
  try {
    linkSync(own, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function setAside(file: string): void {
  const aside = `${file}.stale.${process.pid}`;
  try {
    renameSync(file, aside);
    // Between reading and renaming another taker may have put its own, living lock there: give that one back.
    if (yardHolder(aside) !== undefined) linked(aside, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}
