import { randomUUID } from 'node:crypto';
import type { Bus, CallOptions } from '@switchyard/bus';
import { fail, SwitchyardError } from '@switchyard/protocol';
import { succeeded, tryGitChange } from '../adapters/git-cli.js';
import {
  type AgentFact,
  blocksAlways,
  blocksWithoutForce,
  type Item,
  inventoryOf,
} from '../domain/removal/inventory.js';
import { type Manifest, recoveryId, recoveryRef } from '../domain/removal/manifest.js';
import type { Operation } from '../operations.js';
import { ChangedError } from './content.js';
import { type Closed, closeWorkspace, type WorkspaceName } from './occupants.js';
import type { RecoveredFolder } from './recovered-folder.js';
import { readRegistrations } from './registrations.js';
import { ARCHIVE_LIMIT, isUnchanged, publish, save, sizeOf, unsave } from './save.js';
import { type FullSurvey, survey } from './survey.js';
import type { Target } from './target.js';

/** Somebody writes into the worktree all the time: then it is not the moment to remove it. */
const MOST_TRIES = 3;

/** What a removal works with. */
export interface RemovalParts {
  readonly bus: Bus;
  readonly recovered: RecoveredFolder;
}

/** What the journal keeps of a removal. */
export interface RemovalFacts {
  readonly path: string;
  readonly branch: string | null;
  /** Name of the registration. */
  readonly name: string;
  readonly force: boolean;
  readonly workspace: WorkspaceName | null;
}

export const REMOVE = 'worktree.remove';

/** What the answer to a removal, or to a refused one, is made of. */
export interface Looked {
  readonly survey: FullSurvey;
  readonly items: readonly Item[];
}

/** @param half git has begun to remove it: that tracked files are missing says nothing */
export async function lookAt(
  target: Target,
  agents: readonly AgentFact[],
  signal: AbortSignal,
  half = false,
): Promise<Looked> {
  const all = await survey(target, signal);
  const found = half ? withoutDeletions(all) : all;
  return { survey: found, items: inventoryOf(found, agents) };
}

function withoutDeletions(all: FullSurvey): FullSurvey {
  const deleted = new Set(all.files.deleted);
  const modified = all.files.modified.filter(({ path }) => !deleted.has(path));
  return { ...all, modified, files: { ...all.files, modified, deleted: [] } };
}

/**
 * Refuses a removal that would lose something, or that could not save it.
 * @throws `worktree_dirty` with the inventory; `invalid_state` where force does not help
 */
export async function refuse(target: Target, { survey: found, items }: Looked, force: boolean): Promise<void> {
  const { path, branch } = target;
  if (blocksAlways(items)) {
    fail('invalid_state', 'Other worktrees lie inside this one. Remove those first.', {
      path,
      branch,
      inventory: items,
    });
  }
  if (force || !blocksWithoutForce(items)) return;
  const { files, bytes } = await sizeOf(target, found);
  const reasons = items.filter(({ blocks }) => blocks !== 'no').map(({ text }) => text);
  fail('worktree_dirty', `The worktree holds what is nowhere else. ${reasons.join(' ')}`, {
    path,
    branch,
    inventory: items,
    archive: { files, bytes, possible: files <= ARCHIVE_LIMIT.files && bytes <= ARCHIVE_LIMIT.bytes },
  });
}

export interface SaveAllOptions {
  readonly operation: Operation;
  readonly force: boolean;
  readonly reason: Manifest['reason'];
  readonly signal: AbortSignal;
  /** See {@link lookAt}. */
  readonly half?: boolean;
}

/**
 * Saves what would be lost, as it is at one moment: a file that changes meanwhile makes it begin anew.
 * @returns null when there was nothing to save
 * @throws `worktree_changing` when it never stood still
 */
