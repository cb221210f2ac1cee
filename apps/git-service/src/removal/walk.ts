import { lstat, readdir } from 'node:fs/promises';
import { type ByteText, bytesOf, byteText, joined } from '../domain/removal/byte-text.js';

/** A file that is there on disk. */
export interface Found {
  /** Relative to where the walk began. */
  readonly path: ByteText;
  readonly type: 'file' | 'folder' | 'link' | 'special';
  readonly bytes: number;
}

/**
 * Everything below a folder, folders before what they hold; symbolic links are named, not followed.
 *
 * @param root where paths are relative to
 * @param folder below it, without `/` at the end
 * @throws what the file system says of a folder that cannot be read: what cannot be looked at cannot be called safe
 */
export async function* walk(root: string, folder: ByteText): AsyncGenerator<Found> {
  const names = await readdir(absolute(root, folder), { encoding: 'buffer' });
  for (const name of names) {
    const path = joined(folder, byteText(name));
    const found = await look(root, path);
    // Gone between the listing and the look.
    if (found === undefined) continue;
    yield found;
    if (found.type === 'folder') yield* walk(root, path);
  }
}

/** @returns undefined when nothing is there */
export async function look(root: string, path: ByteText): Promise<Found | undefined> {
  try {
    const stats = await lstat(absolute(root, path));
    const type = stats.isFile() ? 'file' : stats.isDirectory() ? 'folder' : stats.isSymbolicLink() ? 'link' : 'special';
    return { path, type, bytes: type === 'file' ? stats.size : 0 };
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** @param path relative to `root`; empty: the root itself */
export const absolute = (root: string, path: ByteText): Buffer =>
  path === '' ? Buffer.from(root) : Buffer.concat([Buffer.from(`${root}/`), bytesOf(path)]);

/** Nothing is there, or not in that place: a part of the path is a file. */
export const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
