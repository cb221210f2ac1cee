import { stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { fail } from '@switchyard/protocol';
import { isHalfMade, parseWorktrees, type Worktree } from '../domain/parse-worktrees.js';
import { canonicalPath } from './canonical-path.js';
import { git } from './git-cli.js';

/** A repository, as a folder in it leads to it. */
export interface Repository {
  /** The checkout that holds the folder; of a bare repository its own folder. */
  readonly top: string;
  /** What all its worktrees share, free of links: the identity of the repository. */
  readonly commonDir: string;
}

/** What is registered, and whether its folder is there. */
export interface FoundWorktree extends Worktree {
  readonly isMissing: boolean;
}

/**
 * @param folder absolute, or beginning with `~/`
 * @throws `invalid_params`, `not_a_git_repo`, `git_command_failed`
 */
export async function repositoryAt(folder: string, signal: AbortSignal): Promise<Repository> {
  const path = absolutePath(folder, 'repo');
  const bare = await git(path, ['rev-parse', '--is-bare-repository'], { signal });
  const what = bare.trim() === 'true' ? '--absolute-git-dir' : '--show-toplevel';
  const top = withoutNewline(await git(path, ['rev-parse', what], { signal }));
  const common = await git(path, ['rev-parse', '--path-format=absolute', '--git-common-dir'], { signal });
  return { top, commonDir: await canonicalPath(withoutNewline(common)) };
}

/** The worktrees of a repository, the main checkout first. */
export async function worktreesOf(
  { commonDir }: Pick<Repository, 'commonDir'>,
  signal: AbortSignal,
): Promise<FoundWorktree[]> {
  const output = await git(commonDir, ['worktree', 'list', '--porcelain', '-z'], { signal });
  const found = parseWorktrees(output);
  return Promise.all(found.map(async (worktree) => ({ ...worktree, isMissing: await isMissing(worktree.path) })));
}

/** Which worktree a caller means: by its folder or by its branch. */
export interface Which {
  readonly path?: string | undefined;
  readonly branch?: string | undefined;
}

/** @throws `invalid_params` unless exactly one of the two is given; `worktree_not_found` */
export async function worktreeIn(repository: Repository, which: Which, signal: AbortSignal): Promise<FoundWorktree> {
  const { path, branch } = which;
  if ((path === undefined) === (branch === undefined)) fail('invalid_params', 'Give exactly one of path and branch.');
  const all = await worktreesOf(repository, signal);
  const found = path === undefined ? all.find((worktree) => worktree.branch === branch) : await atPath(all, path);
  if (found !== undefined && !isHalfMade(found)) return found;
  return fail('worktree_not_found', `The repository has no worktree ${path ?? `of the branch ${branch}`}.`, {
    repo: repository.top,
    ...(path === undefined ? { branch } : { path }),
  });
}

async function atPath(all: readonly FoundWorktree[], path: string): Promise<FoundWorktree | undefined> {
  const wanted = await canonicalPath(absolutePath(path, 'path'));
  for (const worktree of all) if ((await canonicalPath(worktree.path)) === wanted) return worktree;
  return undefined;
}

/** @throws `invalid_params` naming the parameter when the path is relative: the service has no folder of the caller's */
export function absolutePath(path: string, name: string): string {
  const whole = path === '~' || path.startsWith('~/') ? join(homedir(), path.slice(1)) : path;
  if (!isAbsolute(whole)) {
    fail('invalid_params', `\`${name}\` must be an absolute path, or begin with \`~/\`.`, { [name]: path });
  }
  return resolve(whole);
}

async function isMissing(path: string): Promise<boolean> {
  try {
    return !(await stat(path)).isDirectory();
  } catch {
    return true;
  }
}

/** git ends its answer with one newline; any other belongs to the path. */
const withoutNewline = (text: string) => text.replace(/\n$/, '');
