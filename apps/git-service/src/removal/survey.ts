import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { canonicalPath } from '../adapters/canonical-path.js';
import { git, gitBytes, tryGit } from '../adapters/git-cli.js';
import { type ByteText, byteText, shown } from '../domain/removal/byte-text.js';
import type { FileFact, LooseObject, Survey } from '../domain/removal/inventory.js';
import {
  isOfThePresent,
  mayNameObjects,
  objectIdsIn,
  operationsIn,
  parseStash,
  STASH_ARGS,
  type StashEntry,
  tipsOf,
} from '../domain/removal/private-objects.js';
import type { IndexEntry } from '../domain/removal/status-entries.js';
import { readRegistrations } from './registrations.js';
import { indexMark, readIndex, type SurveyedFiles, surveyFiles } from './survey-files.js';
import type { Target } from './target.js';
import { absolute, walk } from './walk.js';

/** What git keeps in a file of its own beside the index is small; this is no such file. */
const PRIVATE_TEXT_LIMIT_BYTES = 16 * 1024 * 1024;
/** A walk of the whole history of a large repository. */
const HISTORY_TIMEOUT_MS = 120_000;
const HISTORY_LIMIT_BYTES = 256 * 1024 * 1024;
export const RECOVERY_REFS = 'refs/switchyard/recovery/';

/** A survey, and what saving needs besides. */
export interface FullSurvey extends Survey {
  readonly files: SurveyedFiles;
  readonly index: readonly IndexEntry[];
  /** Changes when anything in the index does. */
  readonly indexMark: string;
}

const NO_FILES: SurveyedFiles = {
  modified: [],
  staged: [],
  conflicted: [],
  hiddenChanges: [],
  untracked: [],
  ignored: [],
  ignoredCopies: [],
  rebuildable: { places: [], files: 0, bytes: 0, more: false, found: [] },
  nestedRepositories: [],
  folders: [],
  submodules: [],
  deleted: [],
};

/** Looks at everything a worktree holds, in git and on disk. Changes nothing. */
export async function survey(target: Target, signal: AbortSignal): Promise<FullSurvey> {
  const index = await readIndex(target, signal);
  const files = target.present ? await surveyFiles(target, index, signal) : NO_FILES;
  const privateFiles = await filesIn(target.gitDir);
  const objects = await namedObjects(target, privateFiles, signal);
  const present = await lostCommits(target, objects.present, [], signal);
  const past = await lostCommits(target, objects.past, ['--reflog'], signal);
  return {
    ...files,
    submodules: files.submodules.map(shown),
    staged: target.present ? files.staged : await stagedWithoutFolder(target, signal),
    files,
    index,
    indexMark: indexMark(index),
    present: target.present,
    nestedWorktrees: await nestedWorktrees(target),
    unreferenced: tipsOf(present),
    unreferencedCount: linesOf(present).length,
    past: tipsOf(past),
    pastCount: linesOf(past).length,
    looseObjects: objects.loose,
    operations: operationsIn(privateFiles),
    stash: await stashOf(target, signal),
    unpushed: await unpushed(target, signal),
  };
}

/** All private files of a worktree, relative to its private folder. */
async function filesIn(gitDir: string): Promise<ByteText[]> {
  const files: ByteText[] = [];
  for await (const { path, type } of walk(gitDir, '')) if (type === 'file') files.push(path);
  return files;
}

/** The objects that private files name, sorted by what they are and by whether they belong to the present. */
async function namedObjects(target: Target, files: readonly ByteText[], signal: AbortSignal) {
  const present = new Set(target.branch === null && target.head !== null ? [target.head] : []);
  const past = new Set<string>();
  for (const path of files.filter(mayNameObjects)) {
    const content = await readFile(absolute(target.gitDir, path));
    if (content.length > PRIVATE_TEXT_LIMIT_BYTES) continue;
    for (const id of objectIdsIn(content.toString('latin1'))) (isOfThePresent(path) ? present : past).add(id);
  }
  await addFromReftable(target, files, present, past, signal);
  const kinds = await kindsOf(target, [...new Set([...present, ...past])], signal);
  const commits = (ids: ReadonlySet<string>) =>
    [...ids].filter((id) => ['commit', 'tag'].includes(kinds.get(id) ?? ''));
  const loose = [...present, ...past].flatMap((id): LooseObject[] => {
    const type = kinds.get(id);
    return type === 'tree' || type === 'blob' ? [{ id, type }] : [];
  });
  return { present: commits(present), past: commits(past), loose };
}

