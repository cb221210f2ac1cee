import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, lstat, open, readlink, realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Found } from '../domain/diff/untracked-file.js';

/** Symbolic links are not followed, and a pipe that nobody writes to does not hold us up. */
const NO_DETOUR = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
const OWNER_MAY_EXECUTE = 0o100n;
/** Looks in flight at once: as many as Node has threads for them by default, and a few that wait their turn. */
const LOOKS_AT_ONCE = 16;
/** What opening something says that is not there any more, or that is something else by now. */
const GONE = new Set(['ENOENT', 'ENOTDIR', 'ELOOP', 'ENXIO']);
const UNREADABLE = new Set(['EACCES', 'EPERM']);

/** Which file it is and which state it is in: any change of a file changes it, and so does another file in its place. */
export type FileMark = string;

/** The mark of a place where there is nothing. */
export const NO_FILE: FileMark = '-';

export interface Mark {
  readonly mark: FileMark;
  /** Bytes; of nothing 0. */
  readonly size: number;
  /** When it was last changed in any way, Unix milliseconds; of nothing 0. */
  readonly changedAtMs: number;
}

const NOTHING: Mark = { mark: NO_FILE, size: 0, changedAtMs: 0 };

/** What is at a place of a tree. @param top canonical. @param path from there, any bytes */
export async function markOf(top: string, path: Buffer): Promise<Mark> {
  try {
    const stats = await lstat(placeOf(top, path), { bigint: true });
    return { mark: markFrom(stats), size: Number(stats.size), changedAtMs: Number(stats.ctimeMs) };
  } catch (error) {
    if (!isGone(error) && !isUnreadable(error)) throw error;
    return NOTHING;
  }
}

/** The same for many places, in their order; null for those that are not to be looked at. */
export async function marksOf(top: string, paths: readonly (Buffer | null)[]): Promise<Mark[]> {
  const marks: Mark[] = new Array(paths.length);
  let next = 0;
  const look = async () => {
    while (next < paths.length) {
      const at = next++;
      const path = paths[at];
      marks[at] = path ? await markOf(top, path) : NOTHING;
    }
  };
  await Promise.all(Array.from({ length: LOOKS_AT_ONCE }, look));
  return marks;
}

/** What is at a place, and the mark that the place had when it was read. */
export interface FoundAt {
  readonly found: Found;
  readonly mark: FileMark;
}

/**
 * Reads a file of a tree, and only one that is in it: not through a symbolic link, neither in its place nor on the way
 * there, even if one is put there at this moment.
 *
 * @param top canonical. @param path from there, any bytes. @param limitBytes larger ones are not read
 * @returns null when it is not there, or is nothing that git keeps
 */
export async function readInTree(top: string, path: Buffer, limitBytes: number): Promise<FoundAt | null> {
  const place = placeOf(top, path);
  let file: FileHandle;
  try {
    file = await open(place, NO_DETOUR);
  } catch (error) {
    if (isLinkError(error)) return readLinkAt(place);
    if (isUnreadable(error)) return { found: { type: 'unreadable' }, mark: (await markOf(top, path)).mark };
    if (isGone(error)) return null;
    throw error;
  }
  try {
    const stats = await file.stat({ bigint: true });
    if (!stats.isFile() || !(await isAt(file, place, stats))) return null;
    return { found: await contentOf(file, stats, limitBytes), mark: markFrom(stats) };
  } finally {
    await file.close();
  }
}

async function contentOf(file: FileHandle, stats: BigIntStats, limitBytes: number): Promise<Found> {
  const isExecutable = (stats.mode & OWNER_MAY_EXECUTE) !== 0n;
  if (stats.size > BigInt(limitBytes)) return { type: 'too-large', isExecutable };
  // One byte more than there was: a file that grows is seen to.
  const buffer = Buffer.alloc(Number(stats.size) + 1);
  let length = 0;
  while (length < buffer.length) {
    const { bytesRead } = await file.read(buffer, length, buffer.length - length, length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return { type: 'file', isExecutable, content: buffer.subarray(0, length) };
}

async function readLinkAt(place: Buffer): Promise<FoundAt | null> {
  try {
    const stats = await lstat(place, { bigint: true });
    if (!stats.isSymbolicLink()) return null;
    const target = await readlink(place, { encoding: 'buffer' });
    return { found: { type: 'link', target }, mark: markFrom(stats) };
  } catch (error) {
    if (isGone(error) || isNoLink(error)) return null;
    throw error;
  }
}

/**
 * Whether an open file is the one at a place, with no symbolic link on the way. On Linux the kernel says where an open
 * file is. Elsewhere the way is looked at afterwards, which a link that came and went again within it can deceive.
 */
async function isAt(file: FileHandle, place: Buffer, stats: BigIntStats): Promise<boolean> {
  if (process.platform === 'linux') {
    return place.equals(await readlink(`/proc/self/fd/${file.fd}`, { encoding: 'buffer' }));
  }
  const folder = Buffer.from(dirname(place.toString('latin1')), 'latin1');
  const [real, now] = await Promise.all([realpath(folder, { encoding: 'buffer' }), lstat(place, { bigint: true })]);
  return folder.equals(real) && now.ino === stats.ino && now.dev === stats.dev;
}

function markFrom({ mode, size, mtimeNs, ctimeNs, ino, dev }: BigIntStats): FileMark {
  return `${mode}.${size}.${mtimeNs}.${ctimeNs}.${ino}.${dev}`;
}

function placeOf(top: string, path: Buffer): Buffer {
  return Buffer.concat([Buffer.from(top === '/' ? '/' : `${top}/`), path]);
}

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : '');
const isGone = (error: unknown) => GONE.has(codeOf(error));
/** It was a link a moment ago. */
const isNoLink = (error: unknown) => codeOf(error) === 'EINVAL';
const isUnreadable = (error: unknown) => UNREADABLE.has(codeOf(error));
/** Linux and macOS say ELOOP, FreeBSD EMLINK. */
const isLinkError = (error: unknown) => ['ELOOP', 'EMLINK'].includes(codeOf(error));
