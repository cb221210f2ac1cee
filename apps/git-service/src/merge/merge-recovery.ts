import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { tryGit } from '../adapters/git-cli.js';
import { outliveOrphans } from '../adapters/orphans.js';
import type { Recover } from '../changes.js';
import type { Operation } from '../operations.js';
import { isMissing } from '../removal/walk.js';
import { type Holder, type MergeFacts, moveReference } from './merge.js';
import { takeBackCheckout } from './take-back.js';

/** A git that outlived us writes the changed files of one checkout. */
const ORPHAN_PATIENCE_MS = 60_000;
const ORPHAN_GRACE_MS = 3_000;
/** A git of the user's that has just begun is done with its lock by then. */
const LOCK_PATIENCE_MS = 2_000;
const LOOK_AGAIN_MS = 50;

/**
 * Ends a merge whose service died. git writes the files of a checkout first, then its index, then the branch: what it had
 * not come to is taken back, file by file, or, when only the branch was left, carried out.
 */
export const mergeRecovery: Recover = async (operation, signal) => {
  await outliveOrphans(operation.id, {
    settled: async () => false,
    patienceMs: ORPHAN_PATIENCE_MS,
    graceMs: ORPHAN_GRACE_MS,
    signal,
  });
  const facts = operation.facts as unknown as MergeFacts;
  const { base, after, holder } = facts;
  const begun = operation.did('moving') !== undefined;
  if (begun && (await holds(operation.repo, `refs/heads/${base}`, after, signal))) {
    return operation.recovered('completed', `The merge into ${base} was cut off after it had been done.`);
  }
  if (!begun || holder === null)
    return operation.recovered('undone', `The merge into ${base} was cut off and not done.`);
  return endCheckout(operation, facts, holder, signal);
};

async function endCheckout(operation: Operation, facts: MergeFacts, holder: Holder, signal: AbortSignal) {
  await removeDeadLock(holder, signal);
  const env = { GIT_DIR: holder.gitDir };
  const indexIs = async (commit: string) =>
    (await tryGit(holder.path, ['diff-index', '--cached', '--quiet', commit, '--'], { signal, env })).exitCode === 0;
  if (await indexIs(facts.after)) {
    await moveReference(operation.repo, facts, operation.id, 'worktree.merge, after a crash');
    return operation.recovered('completed', `The merge into ${facts.base} was cut off and has been completed.`);
  }
  const left = (await indexIs(facts.before)) ? await takeBackCheckout(holder, facts, operation.id, signal) : [];
  const but =
    left.length === 0 ? '' : ` These files are neither as before nor as after, and were left: ${left.join(', ')}.`;
  return operation.recovered('undone', `The merge into ${facts.base} was cut off and has been taken back.${but}`);
}

/** Whether a branch has a commit: it is there, or beneath what came later. */
async function holds(repo: string, ref: string, commit: string, signal: AbortSignal): Promise<boolean> {
  const options = { signal, env: { GIT_DIR: repo } };
  return (await tryGit(repo, ['merge-base', '--is-ancestor', commit, ref], options)).exitCode === 0;
}

/** The lock of a git that was killed with us. One that is younger than this run belongs to somebody. */
async function removeDeadLock({ gitDir }: Holder, signal: AbortSignal): Promise<void> {
  const lock = join(gitDir, 'index.lock');
  const until = performance.now() + LOCK_PATIENCE_MS;
  while (performance.now() < until && (await ageOf(lock)) !== null) await delay(LOOK_AGAIN_MS, undefined, { signal });
  const age = await ageOf(lock);
  if (age !== null && age > LOCK_PATIENCE_MS) await rm(lock, { force: true });
}

/** Milliseconds; null when it is not there. */
async function ageOf(path: string): Promise<number | null> {
  try {
    return Date.now() - (await stat(path)).mtimeMs;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}
