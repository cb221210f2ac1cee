import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** Kernel clock ticks a second: 100 on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;
const PAGE_BYTES = 4096;

/** What /proc says about a process. */
export interface ProcessFacts {
  readonly pid: number;
  readonly parent: number;
  /** One letter, `Z` for a zombie. */
  readonly state: string;
  /** Distinguishes a process from a later one with the same pid. */
  readonly startTicks: number;
  /** User and system time so far. */
  readonly cpuMs: number;
  readonly rssBytes: number;
}

/** @returns undefined when there is no such process */
export function processFacts(pid: number): ProcessFacts | undefined {
  const stat = readProc(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  // The name in parentheses may hold anything; the numbers start after the last one.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const number = (index: number) => Number(fields[index - 3]);
  return {
    pid,
    parent: number(4),
    state: fields[0] ?? '?',
    startTicks: number(22),
    cpuMs: ((number(14) + number(15)) * 1000) / TICKS_PER_SECOND,
    rssBytes: number(24) * PAGE_BYTES,
  };
}

export function isAlive(pid: number): boolean {
  const facts = processFacts(pid);
  return facts !== undefined && facts.state !== 'Z';
}

/** Living processes of this user whose environment mentions the text, e.g. the folder of a yard. */
export function processesMentioning(text: string): { pid: number; command: string }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map(Number)
    .filter((pid) => isAlive(pid) && (readProc(`/proc/${pid}/environ`)?.includes(text) ?? false))
    .map((pid) => ({ pid, command: (readProc(`/proc/${pid}/cmdline`) ?? '').replaceAll('\0', ' ').trim() }));
}

/** Open descriptors of a process, as the things they point to. */
export function descriptorsOf(pid: number | 'self'): string[] {
  return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/${pid}/fd/${fd}`)];
    } catch {
      // Closed between the listing and the look.
      return [];
    }
  });
}

/** Unix sockets of the machine whose path begins with a folder. */
export function socketsUnder(folder: string): string[] {
  const table = readProc('/proc/net/unix') ?? '';
  return table.split('\n').flatMap((line) => {
    const path = line.split(' ').at(-1) ?? '';
    return path.startsWith(folder) ? [path] : [];
  });
}

/** undefined when the process is gone or not ours. */
function readProc(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
