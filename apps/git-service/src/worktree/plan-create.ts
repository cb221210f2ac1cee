import { lstat } from 'node:fs/promises';
import { fail, type Params } from '@switchyard/protocol';
import { branchesInUse } from '../adapters/branches-in-use.js';
import { canonicalPath, canonicalTarget } from '../adapters/canonical-path.js';
import { git, tryGit } from '../adapters/git-cli.js';
import { absolutePath, type FoundWorktree, type Repository, worktreesOf } from '../adapters/repository.js';
import { isHalfMade } from '../domain/parse-worktrees.js';
import { defaultPath, isPlainBranchName, repositoryName } from '../domain/worktree-names.js';

type CreateParams = Params<'worktree.create'>;

/**
 * Where the worktree is to go, free of symbolic links, as git will list it.
 * @throws `invalid_params` for a branch or path that cannot be
 */
export async function targetOf(
  repository: Repository,
  { branch, path }: CreateParams,
  worktreesFolder: string,
  signal: AbortSignal,
): Promise<string> {
  const checked = await tryGit(repository.commonDir, ['check-ref-format', `refs/heads/${branch}`], { signal });
  if (checked.exitCode !== 0 || !isPlainBranchName(branch)) {
    fail('invalid_params', `${branch} cannot be the name of a branch.`, { branch });
  }
  if (path !== undefined) return canonicalTarget(absolutePath(path, 'path'));
  const name = repositoryName(await worktreesOf(repository, signal), repository.commonDir);
  return canonicalTarget(defaultPath(worktreesFolder, name, branch));
}

/** What is to be done: nothing, as the worktree is there, or to check a branch out, or to make one first. */
export type CreatePlan =
  | { readonly does: 'nothing' }
  | { readonly does: 'check-out' }
  | { readonly does: 'branch'; readonly base: string; readonly start: string };

/**
 * Decides before anything is touched, from what git lists, never from what it says when it fails.
 * @throws `branch_checked_out`, `worktree_path_exists`, `git_command_failed` for a base that is no commit
 */
export async function planCreate(
  repository: Repository,
  { branch, base = 'HEAD' }: CreateParams,
  path: string,
  signal: AbortSignal,
): Promise<CreatePlan> {
  const all = await worktreesOf(repository, signal);
  const holder = all.find((worktree) => worktree.branch === branch);
  if (holder !== undefined && (await isSame(holder, path))) return { does: 'nothing' };
  const user = holder ?? (await branchesInUse(all, signal)).get(branch);
  if (user !== undefined) heldBy(user, branch);
  await checkPathIsFree(all, path);
  const ref = await tryGit(repository.top, ['show-ref', '--verify', '--quiet', `refs/heads/${branch}`], { signal });
  if (ref.exitCode === 0) return { does: 'check-out' };
  const start = await git(repository.top, ['rev-parse', '--verify', '--end-of-options', `${base}^{commit}`], {
    signal,
  });
  return { does: 'branch', base, start: start.trim() };
}

/** The worktree that an earlier run of the same request has made. The main checkout is nobody's making. */
async function isSame(worktree: FoundWorktree, path: string): Promise<boolean> {
  const usable = !worktree.isMain && !worktree.isMissing && !isHalfMade(worktree);
  return usable && (await canonicalPath(worktree.path)) === path;
}

function heldBy({ path, isMissing, locked }: FoundWorktree, branch: string): never {
  return fail('branch_checked_out', `${branch} is checked out at ${path}${stateText(isMissing, locked)}.`, {
    branch,
    existing_path: path,
    is_missing: isMissing,
    locked,
  });
}

async function checkPathIsFree(all: readonly FoundWorktree[], path: string): Promise<void> {
  for (const worktree of all) {
    if ((await canonicalPath(worktree.path)) !== path) continue;
    const { branch, isMissing, locked } = worktree;
    const what = `There is a worktree of ${branch ?? 'a detached HEAD'} at ${path}`;
    fail('worktree_path_exists', `${what}${stateText(isMissing, locked)}.`, {
      path,
      branch,
      is_missing: isMissing,
      locked,
    });
  }
  if (await exists(path)) fail('worktree_path_exists', `There is something at ${path} already.`, { path });
}

function stateText(isMissing: boolean, locked: string | null): string {
  const missing = isMissing ? ', whose folder is missing' : '';
  if (locked === null) return missing;
  return `${missing}${missing === '' ? ', which is' : ' and which is'} locked${locked === '' ? '' : ` (${locked})`}`;
}

async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT') return false;
    // A file where a folder is needed on the way there, or a folder that may not be looked into.
    return fail('worktree_path_exists', `Nothing can be made at ${path} (${code}).`, { path });
  }
}
