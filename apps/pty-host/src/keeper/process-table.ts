import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { type ProcessInfo, parsePsLine, parseStat } from './domain/process-info.js';

/** Closing many terminals at once shares one reading of the table: it costs milliseconds, all of them on this loop. */
const FRESH_MS = 20;
const PS_COLUMNS = ['-o', 'pid=,stat=,tty=,lstart=,comm='];
const PID = /^\d+$/;

/** What processes there are: /proc on Linux, ps(1) elsewhere. */
export class ProcessTable {
  #read: { readonly at: number; readonly until: number; readonly all: readonly ProcessInfo[] } | undefined;

  /**
   * All processes, as they were at most 20 ms ago.
   * @param since `performance.now()` of a moment that must be in it
   */
  all(since = 0): readonly ProcessInfo[] {
    const now = performance.now();
    if (this.#read === undefined || this.#read.at < since || now - this.#read.until > FRESH_MS) {
      const all = process.platform === 'linux' ? fromProc() : fromPs(['-ax', ...PS_COLUMNS]);
      this.#read = { at: now, until: performance.now(), all };
    }
    return this.#read.all;
  }

  /** One process right now; undefined when there is none of that pid. */
  find(pid: number): ProcessInfo | undefined {
    return process.platform === 'linux' ? statOf(String(pid)) : fromPs(['-p', String(pid), ...PS_COLUMNS])[0];
  }

  /** The key that processes of this program's session share. */
  sessionOf(program: { readonly pid: number; readonly tty: string }): string {
    return process.platform === 'linux' ? String(program.pid) : program.tty.replace('/dev/', '');
  }

  /** Whether the process was started with `name=value` in its environment. Only Linux tells. */
  hasEnvironment(pid: number, entry: string): boolean {
    if (process.platform !== 'linux') return false;
    try {
      return `\0${readFileSync(`/proc/${pid}/environ`, 'latin1')}\0`.includes(`\0${entry}\0`);
    } catch {
      // Gone meanwhile, or another user's: not ours either way.
      return false;
    }
  }
}

function fromProc(): ProcessInfo[] {
  return readdirSync('/proc').flatMap((name) => (PID.test(name) ? (statOf(name) ?? []) : []));
}

function statOf(pid: string): ProcessInfo | undefined {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    // Ended between the listing and the reading.
    return undefined;
  }
}

function fromPs(args: readonly string[]): ProcessInfo[] {
  // Its status only says whether it found any.
  const ps = spawnSync('ps', args, { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C' } });
  return (ps.stdout ?? '').split('\n').flatMap((line) => parsePsLine(line) ?? []);
}
