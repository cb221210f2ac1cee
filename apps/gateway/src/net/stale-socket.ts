import { type BigIntStats, linkSync, lstatSync, renameSync, unlinkSync } from 'node:fs';
import { connect } from 'node:net';

/** A listener of ours accepts within milliseconds; one that is stopped or swamped may be slow and still be in use. */
const PROBE_TIMEOUT_MS = 1000;

/** Which file a path names. The number alone is given to the next file once the old one is gone. */
export interface FileIdentity {
  readonly dev: bigint;
  readonly ino: bigint;
  readonly mtimeNs: bigint;
}

/**
 * Clears the way for a new socket. A file is removed only when it is a socket of ours that the system says nobody
 * listens on; anything else, also a listener that does not answer, is occupied.
 *
 * @param uid who must own a socket that is removed
 * @throws Error that says who or what is in the way
 */
export async function removeStaleSocket(path: string, uid: number, timeoutMs = PROBE_TIMEOUT_MS): Promise<void> {
  const found = lookAt(path);
  if (!found) return;
  if (!found.isSocket()) throw new Error(`${path} exists and is not a socket; it was left alone`);
  if (found.uid !== BigInt(uid)) throw new Error(`the socket ${path} belongs to uid ${found.uid}; it was left alone`);
  const state = await probe(path, timeoutMs);
  if (state === 'gone') return;
  if (state !== 'refused') throw occupied(path, state);
  takeAway(path, found);
}

/** @returns the error for a path that somebody else uses, or may use */
export function occupied(path: string, why: string): Error {
  return new Error(
    `the socket ${path} is occupied: ${why}\nStop what listens there (switchyard down), or name another yard or socket.`,
  );
}

/** @returns undefined when there is no such file */
export function identityOf(path: string): FileIdentity | undefined {
  return lookAt(path);
}

export function isSameFile(a: FileIdentity, b: FileIdentity): boolean {
  return a.ino === b.ino && a.dev === b.dev && a.mtimeNs === b.mtimeNs;
}

function lookAt(path: string): BigIntStats | undefined {
  return lstatSync(path, { bigint: true, throwIfNoEntry: false });
}

/** @returns `gone`, `refused` (nobody has it open for listening), or what speaks for its being in use */
function probe(path: string, timeoutMs: number): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(path);
    const timer = setTimeout(
      () => done(`nothing answered within ${timeoutMs} ms, which does not prove it unused`),
      timeoutMs,
    );
    const done = (state: string) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(state);
    };
    socket.once('connect', () => done('another process listens there'));
    socket.once('error', (error: NodeJS.ErrnoException) => done(meaningOf(error)));
  });
}

function meaningOf(error: NodeJS.ErrnoException): string {
  if (error.code === 'ECONNREFUSED') return 'refused';
  if (error.code === 'ENOENT') return 'gone';
  if (error.code === 'EAGAIN') return 'its listener is too busy to accept (its queue is full)';
  return `it cannot be tried (${error.code ?? error.message})`;
}

/**
 * Between the probe and the removal another process may have done the same and already listen at the path. So the
 * file is moved aside first, and put back if it is not the one that was probed.
 */
function takeAway(path: string, probed: FileIdentity): void {
  const aside = `${path}.${process.pid}`;
  renameSync(path, aside);
  const moved = lookAt(aside);
  if (moved && isSameFile(moved, probed)) {
    unlinkSync(aside);
    return;
  }
  linkSync(aside, path);
  unlinkSync(aside);
  throw occupied(path, 'another process has just begun to listen there');
}
