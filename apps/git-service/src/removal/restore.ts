import { lstat, rm, rmdir } from 'node:fs/promises';
import { fail } from '@switchyard/protocol';
import { gitChange, tryGit } from '../adapters/git-cli.js';
import { outliveOrphans } from '../adapters/orphans.js';
import { worktreesOf } from '../adapters/repository.js';
import type { Recover } from '../changes.js';
import { type ByteText, shown } from '../domain/removal/byte-text.js';
import type { Manifest } from '../domain/removal/manifest.js';
import type { Operation } from '../operations.js';
import { extractArchive } from './archive-reader.js';
import { targetNamed } from './find-target.js';
import type { RecoveredFolder } from './recovered-folder.js';
import { registrationAt } from './registrations.js';
import { lookAt, type RemovalParts, saveAll } from './remove.js';
import { FILES_PREFIX, PRIVATE_PREFIX } from './save.js';
import { absolute, isMissing } from './walk.js';

export const RESTORE = 'worktree.recover';
/** A git that outlived us writes the files of one worktree. */
const ORPHAN_PATIENCE_MS = 60_000;
const ORPHAN_GRACE_MS = 3_000;
/** Git writes these for the new worktree itself; the old ones name the old place. */
const NOT_RESTORED = /^(HEAD|gitdir|commondir|locked|reftable(\/|$)|.*\.lock$)/;

export interface Restored {
  readonly path: string;
  /** null: the branch is checked out elsewhere, or has gone on, so that the HEAD is detached at the commit. */
  readonly branch: string | null;
  readonly head: string | null;
  /** Files taken from the archive. */
  readonly files: number;
}

export interface RestoreOptions {
  /** Canonical common folder of the repository. */
  readonly repo: string;
  readonly path: string;
  readonly operation: Operation;
  readonly signal: AbortSignal;
}

/**
 * Makes a worktree again as it was when it was removed: HEAD, index, files, what was in progress. What was saved stays.
 * @throws `worktree_path_exists`, `git_command_failed`, `not_found` when its branch has gone
 */
export async function restore(
  recovered: RecoveredFolder,
  manifest: Manifest,
  options: RestoreOptions,
): Promise<Restored> {
  const { repo, path, signal } = options;
  const operation = options.operation.id;
  if (await exists(path)) fail('worktree_path_exists', `${path} exists already. Name another path.`, { path });
  const branch = await freeBranch(manifest, repo, signal);
  const change = { operation, signal };
  const start = manifest.head ?? (await emptyCommit(repo, change));
  // Without a checkout, and so without its hook: what that would prepare is in the archive.
  await options.operation.step('adding');
  await gitChange(repo, ['worktree', 'add', '--no-checkout', '--detach', '--', path, start], change);
  try {
    const files = await fill(recovered, manifest, path, options, branch);
    await options.operation.step('filled');
    return { path, branch, head: manifest.head, files };
  } catch (error) {
    await gitChange(repo, ['worktree', 'remove', '--force', '--force', '--', path], { ...change, signal: fresh() });
    throw error;
  }
}

async function fill(
  recovered: RecoveredFolder,
  manifest: Manifest,
  path: string,
  { repo, operation, signal }: RestoreOptions,
  branch: string | null,
): Promise<number> {
  const registration = await registrationAt(repo, path);
  if (registration === undefined) throw new Error(`git made no registration for ${path}`);
  const inIt = { operation: operation.id, signal };
  if (branch !== null) await gitChange(path, ['symbolic-ref', 'HEAD', `refs/heads/${branch}`], inIt);
  if (manifest.head !== null) await gitChange(path, ['reset', '--hard', '--quiet', 'HEAD'], inIt);
  // Before anything comes from the archive: a folder may have taken the place of a file.
  await removeDeleted(path, manifest.deleted);
  const files = await extractArchive(recovered.archiveOf(manifest.id), (name) => {
    if (name.startsWith(FILES_PREFIX)) return { root: path, path: name.slice(FILES_PREFIX.length) };
    const inPrivate = name.startsWith(PRIVATE_PREFIX) ? name.slice(PRIVATE_PREFIX.length) : '';
    return inPrivate === '' || NOT_RESTORED.test(inPrivate) ? null : { root: registration.gitDir, path: inPrivate };
  });
  // Times and inodes are new; contents are compared once. Changes are no failure of it.
  await tryGit(path, ['update-index', '-q', '--refresh'], { signal, env: { GIT_OPTIONAL_LOCKS: '1' } });
  return files;
}

