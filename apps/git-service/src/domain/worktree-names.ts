import { basename, dirname, join } from 'node:path';
import type { Settings } from '@switchyard/config';
import type { Worktree } from './parse-worktrees.js';

/** Everything else would need care in shells, URLs or other systems' file names. */
const NOT_IN_A_SLUG = /[^A-Za-z0-9._-]/g;

/** A branch as the name of a folder (programa-api §8.1). */
export function slugOf(branch: string): string {
  return branch.replace(NOT_IN_A_SLUG, '-');
}

/**
 * Where a worktree goes when the caller names no place.
 * @param folder `worktrees.directory`
 * @param repoName of the repository, see {@link repositoryName}
 */
export function defaultPath(folder: string, repoName: string, branch: string): string {
  return join(folder, repoName, slugOf(branch));
}

/** The name of the main checkout's folder; of a bare repository that of its own, without `.git`. */
export function repositoryName(worktrees: readonly Pick<Worktree, 'path' | 'isMain'>[], commonDir: string): string {
  const main = worktrees.find(({ isMain }) => isMain)?.path;
  if (main !== undefined) return basename(main);
  const own = basename(commonDir);
  return own === '.git' ? basename(dirname(commonDir)) : own.replace(/\.git$/, '');
}

/** What git itself would not take as a branch, or take as something else (an option, a place in history). */
export function isPlainBranchName(branch: string): boolean {
  return !branch.startsWith('-') && branch !== 'HEAD' && !branch.startsWith('refs/') && !branch.includes('@{');
}

/** What makes two requests for a worktree the same. */
export function worktreeIdentity(commonDir: string, branch: string, path: string): string {
  return JSON.stringify([commonDir, branch, path]);
}

/**
 * `worktrees.directory` of the settings, or what stands for it.
 * @param home of the user
 */
export function worktreesFolder({ worktrees, compat }: Settings, home: string): string {
  const { directory } = worktrees;
  if (directory === '') return join(home, compat.programa ? '.programa' : '.switchyard', 'worktrees');
  return directory === '~' || directory.startsWith('~/') ? join(home, directory.slice(1)) : directory;
}