/** In that format private references and reflogs are no text. */
async function addFromReftable(
  target: Target,
  files: readonly ByteText[],
  present: Set<string>,
  past: Set<string>,
  signal: AbortSignal,
): Promise<void> {
  if (!files.some((path) => path.startsWith('reftable/'))) return;
  const options = { signal, env: { GIT_DIR: target.gitDir } };
  const refs = ['for-each-ref', '--format=%(objectname)', 'refs/worktree', 'refs/bisect', 'refs/rewritten'];
  for (const id of linesOf(await git(target.commonDir, refs, options))) present.add(id);
  const log = await tryGit(target.commonDir, ['log', '-g', '--format=%H', 'HEAD', '--'], options);
  for (const id of linesOf(log.stdout.toString('utf8'))) past.add(id);
}

/** Kind of each object that exists. */
async function kindsOf(target: Target, ids: readonly string[], signal: AbortSignal): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const output = await git(target.commonDir, ['cat-file', '--batch-check=%(objectname) %(objecttype)'], {
    signal,
    input: `${ids.join('\n')}\n`,
    env: { GIT_DIR: target.commonDir },
  });
  const known = linesOf(output).map((line) => line.split(' ') as [string, string]);
  return new Map(known.filter(([, kind]) => kind !== 'missing'));
}

/**
 * Commits that nothing but what goes with the worktree holds. References of other worktrees do not count: those may go
 * next. Nor do recovery references, which are for dropping.
 *
 * @param more what else counts as a holder
 * @returns a commit and its parents a line
 */
function lostCommits(target: Target, ids: readonly string[], more: readonly string[], signal: AbortSignal) {
  if (ids.length === 0) return '';
  const holders = ['--single-worktree', `--exclude=${RECOVERY_REFS}*`, '--not', '--all', ...more];
  return git(target.commonDir, ['rev-list', '--parents', '--stdin', ...holders], {
    signal,
    input: `${ids.join('\n')}\n`,
    timeoutMs: HISTORY_TIMEOUT_MS,
    outputLimitBytes: HISTORY_LIMIT_BYTES,
    env: { GIT_DIR: target.commonDir },
  });
}

/** Also of what is only announced (`git add -N`). */
const STAGED_ARGS = ['diff-index', '--cached', '--ita-visible-in-index', '--name-only', '--no-renames', '-z'];

/** What the index of a worktree whose folder is away has beyond its commit. */
async function stagedWithoutFolder(target: Target, signal: AbortSignal): Promise<FileFact[]> {
  const base = target.head ?? (await emptyTree(target, signal));
  const output = await gitBytes(target.commonDir, [...STAGED_ARGS, base], { signal, env: { GIT_DIR: target.gitDir } });
  const paths = byteText(output).split('\0');
  return paths.filter((path) => path !== '').map((path) => ({ path, bytes: 0 }));
}

async function emptyTree(target: Target, signal: AbortSignal): Promise<string> {
  return (await git(target.commonDir, ['hash-object', '-t', 'tree', '/dev/null'], { signal })).trim();
}

/** Entries made on the branch of the worktree; on a detached HEAD those that were made on one. */
async function stashOf(target: Target, signal: AbortSignal): Promise<StashEntry[]> {
  const options = { signal, env: { GIT_DIR: target.commonDir } };
  const exists = await tryGit(target.commonDir, ['show-ref', '--verify', '--quiet', 'refs/stash'], options);
  if (exists.exitCode !== 0) return [];
  const branch = target.branch ?? (await branchInRebase(target));
  const entries = parseStash(await git(target.commonDir, STASH_ARGS, options));
  return entries.filter((entry) => entry.branch === branch);
}

/** While a branch is rebased the HEAD is detached. */
export async function branchInRebase({ gitDir }: Pick<Target, 'gitDir'>): Promise<string | null> {
  for (const folder of ['rebase-merge', 'rebase-apply']) {
    try {
      const name = (await readFile(join(gitDir, folder, 'head-name'), 'utf8')).trim();
      if (name.startsWith('refs/heads/')) return name.slice('refs/heads/'.length);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))) {
        throw error;
      }
    }
  }
  return null;
}

async function nestedWorktrees({ commonDir, path, name }: Target): Promise<string[]> {
  const outer = await canonicalPath(path);
  const nested: string[] = [];
  for (const other of await readRegistrations(commonDir)) {
    if (other.name === name || other.path === null || other.folder !== 'present') continue;
    if ((await canonicalPath(other.path)).startsWith(`${outer}/`)) nested.push(other.path);
  }
  return nested;
}

async function unpushed(target: Target, signal: AbortSignal): Promise<number | null> {
  if (target.head === null) return null;
  const options = { signal, env: { GIT_DIR: target.commonDir }, timeoutMs: HISTORY_TIMEOUT_MS };
  const remote = await git(target.commonDir, ['for-each-ref', '--count=1', 'refs/remotes'], options);
  if (remote === '') return null;
  const count = await git(target.commonDir, ['rev-list', '--count', target.head, '--not', '--remotes'], options);
  return Number(count.trim());
}

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '');
