import { constants, type Stats } from 'node:fs';
import { copyFile, lstat, mkdir, realpath } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import type { Result } from '@switchyard/protocol';
import { git } from './git-cli.js';

export type Skipped = Result<'worktree.setup'>['setup']['skipped'][number];

export interface Copied {
  readonly copied: number;
  /** The first {@link MOST_SKIPPED}. */
  readonly skipped: readonly Skipped[];
}

/** Configuration is small; whoever copies whole dependency folders is better served by a command. */
const LARGEST_FILE_BYTES = 256 * 1024 * 1024;
const MOST_FILES = 20_000;
const MOST_SKIPPED = 100;

/**
 * Copies files that git does not keep from one checkout to another of the same repository. Never over a file that is
 * there, never through a symbolic link out of the target, and only plain files.
 *
 * @param patterns as git's `:(glob)` path patterns
 */
export async function copyUntracked(
  from: string,
  to: string,
  patterns: readonly string[],
  signal: AbortSignal,
): Promise<Copied> {
  if (patterns.length === 0) return { copied: 0, skipped: [] };
  const pathspecs = patterns.map((pattern) => `:(glob)${pattern}`);
  const listed = await git(from, ['ls-files', '-z', '--others', '--', ...pathspecs], { signal });
  const paths = [...new Set(listed.split('\0').filter((path) => path !== ''))];
  const target = await realpath(to);
  const skipped: Skipped[] = [];
  let copied = 0;
  for (const [i, path] of paths.entries()) {
    signal.throwIfAborted();
    const reason = i < MOST_FILES ? await copyOne(from, target, path) : 'too_many';
    if (reason === null) copied++;
    else if (skipped.length < MOST_SKIPPED) skipped.push({ path, reason });
  }
  return { copied, skipped };
}

/** @returns why it was not copied; null when it was */
async function copyOne(from: string, target: string, path: string): Promise<Skipped['reason'] | null> {
  const stats = await statsOf(join(from, path));
  if (stats === null) return 'unreadable';
  if (!stats.isFile()) return 'not_a_file';
  if (stats.size > LARGEST_FILE_BYTES) return 'too_large';
  const folder = join(target, dirname(path));
  try {
    if (!(await isInside(folder, target))) return 'outside';
    await mkdir(folder, { recursive: true });
    await copyFile(join(from, path), join(target, path), constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    return null;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    // A folder where the file goes, or a file where a folder goes: something of that name is there.
    if (code === 'EEXIST' || code === 'ENOTDIR' || code === 'EISDIR') return 'exists';
    if (code === 'EACCES' || code === 'EPERM' || code === 'ENOENT') return 'unreadable';
    throw error;
  }
}

async function statsOf(path: string): Promise<Stats | null> {
  try {
    return await lstat(path);
  } catch {
    // It went away after git listed it.
    return null;
  }
}

/** Whether the part of a folder that exists is inside the target: a link in a checkout can lead anywhere. */
async function isInside(folder: string, target: string): Promise<boolean> {
  let existing = folder;
  for (;;) {
    try {
      const real = await realpath(existing);
      return real === target || real.startsWith(target + sep);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
      existing = dirname(existing);
    }
  }
}
