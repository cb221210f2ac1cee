import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const LINUX = process.platform === 'linux';
/** Position of the start time after the command name in /proc/PID/stat (field 22; the name is field 2). */
const START_TICKS = 19;

/**
 * When a process started, in a form that only this very process can have: process ids are used again.
 *
 * @returns undefined when there is no such process, or only its zombie
 */
export function startTimeOf(pid: number): string | undefined {
  return LINUX ? linuxStartTime(pid) : psColumn(pid, 'lstart');
}

/** Whether the process that was given this id and start time still runs. */
export function isRunning(pid: number, startTime: string): boolean {
  return startTimeOf(pid) === startTime;
}

/** Resident memory in bytes; 0 for a process that is gone. */
export function residentBytes(pid: number): number {
  if (!LINUX) return Number(psColumn(pid, 'rss') ?? 0) * 1024;
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(readProc(`/proc/${pid}/status`) ?? '')?.[1];
  return Number(kib ?? 0) * 1024;
}

function linuxStartTime(pid: number): string | undefined {
  const stat = readProc(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  // The command name may hold spaces and parentheses, so fields are counted from its last ")".
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
  return `${bootId()}:${fields[START_TICKS]}`;
}

let boot: string | undefined;
function bootId(): string {
  boot ??= (readProc('/proc/sys/kernel/random/boot_id') ?? '').trim();
  return boot;
}

/** @returns undefined when the process ended before or while it was looked at */
function readProc(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ESRCH') return undefined;
    throw error;
  }
}

function psColumn(pid: number, column: string): string | undefined {
  try {
    const text = execFileSync('ps', ['-o', `${column}=,stat=`, '-p', String(pid)], { encoding: 'utf8' }).trim();
    const [, value, stat] = /^(.*\S)\s+(\S+)$/.exec(text) ?? [];
    return stat?.startsWith('Z') ? undefined : value;
  } catch {
    return undefined; // ps answers with status 1 when there is no such process
  }
}
