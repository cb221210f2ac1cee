import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { fail, SwitchyardError } from '@switchyard/protocol';
import { tryGit } from '../adapters/git-cli.js';
import { FILE_LIMIT_BYTES } from '../diff/git-diff.js';
import type { ChangesPage, ChangesQuestion } from '../diff/question.js';
import { readChanges } from '../diff/read-changes.js';
import type { ChangedFile } from '../domain/diff/changed-file.js';
import { isSecretPath } from '../domain/diff/secret-paths.js';
import type { Changes, Compared } from '../domain/review/changes.js';
import { linesOf, type ReviewFile } from '../domain/review/file-text.js';

/** As in programa-api §8.3: a larger file is listed, and its lines are not shown. */
const SHOWN_FILE_BYTES = 400_000;
/** What a review takes on disk. Files beyond it are listed, and their lines are not shown. */
const SHOWN_BYTES = 16 * 1024 * 1024;
const PAGE = { files: 1000, bytes: 4 * 1024 * 1024, untracked: 10_000 };
/** Somebody who writes all the time is not waited for. */
const ATTEMPTS = 3;
const USUAL_BASE = 'origin/main';
const FURTHER_BASES = ['main', 'master'];
const NO_FILE = new Set(['ENOENT', 'ENOTDIR']);

/**
 * What has changed in the worktree that a folder is in.
 *
 * @throws `unavailable` with `data.directory` when it is in none; `not_found` when no base is a branch here;
 *   `too_many_changes`, `snapshot_changed` when the tree does not hold still, and what git answers
 */
export async function changesOf({ directory, mode, baseBranch }: Compared, signal: AbortSignal): Promise<Changes> {
  const bases = mode === 'branch' ? { bases: [baseBranch ?? USUAL_BASE, ...FURTHER_BASES] } : {};
  const pages = await inWorktree(directory, () => allPages({ folder: directory, mode, ...bases }, signal));
  const [first] = pages;
  return {
    directory: first.top,
    baseBranch: first.base?.name ?? 'HEAD',
    baseCommit: first.base?.commit ?? first.head,
    files: await shownFiles(
      first.top,
      pages.flatMap(({ files }) => files),
    ),
  };
}

/** The lines of a file in the commit that a review compares with; null: it has none there, or none that can be shown. */
export async function baseLines(
  { directory, baseCommit }: Pick<Changes, 'directory' | 'baseCommit'>,
  path: string,
  signal: AbortSignal,
): Promise<readonly string[] | null> {
  if (baseCommit === null || isSecretPath(Buffer.from(path))) return null;
  const args = ['cat-file', 'blob', `${baseCommit}:${path}`];
  const { exitCode, stdout } = await tryGit(directory, args, { signal, outputLimitBytes: FILE_LIMIT_BYTES });
  return exitCode !== 0 || stdout.includes(0) ? null : linesOf(stdout.toString('utf8'));
}

type Pages = readonly [ChangesPage, ...ChangesPage[]];

/** A tree that changes between two pages is looked at again from the first. */
async function allPages(question: ChangesQuestion, signal: AbortSignal): Promise<Pages> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await pagesOf(question, signal);
    } catch (error) {
      if (!(error instanceof SwitchyardError) || error.code !== 'snapshot_changed' || attempt === ATTEMPTS) throw error;
    }
  }
}

async function pagesOf(question: ChangesQuestion, signal: AbortSignal): Promise<Pages> {
  const first = await readChanges(question, PAGE, signal);
  if (first.untrackedOmitted > 0) {
    fail('too_many_changes', `Over ${PAGE.untracked} files are untracked: does .gitignore lack something?`, {
      limit: PAGE.untracked,
    });
  }
  const rest: ChangesPage[] = [];
  for (let { next } = first; next !== null; ) {
    const page = await readChanges(question, PAGE, signal, next);
    rest.push(page);
    next = page.next;
  }
  return [first, ...rest];
}

async function inWorktree<T>(directory: string, look: () => Promise<T>): Promise<T> {
  try {
    return await look();
  } catch (error) {
    const code = error instanceof SwitchyardError ? error.code : undefined;
    if (code !== 'not_a_git_repo' && code !== 'not_supported') throw error;
    const message = `${directory} is not in a worktree of git`;
    throw new SwitchyardError('unavailable', message, { directory }, { cause: error });
  }
}

async function shownFiles(top: string, files: readonly ChangedFile[]): Promise<ReviewFile[]> {
  const shown: ReviewFile[] = [];
  let bytes = 0;
  for (const file of files) {
    const isShown = file.kind === 'text' && bytes <= SHOWN_BYTES && (await isSmall(top, file));
    const next = isShown ? { ...file, diffable: true } : { ...withoutLines(file), diffable: false };
    bytes += costOf(next);
    shown.push(next);
  }
  return shown;
}

const withoutLines = (file: ChangedFile): ChangedFile => ({
  ...file,
  kind: file.kind === 'text' ? 'too_large' : file.kind,
  hunks: [],
});

async function isSmall(top: string, { path, status }: ChangedFile): Promise<boolean> {
  if (status === 'deleted') return true;
  try {
    return (await lstat(join(top, path))).size <= SHOWN_FILE_BYTES;
  } catch (error) {
    // It was removed since: the diff is of when it was there.
    if (error instanceof Error && 'code' in error && NO_FILE.has(String(error.code))) return true;
    throw error;
  }
}

function costOf({ hunks }: ReviewFile): number {
  let chars = 0;
  for (const { lines } of hunks) for (const { text } of lines) chars += text.length;
  return chars;
}
