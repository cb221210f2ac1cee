import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { signalProcess } from '@switchyard/service/signal';
import { OPERATION_VARIABLE } from '../domain/operation.js';

/** They are no children of ours, so nobody tells when they end. */
const LOOK_AGAIN_MS = 50;
/** After the name. */
const START = 19;
const PID = /^\d+$/;
/** Servers that git starts and leaves behind; they change nothing. */
const DAEMON = /\0(fsmonitor--daemon|credential-cache--daemon)\0/;

/** With its start the pid is the name of the process for ever. */
export interface Orphan {
  readonly pid: number;
  readonly start: string;
}

/**
 * The git processes of an operation whose service died, and what they run. A git that is left alone goes on to its end.
 * Only Linux tells; elsewhere there seem to be none.
 */
export async function orphansOf(operation: string): Promise<Orphan[]> {
  if (process.platform !== 'linux') return [];
  const mark = `\0${OPERATION_VARIABLE}=${operation}\0`;
  const found: (Orphan & { readonly session: number; readonly leads: boolean })[] = [];
  for (const name of await readdir('/proc')) {
    if (!PID.test(name) || !`\0${await readProc(name, 'environ')}`.includes(mark)) continue;
    const stat = readStat(await readProc(name, 'stat'));
    if (stat === undefined) continue;
    const pid = Number(name);
    const daemon = DAEMON.test(await readProc(name, 'cmdline'));
    found.push({
      pid,
      start: stat.start,
      session: stat.session,
      leads: pid === stat.session && stat.program === 'git' && !daemon,
    });
  }
  // What hooks start as servers leads a session of its own, and is nothing to wait for.
  const sessions = new Set(found.filter(({ leads }) => leads).map(({ session }) => session));
  return found.filter(({ session }) => sessions.has(session)).map(({ pid, start }) => ({ pid, start }));
}

/**
 * Waits until an operation has no process any more, or `settled` says that those left do not matter. After `patienceMs`
 * they are told to end, and after `graceMs` more they are killed.
 */
export async function outliveOrphans(
  operation: string,
  options: { settled: () => Promise<boolean>; patienceMs: number; graceMs: number; signal: AbortSignal },
): Promise<void> {
  const begun = performance.now();
  let sent: NodeJS.Signals | undefined;
  for (;;) {
    const orphans = await orphansOf(operation);
    if (orphans.length === 0 || (sent === undefined && (await options.settled()))) return;
    const waited = performance.now() - begun;
    const due = signalDue(waited, options);
    if (due !== sent && due !== undefined) {
      for (const { pid, start } of orphans) signalProcess({ pid, isSame: () => startOf(pid) === start }, due);
      sent = due;
    }
    await delay(LOOK_AGAIN_MS, undefined, { signal: options.signal });
  }
}

function signalDue(waitedMs: number, { patienceMs, graceMs }: { patienceMs: number; graceMs: number }) {
  if (waitedMs < patienceMs) return undefined;
  return waitedMs < patienceMs + graceMs ? 'SIGTERM' : 'SIGKILL';
}

/**
 * When a process started, as only this one has it. Linux only; elsewhere, and of one that is gone, undefined.
 */
export function startOf(pid: number): string | undefined {
  try {
    return readStat(readFileSync(`/proc/${pid}/stat`, 'latin1'))?.start;
  } catch {
    return undefined;
  }
}

/** `pid (program) state ppid pgrp session …`; the name may hold blanks and parentheses. */
function readStat(text: string): { program: string; session: number; start: string } | undefined {
  const end = text.lastIndexOf(')');
  const fields = text.slice(end + 2).split(' ');
  const [state, , , session] = fields;
  const start = fields[START];
  if (end === -1 || session === undefined || start === undefined || state === 'Z') return undefined;
  return { program: text.slice(text.indexOf('(') + 1, end), session: Number(session), start };
}

async function readProc(pid: string, file: 'environ' | 'stat' | 'cmdline'): Promise<string> {
  try {
    return await readFile(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    // Ended between the listing and the reading, or another user's: not ours either way.
    return '';
  }
}