export async function saveAll(
  { recovered }: Pick<RemovalParts, 'recovered'>,
  target: Target,
  first: Looked,
  options: SaveAllOptions,
): Promise<Manifest | null> {
  const { operation, force, reason, signal, half } = options;
  if (!hasToSave(first, force)) return null;
  const id = recoveryId(Date.now(), randomUUID());
  const about = { id, repo: target.commonDir, ref: recoveryRef(target.branch, id) };
  await operation.step('saving', about);
  let looked = first;
  for (let attempt = 1; attempt <= MOST_TRIES; attempt++) {
    try {
      const saving = { id, operation: operation.id, signal, reason, withFiles: force, items: looked.items };
      const { manifest, signatures } = await save(recovered, target, looked.survey, saving);
      await publish(target, manifest, operation.id, signal);
      const before = looked;
      looked = await lookAt(target, [], signal, half);
      if (markOf(looked.survey) === markOf(before.survey) && (await isUnchanged(signatures))) return manifest;
    } catch (error) {
      if (!(error instanceof ChangedError)) {
        await unsave(recovered, about, operation.id, uninterrupted());
        throw error;
      }
      looked = await lookAt(target, [], signal, half);
    }
    await unsave(recovered, about, operation.id, uninterrupted());
    await refuse(target, looked, force);
  }
  return fail('worktree_changing', 'Files in the worktree keep changing. Stop what writes them first.', {
    path: target.path,
  });
}

/** Removes the worktree with git, and closes its workspace. From here on it cannot be withdrawn. */
export async function carryOut(
  parts: RemovalParts,
  target: Target,
  operation: Operation,
  { signal, ...options }: CallOptions & { force: boolean; workspace: WorkspaceName | null; signal: AbortSignal },
): Promise<Closed> {
  if (signal.aborted) fail('cancelled', 'The caller withdrew the request before anything was removed.');
  await operation.step('removing');
  await removeWithGit(target, options.force, operation.id);
  await operation.step('removed');
  return finish(parts, operation, options);
}

/** What is left to be done once the worktree is gone. */
export function finish(
  { bus }: Pick<RemovalParts, 'bus'>,
  operation: Operation,
  { workspace, ...options }: CallOptions & { workspace: WorkspaceName | null },
): Promise<Closed> {
  return closeWorkspace(bus, workspace, `${operation.id}-close`, { ...options, timeoutMs: CLOSE_TIMEOUT_MS });
}

const CLOSE_TIMEOUT_MS = 30_000;

/**
 * @throws `worktree_dirty` when git found something that was not there a moment ago, `git_command_failed`; in both
 *   cases the worktree is still registered
 */
export async function removeWithGit(target: Target, force: boolean, operation: string): Promise<void> {
  const args = ['worktree', 'remove', ...(force ? ['--force'] : []), '--', target.path];
  const run = await tryGitChange(target.commonDir, args, { operation, signal: uninterrupted() });
  if (run.exitCode === 0) return;
  const isRegistered = (await readRegistrations(target.commonDir)).some(({ name }) => name === target.name);
  // git takes the registration away even when some file could not be deleted: then those files are left, unharmed.
  if (!isRegistered) return;
  if (/contains modified or untracked files/.test(run.stderr)) {
    throw new SwitchyardError('worktree_dirty', 'Something was written into the worktree just now. Try again.', {
      path: target.path,
      stderr: run.stderr,
    });
  }
  succeeded(target.commonDir, args, run);
}

/** A signal that nobody gives: what has begun is carried out. git has its own limit of time. */
export const uninterrupted = (): AbortSignal => new AbortController().signal;

/** Everything that is seen of a worktree, in a form that can be compared. */
function markOf({ files, index: _index, ...rest }: FullSurvey): string {
  return JSON.stringify([rest, files.folders, files.deleted, files.rebuildable.files]);
}

function hasToSave({ items, survey: { files, looseObjects } }: Looked, force: boolean): boolean {
  if (looseObjects.length > 0 || (force && files.deleted.length > 0)) return true;
  const saved = items.filter(({ saved_in }) => saved_in === 'recovery_ref' || saved_in === 'archive');
  return force ? saved.length > 0 : saved.some(({ kind }) => kind === 'past_commits');
}