/** The branch, where HEAD can be on it as it was: it has no other worktree and points to the same commit. */
async function freeBranch(manifest: Manifest, repo: string, signal: AbortSignal): Promise<string | null> {
  const { branch, head } = manifest;
  if (branch === null) return null;
  const taken = (await worktreesOf({ commonDir: repo }, signal)).some((worktree) => worktree.branch === branch);
  if (taken) return null;
  const name = `refs/heads/${branch}`;
  const found = await tryGit(repo, ['rev-parse', '--verify', '--quiet', name], { signal, env: { GIT_DIR: repo } });
  const now = found.stdout.toString('utf8').trim();
  return (now === '' ? null : now) === head ? branch : null;
}

/** A worktree cannot be added without a commit; HEAD leaves this one at once. */
async function emptyCommit(repo: string, change: { operation: string; signal: AbortSignal }) {
  const tree = (await gitChange(repo, ['mktree'], { ...change, input: '' })).trim();
  const env = {
    GIT_AUTHOR_NAME: 'Switchyard',
    GIT_AUTHOR_EMAIL: 'switchyard@localhost',
    GIT_COMMITTER_NAME: 'Switchyard',
    GIT_COMMITTER_EMAIL: 'switchyard@localhost',
  };
  return (await gitChange(repo, ['commit-tree', tree, '-m', 'empty'], { ...change, env })).trim();
}

async function removeDeleted(root: string, deleted: readonly ByteText[]): Promise<void> {
  for (const path of deleted) {
    if (path.split('/').includes('..'))
      throw new Error(`the manifest names a path that leads elsewhere: ${shown(path)}`);
    await rm(absolute(root, path), { force: true });
    await removeEmptyAbove(root, path);
  }
}

/** Git makes no folder without a file in it, and leaves none. */
async function removeEmptyAbove(root: string, path: ByteText): Promise<void> {
  for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
    try {
      await rmdir(absolute(root, path.slice(0, end)));
    } catch (error) {
      if (isMissing(error)) continue;
      if (isOccupied(error)) return;
      throw error;
    }
  }
}

const isOccupied = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOTEMPTY' || error.code === 'EEXIST');

async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

const fresh = (): AbortSignal => new AbortController().signal;

/**
 * Ends a restoring whose service died. What was made of the worktree is removed again; whatever somebody may have put
 * there since is saved before, as by any removal.
 */
export function restoreRecovery(parts: Pick<RemovalParts, 'recovered'>): Recover {
  return async (operation, signal) => {
    await outliveOrphans(operation.id, {
      settled: async () => false,
      patienceMs: ORPHAN_PATIENCE_MS,
      graceMs: ORPHAN_GRACE_MS,
      signal,
    });
    const { path } = operation.facts as { path: string };
    if (operation.did('filled') !== undefined) {
      return operation.recovered('completed', `Restoring ${path} was cut off after it had been done.`);
    }
    const registration = operation.did('adding') && (await registrationAt(operation.repo, path));
    const target = registration && (await targetNamed(operation.repo, registration.name, signal));
    if (target) {
      const looked = await lookAt(target, [], signal, true);
      await saveAll(parts, target, looked, { operation, force: true, reason: 'remove', signal, half: true });
      // Twice: while git makes a worktree it is locked.
      const args = ['worktree', 'remove', '--force', '--force', '--', path];
      await gitChange(operation.repo, args, { operation: operation.id, signal });
    }
    await operation.recovered('undone', `Restoring ${path} was cut off and taken back. What was saved is still there.`);
  };
}
