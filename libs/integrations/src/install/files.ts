import { randomBytes } from 'node:crypto';
import { chmod, mkdir, open, readFile, realpath, rename, rm, rmdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { BrokenConfig } from '../domain/broken-config.js';

/** A configuration that a person keeps by hand is far smaller; more is no file that we should hold twice. */
const MAX_BYTES = 1_048_576;
const NEW_FILE = 0o644;
const NEW_PROGRAM = 0o755;
const PERMISSIONS = 0o777;

/**
 * A text file as it is.
 *
 * @returns null when there is none
 * @throws BrokenConfig when it is too large, no file, or not UTF-8
 */
export async function readText(path: string): Promise<string | null> {
  const bytes = await readBytes(path);
  if (bytes === null) return null;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new BrokenConfig(`${path}: it is not UTF-8${error instanceof TypeError ? '' : `: ${error}`}`);
  }
}

async function readBytes(path: string): Promise<Buffer | null> {
  try {
    const { size } = await stat(path);
    if (size > MAX_BYTES) throw new BrokenConfig(`${path}: it is over ${MAX_BYTES} bytes`);
    return await readFile(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    if (code === 'ENOTDIR' || code === 'EISDIR') throw new BrokenConfig(`${path}: it is in the way, and no file`);
    throw error;
  }
}

/**
 * Replaces a file at once: a reader sees the old or the new one, and after a crash one of them is there. Its permissions
 * stay; of a symbolic link the file it leads to is replaced.
 *
 * @returns folders that were made for it, the outermost first
 */
export async function writeText(path: string, text: string, executable: boolean): Promise<string[]> {
  const target = await resolved(path);
  const made = await makeFolder(dirname(target));
  const mode = (await modeOf(target)) ?? (executable ? NEW_PROGRAM : NEW_FILE);
  const temporary = join(dirname(target), `.${basename(target)}.${randomBytes(6).toString('hex')}.tmp`);
  try {
    const file = await open(temporary, 'wx', mode);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    // The umask may have taken bits away that the file had.
    await chmod(temporary, mode);
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  return made;
}

export const removeFile = (path: string): Promise<void> => rm(path, { force: true });

/** Removes folders that are empty, the innermost first. */
export async function removeEmptyFolders(folders: readonly string[]): Promise<void> {
  for (const folder of [...folders].sort((a, b) => b.length - a.length)) {
    try {
      await rmdir(folder);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'ENOTEMPTY' && code !== 'EEXIST' && code !== 'ENOENT') throw error;
    }
  }
}

export async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return false;
    throw error;
  }
}

async function makeFolder(folder: string): Promise<string[]> {
  const first = await mkdir(folder, { recursive: true });
  if (first === undefined) return [];
  const made = [folder];
  while (made[0] !== first && made[0] !== undefined) made.unshift(dirname(made[0]));
  return made;
}

/** Where a link leads, also one that leads nowhere yet. */
async function resolved(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return path;
    throw error;
  }
}

async function modeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).mode & PERMISSIONS;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
