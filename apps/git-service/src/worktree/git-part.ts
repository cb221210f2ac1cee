import { lstat, readdir, rm, rmdir, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { canonicalPath } from '../adapters/canonical-path.js';
import { type ChangeOptions, git, gitChange, tryGitChange } from '../adapters/git-cli.js';
import { type FoundWorktree, worktreesOf } from '../adapters/repository.js';
import { isHalfMade } from '../domain/parse-worktrees.js';
import type { CreateFacts } from './create-facts.js';
import type { CreatePlan } from './plan-create.js';

/** What there is of a worktree in the eyes of git. */
export type Made = 'nothing' | 'half' | 'whole';

const LINK_FILE = '.git';

/** Makes the worktree, with the hooks of the user. Ended early, git takes back what it has made itself. */
export async function addWorktree(facts: CreateFacts, plan: CreatePlan, options: ChangeOptions): Promise<void> {
  const what = plan.does === 'branch' ? ['-b', facts.branch, facts.path, plan.base] : [facts.path, facts.branch];
  await gitChange(facts.top, ['worktree', 'add', ...what], options);
}

/** How far the making of a worktree has come. */
export async function madeOf(facts: CreateFacts, signal: AbortSignal): Promise<Made> {
  const found = await entryOf(facts, signal);
  if (found === undefined || found.isMissing) return 'nothing';
  // Half made it may have no branch yet.
  if (isHalfMade(found)) return 'half';
  return found.branch === facts.branch ? 'whole' : 'nothing';
}

/**
 * Finishes what git left half made when it was killed: the files are written anew, as git was about to, and the hook
 * runs that git would have run. Nobody has worked in it yet.
 */
export async function finishHalf(facts: CreateFacts, options: ChangeOptions): Promise<void> {
  const folder = (await git(facts.path, ['rev-parse', '--absolute-git-dir'], options)).replace(/\n$/, '');
  // Its owner is dead; git would wait for it for ever.
  await rm(join(folder, 'index.lock'), { force: true });
  await gitChange(facts.path, ['symbolic-ref', 'HEAD', `refs/heads/${facts.branch}`], options);
  await gitChange(facts.path, ['reset', '--hard', '--quiet', '--no-recurse-submodules'], options);
  await gitChange(facts.commonDir, ['worktree', 'unlock', facts.path], options);
  const head = (await git(facts.path, ['rev-parse', 'HEAD'], options)).trim();
  const hook = ['hook', 'run', '--ignore-missing', 'post-checkout', '--', '0'.repeat(head.length), head, '1'];
  // As with git itself, a hook that fails does not take the worktree back.
  await tryGitChange(facts.path, hook, options);
}

/**
 * Removes a worktree that is not wanted after all, unless something has come into it meanwhile, and the branch if it
 * was made for it and holds nothing of its own. A worktree that was there before is left alone.
 * @returns what is left of it
 */
export async function takeAway(facts: CreateFacts, options: ChangeOptions): Promise<Made> {
  const made = await madeOf(facts, options.signal);
  if (facts.existed || made === 'half') return made;
  if (made === 'nothing') await removeEmpty(facts.path);
  else if (!(await removeUntouched(facts, options))) return 'whole';
  await dropBranch(facts, options);
  return 'nothing';
}

/** @returns false when there is anything in it that git has not put there: git itself would delete what is ignored */
async function removeUntouched({ commonDir, path }: CreateFacts, options: ChangeOptions): Promise<boolean> {
  const all = ['status', '--porcelain', '-z', '--untracked-files=all', '--ignored=matching'];
  if ((await git(path, all, options)) !== '') return false;
  const { exitCode } = await tryGitChange(commonDir, ['worktree', 'remove', path], options);
  return exitCode === 0;
}

/** git compares and deletes in one step: a branch that has got a commit meanwhile stays. */
async function dropBranch({ commonDir, branch, start }: CreateFacts, options: ChangeOptions): Promise<void> {
  if (start === null) return;
  const held = (await worktreesOf({ commonDir }, options.signal)).some((worktree) => worktree.branch === branch);
  if (!held) await tryGitChange(commonDir, ['update-ref', '-d', `refs/heads/${branch}`, start], options);
}

async function entryOf(facts: CreateFacts, signal: AbortSignal): Promise<FoundWorktree | undefined> {
  for (const worktree of await worktreesOf(facts, signal)) {
    if ((await canonicalPath(worktree.path)) === facts.path) return worktree;
  }
  return undefined;
}

/** The folder that git had begun with, while there is nothing in it but the link to the repository. */
async function removeEmpty(path: string): Promise<void> {
  try {
    const names = await readdir(path);
    const isLink = names.length === 1 && names[0] === LINK_FILE && (await lstat(join(path, LINK_FILE))).isFile();
    if (isLink) await unlink(join(path, LINK_FILE));
    if (isLink || names.length === 0) await rmdir(path);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code !== 'ENOENT' && code !== 'ENOTEMPTY' && code !== 'ENOTDIR') throw error;
  }
}
