import { readdirSync, readlinkSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { type ProcProcess, procSource } from '../foreground/proc-source.js';
import { type ListeningSocket, listeningSockets } from './listening-sockets.js';
import { type FoundPorts, foundPorts, type Listener, type PortSource, type WatchedTerminal } from './port-source.js';

const TABLES = ['/proc/net/tcp', '/proc/net/tcp6'];
/** Set in every terminal: tells of a process that has left its session, as servers do. */
const VARIABLE = 'SWITCHYARD_SURFACE_ID';
const SOCKET = /^socket:\[(\d+)\]$/;
/** A server listens with one of its first files; one with more is not searched to the end. */
const MAX_FILES = 4096;

interface Owner {
  readonly surfaceId: string;
  readonly pid: number;
  readonly start: number;
  readonly process: string;
}

/**
 * /proc of Linux. What listens is read every time, which takes the kernel some milliseconds, but nobody waits for it; the
 * files of processes are only gone through for a socket that is new.
 */
export class ProcPorts implements PortSource {
  readonly everyMs = 2000;
  /** By inode; null: it is of no terminal of ours. */
  #owners = new Map<string, Owner | null>();

  async look(terminals: readonly WatchedTerminal[], thorough: boolean): Promise<FoundPorts> {
    const sockets = (await Promise.all(TABLES.map(textOf))).flatMap(listeningSockets);
    const surfaces = new Map(terminals.map(({ pid, surfaceId }) => [pid, surfaceId]));
    const known = new Set(surfaces.values());
    const owners = new Map<string, Owner | null>();
    const strangers = new Set<string>();
    for (const { inode } of sockets) {
      const owner = this.#owners.get(inode);
      const settled = owner === null ? !thorough : owner !== undefined && known.has(owner.surfaceId) && isThere(owner);
      if (settled && owner !== undefined) owners.set(inode, owner);
      else strangers.add(inode);
    }
    if (strangers.size > 0) {
      const found = surfaces.size > 0 ? ownersOf(strangers, surfaces) : new Map<string, Owner>();
      for (const inode of strangers) owners.set(inode, found.get(inode) ?? null);
    }
    this.#owners = owners;
    return foundPorts(sockets.flatMap((socket) => listenerOf(socket, owners.get(socket.inode) ?? null)));
  }
}

function listenerOf({ port, address }: ListeningSocket, owner: Owner | null): Listener[] {
  if (owner === null) return [];
  return [{ surfaceId: owner.surfaceId, port, address, pid: owner.pid, process: owner.process }];
}

const isThere = ({ pid, start }: Owner): boolean => procSource.find(pid)?.start === start;

/** @param surfaces by session */
function ownersOf(inodes: ReadonlySet<string>, surfaces: ReadonlyMap<number, string>): Map<string, Owner> {
  const found = new Map<string, Owner>();
  const left = new Set(inodes);
  const take = (process: ProcProcess, surfaceId: string) => {
    for (const inode of socketsOf(process.pid)) {
      if (!left.delete(inode)) continue;
      found.set(inode, { surfaceId, pid: process.pid, start: process.start, process: process.comm });
    }
  };
  const all = procSource.all();
  for (const process of all) {
    const surfaceId = surfaces.get(process.session);
    if (surfaceId !== undefined && left.size > 0) take(process, surfaceId);
  }
  const ids = new Set(surfaces.values());
  for (const process of all) {
    if (left.size === 0) break;
    const surfaceId = surfaces.has(process.session) ? null : procSource.variable(process.pid, VARIABLE);
    if (surfaceId !== null && ids.has(surfaceId)) take(process, surfaceId);
  }
  return found;
}

function* socketsOf(pid: number): Generator<string> {
  for (const file of filesOf(pid)) {
    const inode = SOCKET.exec(targetOf(`/proc/${pid}/fd/${file}`))?.[1];
    if (inode !== undefined) yield inode;
  }
}

function filesOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).slice(0, MAX_FILES);
  } catch {
    return []; // It has ended, or is another user's.
  }
}

function targetOf(link: string): string {
  try {
    return readlinkSync(link);
  } catch {
    return ''; // Closed meanwhile.
  }
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch {
    return ''; // A system without IPv6 has no such table.
  }
}
