import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { git } from './git-cli.js';
import type { FoundWorktree } from './repository.js';

/** Files of a worktree's git folder that name the branch that git will come back to when it is done. */
const RETURN_FILES = ['rebase-merge/head-name', 'rebase-apply/head-name', 'BISECT_START'];
const BRANCH_PREFIX = 'refs/heads/';

/**
 * Branches that are checked out nowhere but that git is in the middle of rebasing or bisecting: it lists their
 * worktrees as detached, and yet refuses to check them out elsewhere.
 */
export async function branchesInUse(
  worktrees: readonly FoundWorktree[],
  signal: AbortSignal,
): Promise<Map<string, FoundWorktree>> {
  const inUse = new Map<string, FoundWorktree>();
  for (const worktree of worktrees) {
    if (worktree.branch !== null || worktree.isMissing) continue;
    const folder = (await git(worktree.path, ['rev-parse', '--absolute-git-dir'], { signal })).replace(/\n$/, '');
    for (const file of RETURN_FILES) {
      const branch = branchIn(await textOf(join(folder, file)));
      if (branch !== '') inUse.set(branch, worktree);
    }
  }
  return inUse;
}

const branchIn = (text: string) => {
  const name = text.trim();
  return name.startsWith(BRANCH_PREFIX) ? name.slice(BRANCH_PREFIX.length) : name;
};

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch {
    // Nothing of that kind is under way.
    return '';
  }
}
