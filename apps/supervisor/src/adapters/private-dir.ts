import { chmodSync, lstatSync, mkdirSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';

const OTHERS = 0o077;
const WRITABLE_BY_OTHERS = 0o022;
const STICKY = 0o1000;
const ROOT = 0;

/**
 * Makes a folder of which only this user can see the inside, or checks one that exists. Sockets and tokens live there,
 * so anything that another user could have prepared is refused, not repaired.
 *
 * @throws Error that names the folder, what is wrong and what to do
 */
export function ensurePrivateDir(dir: string, uid: number): void {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  checkPrivateDir(dir, uid);
}

/** The checks alone, for a folder that exists. */
export function checkPrivateDir(dir: string, uid: number): void {
  const stats = lstatSync(dir);
  if (!stats.isDirectory()) throw new Error(`${dir} is not a folder (a link is not accepted either)`);
  if (stats.uid !== uid) throw new Error(`${dir} belongs to user ${stats.uid}, not to us (${uid}): refusing to use it`);
  if ((stats.mode & OTHERS) !== 0) {
    throw new Error(`${dir} is open to other users (mode ${octal(stats)}): run chmod 700 ${dir}`);
  }
  refuseUnsafeParent(dir, uid);
}

/** Who may rename the folder can put another in its place. */
function refuseUnsafeParent(dir: string, uid: number): void {
  const parent = dirname(dir);
  const stats = statSync(parent);
  if (stats.uid !== uid && stats.uid !== ROOT) {
    throw new Error(`${parent} belongs to user ${stats.uid}, who could replace ${dir}: refusing to use it`);
  }
  if ((stats.mode & WRITABLE_BY_OTHERS) !== 0 && (stats.mode & STICKY) === 0) {
    throw new Error(`${parent} lets other users replace ${dir} (mode ${octal(stats)}): run chmod go-w ${parent}`);
  }
}

/** A folder of ours on disk: made private, and made private again if it was not. */
export function ensureStateDir(dir: string, uid: number): void {
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const stats = statSync(dir);
  if (stats.uid !== uid) throw new Error(`${dir} belongs to user ${stats.uid}, not to us (${uid})`);
  if ((stats.mode & OTHERS) !== 0) chmodSync(dir, 0o700);
}

function octal(stats: Stats): string {
  return (stats.mode & 0o7777).toString(8);
}
