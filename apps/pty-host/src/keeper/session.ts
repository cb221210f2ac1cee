import { setTimeout as delay } from 'node:timers/promises';
import { signalProcess } from '@switchyard/service/signal';
import type { ProcessInfo } from './domain/process-info.js';
import type { ProcessTable } from './process-table.js';

export interface Graces {
  /** From HUP to TERM, and from TERM to KILL, in milliseconds. */
  readonly hangupGraceMs: number;
  readonly termGraceMs: number;
}

/** After KILL only a process stuck in the kernel remains; nobody should wait for its disk. */
const KILL_WAIT_MS = 2000;
/** How often a closing session is looked at: soon at first, since most end at once. Nothing is polled otherwise. */
const LOOK_FIRST_MS = 5;
const LOOK_LAST_MS = 100;
/** Set in every terminal's environment; finds processes that have left the session. */
export const SURFACE_VARIABLE = 'SWITCHYARD_SURFACE_ID';

/** All processes of one terminal's program: who belongs to it, and how it is ended. */
export class Session {
  readonly #table: ProcessTable;
  readonly #key: string;
  readonly #marker: string;
  readonly #leader: ProcessInfo | undefined;
  readonly #since = performance.now();
  /** Seen as members: pid → start. */
  #known: Map<number, string>;

  /**
   * To be made right after the start, while the pid can be nobody else's; or after a handoff, when it has not been
   * waited for yet.
   * @param known members so far
   */
  constructor(
    table: ProcessTable,
    program: { readonly pid: number; readonly tty: string },
    surfaceId: string,
    known: readonly (readonly [number, string])[] = [],
  ) {
    this.#table = table;
    this.#key = table.sessionOf(program);
    this.#marker = `${SURFACE_VARIABLE}=${surfaceId}`;
    this.#known = new Map(known);
    this.#leader = table.find(program.pid);
    if (this.#leader !== undefined) this.#known.set(this.#leader.pid, this.#leader.start);
  }

  /** pid and start of those seen as members. */
  get known(): (readonly [number, string])[] {
    return [...this.#known];
  }

  /** Living processes of the session. */
  members(): ProcessInfo[] {
    const inSession = this.#table.all(this.#since).filter((info) => info.session === this.#key && !info.zombie);
    // A session id is not given out again while one of its processes lives. With none known, the number may be a
    // stranger's by now: then only the environment proves that a process is ours.
    const proven = inSession.some((info) => this.#known.get(info.pid) === info.start);
    const ours = proven ? inSession : inSession.filter((info) => this.#table.hasEnvironment(info.pid, this.#marker));
    for (const info of ours) this.#known.set(info.pid, info.start);
    return ours;
  }

  /** HUP, TERM, KILL with their graces, each only to those still there. @returns who could not be ended */
  async end(graces: Graces): Promise<ProcessInfo[]> {
    await climb(() => this.members(), this.#table, graces);
    return this.members();
  }

  /**
   * Living processes that have left the session but carry its mark, or are in its control group. Linux only; elsewhere
   * none are found.
   */
  survivors(group: ReadonlySet<number>): ProcessInfo[] {
    return survivorsOf(this.#table, this.#marker, this.#leader?.startOrder ?? 0, group);
  }
}

/** Processes marked as started from this surface, for one whose program has ended. */
export function survivors(table: ProcessTable, surfaceId: string, group: ReadonlySet<number>): ProcessInfo[] {
  return survivorsOf(table, `${SURFACE_VARIABLE}=${surfaceId}`, 0, group);
}

/** @returns those that could not be ended */
export async function endProcesses(table: ProcessTable, list: readonly ProcessInfo[], graces: Graces) {
  const left = () => list.filter((info) => isSame(table, info));
  await climb(left, table, graces);
  return left();
}

function survivorsOf(
  table: ProcessTable,
  marker: string,
  notBefore: number,
  group: ReadonlySet<number>,
): ProcessInfo[] {
  return table
    .all(performance.now())
    .filter((info) => info.startOrder >= notBefore && !info.zombie && info.pid !== process.pid)
    .filter((info) => group.has(info.pid) || table.hasEnvironment(info.pid, marker));
}

async function climb(left: () => ProcessInfo[], table: ProcessTable, graces: Graces): Promise<void> {
  const steps = [
    { signals: ['SIGHUP', 'SIGCONT'], waitMs: graces.hangupGraceMs },
    { signals: ['SIGTERM', 'SIGCONT'], waitMs: graces.termGraceMs },
    { signals: ['SIGKILL'], waitMs: KILL_WAIT_MS },
  ] as const;
  for (const { signals, waitMs } of steps) {
    for (const info of left()) for (const signal of signals) send(table, info, signal);
    if (await gone(left, waitMs)) return;
  }
}

async function gone(left: () => ProcessInfo[], waitMs: number): Promise<boolean> {
  const until = performance.now() + waitMs;
  for (let look = LOOK_FIRST_MS; ; look = Math.min(LOOK_LAST_MS, look * 2)) {
    if (left().length === 0) return true;
    const remaining = until - performance.now();
    if (remaining <= 0) return false;
    await delay(Math.min(look, remaining));
  }
}

/** The pid is looked up again right before the signal: a number that was given out anew gets nothing. */
function send(table: ProcessTable, info: ProcessInfo, signal: NodeJS.Signals): void {
  signalProcess({ pid: info.pid, isSame: () => isSame(table, info) }, signal);
}

function isSame(table: ProcessTable, info: ProcessInfo): boolean {
  const now = table.find(info.pid);
  return now !== undefined && now.start === info.start && !now.zombie;
}
