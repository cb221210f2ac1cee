import { closeSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';
import type { ProcessFacts, ProcessSource } from './process-source.js';

const PID = /^\d+$/;
/** What is looked at of a command line; a glob can be a megabyte. */
const MAX_ARGV_BYTES = 64 * 1024;
const MAX_WORDS = 256;
/** Fields of /proc/PID/stat after the command name, counted from the state (proc(5) numbers it 3). */
const FIELD = { state: 0, parent: 1, group: 2, session: 3, foreground: 5, start: 19 } as const;

export interface ProcProcess extends ProcessFacts {
  readonly session: number;
}

/** @param stat text of /proc/PID/stat; the name in it may hold blanks and parentheses. A zombie is no process any more */
export function parseStat(stat: string): ProcProcess | undefined {
  const [open, close] = [stat.indexOf('('), stat.lastIndexOf(')')];
  const fields = stat.slice(close + 2).split(' ');
  if (open < 0 || close < open || fields.length <= FIELD.start) return undefined;
  if (fields[FIELD.state] === 'Z' || fields[FIELD.state] === 'X') return undefined;
  const number = (field: number) => Number(fields[field]);
  return {
    pid: Number.parseInt(stat, 10),
    parent: number(FIELD.parent),
    group: number(FIELD.group),
    session: number(FIELD.session),
    foreground: number(FIELD.foreground),
    start: number(FIELD.start),
    comm: stat.slice(open + 1, close),
  };
}

/** /proc of Linux. A process that ends while it is looked at is as good as none. */
export const procSource = {
  find,
  all,
  argv: (pid: number) => {
    const text = readStart(`/proc/${pid}/cmdline`, MAX_ARGV_BYTES) ?? '';
    return text === '' ? [] : text.replace(/\0$/, '').split('\0', MAX_WORDS);
  },
  variable: (pid: number, name: string) => {
    const environment = `\0${readWhole(`/proc/${pid}/environ`) ?? ''}`;
    const at = environment.indexOf(`\0${name}=`);
    if (at < 0) return null;
    const start = at + name.length + 2;
    const end = environment.indexOf('\0', start);
    return environment.slice(start, end < 0 ? undefined : end);
  },
  children: (pid: number) => {
    const pids = readWhole(`/proc/${pid}/task/${pid}/children`);
    if (pids === undefined) return all().filter(({ parent }) => parent === pid);
    return pids.split(' ').flatMap((child) => (PID.test(child) ? (find(Number(child)) ?? []) : []));
  },
  group: (group: number) => all().filter((facts) => facts.group === group),
} satisfies ProcessSource & Record<'all', () => ProcProcess[]>;

function find(pid: number): ProcProcess | undefined {
  const stat = readWhole(`/proc/${pid}/stat`);
  return stat === undefined ? undefined : parseStat(stat);
}

function all(): ProcProcess[] {
  return readdirSync('/proc').flatMap((name) => (PID.test(name) ? (find(Number(name)) ?? []) : []));
}

function readWhole(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // It has ended, or is another user's by now: nothing is known of it either way.
    return undefined;
  }
}

function readStart(path: string, bytes: number): string | undefined {
  let fd: number;
  try {
    fd = openSync(path, 'r');
  } catch {
    return undefined; // as above
  }
  try {
    const start = Buffer.allocUnsafe(bytes);
    return start.toString('utf8', 0, readSync(fd, start));
  } catch {
    return undefined; // it ended in between
  } finally {
    closeSync(fd);
  }
}
