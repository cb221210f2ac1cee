import { readdirSync } from 'node:fs';
import { readProc } from './process-table.js';

/** Open descriptors of a process of ours; null where the system does not tell (macOS), or it has ended. */
export function openDescriptors(pid: number): number | null {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return null;
  }
}

/** How many it may have; null: no limit, or not known. */
export function descriptorLimit(pid: number): number | null {
  const limit = /^Max open files\s+(\d+)/m.exec(readProc(`/proc/${pid}/limits`) ?? '')?.[1];
  return limit === undefined ? null : Number(limit);
}

/** Whether a process is stopped by a signal (SIGSTOP, a debugger) and so does nothing; null where the system does not tell. */
export function isSuspended(pid: number): boolean | null {
  const stat = readProc(`/proc/${pid}/stat`);
  if (stat === undefined) return null;
  // The command name may hold anything; the state is what follows its last ")".
  return /^[Tt]$/.test(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[0] ?? '');
}

/** Bytes that a process has read and written in its life, from files and sockets alike; null where nobody counts. */
export function bytesMoved(pid: number): { readonly read: number; readonly written: number } | null {
  const [, read, written] = /^rchar: (\d+)\nwchar: (\d+)$/m.exec(readProc(`/proc/${pid}/io`) ?? '') ?? [];
  return read === undefined ? null : { read: Number(read), written: Number(written) };
}

/** Pseudo-terminals that are open on this machine, and how many there may be; null where the system does not tell. */
export function pseudoTerminals(): { readonly open: number; readonly limit: number } | null {
  const [open, limit] = ['nr', 'max'].map((name) => Number(readProc(`/proc/sys/kernel/pty/${name}`) ?? 'x'));
  return Number.isInteger(open) && Number.isInteger(limit) ? { open: open ?? 0, limit: limit ?? 0 } : null;
}
