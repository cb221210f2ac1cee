import { createHash } from 'node:crypto';
import { type Result, SwitchyardError } from '@switchyard/protocol';
import { tryGit } from '../adapters/git-cli.js';
import { gitStatus } from '../adapters/git-status.js';
import { marksOf } from '../adapters/tree-files.js';
import { statusFile } from '../domain/status/status-file.js';
import type { StatusEntry } from '../domain/status/status-reader.js';
import { DIFF_ENV } from './git-diff.js';
import { type Repository, repositoryOf } from './repository.js';

export type Status = Result<'workspace.git.status'>;

/** Files that are told one by one; the rest is counted. */
const FILES_LIMIT = 1000;
const NO_FILES = {
  counts: { staged: 0, unstaged: 0, untracked: 0, conflicted: 0 },
  files: [],
  hidden: 0,
  snapshot: null,
};
const NO_UPSTREAM = { upstream: null, ahead: null, behind: null };
const NO_REPOSITORY: Status = {
  is_repository: false,
  root: null,
  bare: false,
  branch: null,
  detached: false,
  head: null,
  ...NO_UPSTREAM,
  ...NO_FILES,
};

/**
 * The state of the worktree that a folder is in. A folder in no repository is an answer, and no error.
 *
 * @param untracked whether to look for files that git does not know
 * @throws `not_supported` when the installed git does not know the format of the repository; what `git` throws
 */
export async function readStatus(folder: string, untracked: boolean, signal: AbortSignal): Promise<Status> {
  const repository = await repositoryOrNull(folder, signal);
  if (repository === null) return NO_REPOSITORY;
  return repository.top === null ? statusWithoutFiles(repository, signal) : statusOf(repository.top, untracked, signal);
}

async function repositoryOrNull(folder: string, signal: AbortSignal): Promise<Repository | null> {
  try {
    return await repositoryOf(folder, signal);
  } catch (error) {
    if (error instanceof SwitchyardError && error.code === 'not_a_git_repo') return null;
    throw error;
  }
}

async function statusOf(top: string, untracked: boolean, signal: AbortSignal): Promise<Status> {
  const hash = createHash('sha256');
  const args = ['--ahead-behind', '--find-renames', `--untracked-files=${untracked ? 'all' : 'no'}`];
  const reader = await gitStatus(top, args, FILES_LIMIT, { signal, env: DIFF_ENV }, (piece) => hash.update(piece));
  const marks = await marksOf(top, reader.entries.map(fileOf));
  for (const { mark } of marks) hash.update(`\0${mark}`);
  return {
    is_repository: true,
    root: top,
    bare: false,
    ...reader.head,
    counts: reader.counts,
    files: reader.entries.map(statusFile),
    hidden: reader.hidden,
    snapshot: hash.digest('base64url'),
  };
}

/** The file of an entry, if it can be other than what git has of it. */
function fileOf({ path, xy, isConflict }: StatusEntry): Buffer | null {
  return isConflict || (xy[1] !== '.' && xy[1] !== 'D') ? path : null;
}

async function statusWithoutFiles({ gitDir, head }: Repository, signal: AbortSignal): Promise<Status> {
  const { exitCode, stdout } = await tryGit(gitDir, ['symbolic-ref', '--quiet', '--short', 'HEAD'], { signal });
  const branch = exitCode === 0 ? stdout.toString('utf8').replace(/\n$/, '') : null;
  return {
    is_repository: true,
    root: gitDir,
    bare: true,
    branch,
    detached: branch === null,
    head,
    ...NO_UPSTREAM,
    ...NO_FILES,
  };
}
