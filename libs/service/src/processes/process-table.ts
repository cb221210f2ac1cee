import { readdirSync, readFileSync } from 'node:fs';
import { type ProcessUse, parsePsUse, parseStatUse } from '../domain/process-use.js';

/** Runs a program and returns what it printed. Given by whoever may start programs; only used where there is no /proc. */
export type RunProgram = (command: string, args: readonly string[]) => string;

const PID = /^\d+$/;
const PS = ['-axo', 'pid=,ppid=,stat=,tty=,lstart=,time=,rss='];

/** One reading of the processes of this machine. Costs some ten milliseconds: only for those who ask. */
export interface ProcessReading {
  readonly all: readonly ProcessUse[];
  /** Resident memory; 0 for a process that is gone. */
  rssBytes(pid: number): number;
  /** The session of a program that was started on a terminal of its own. */
  sessionOf(program: { readonly pid: number; readonly tty: string | null }): string;
}

/** @param only these, which costs less where the system can be asked for one; default all */
export function readProcesses(run: RunProgram, only?: readonly number[]): ProcessReading {
  return process.platform === 'linux' ? fromProc(only) : fromPs(run);
}

function fromProc(only: readonly number[] | undefined): ProcessReading {
  const pids = only?.map(String) ?? readdirSync('/proc').filter((name) => PID.test(name));
  return {
    all: pids.flatMap((pid) => useOf(pid) ?? []),
    rssBytes: residentOf,
    sessionOf: ({ pid }) => String(pid),
  };
}

function fromPs(run: RunProgram): ProcessReading {
  const all = run('ps', PS)
    .split('\n')
    .flatMap((line) => parsePsUse(line) ?? []);
  const memory = new Map(all.map(({ pid, rssBytes }) => [pid, rssBytes]));
  return {
    all,
    rssBytes: (pid) => memory.get(pid) ?? 0,
    sessionOf: ({ tty }) => (tty ?? '').replace('/dev/', ''),
  };
}

function useOf(pid: string): ProcessUse | undefined {
  const stat = readProc(`/proc/${pid}/stat`);
  return stat === undefined ? undefined : parseStatUse(stat);
}

function residentOf(pid: number): number {
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(readProc(`/proc/${pid}/status`) ?? '')?.[1];
  return Number(kib ?? 0) * 1024;
}

/** @returns undefined for a process that ended meanwhile, or that belongs to somebody else */
export function readProc(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return undefined;
  }
}
