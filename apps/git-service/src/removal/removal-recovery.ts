import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { canonicalPath } from '../adapters/canonical-path.js';
import { outliveOrphans } from '../adapters/orphans.js';
import type { Recover } from '../changes.js';
import type { Facts } from '../domain/operation.js';
import type { Operation } from '../operations.js';
import { targetNamed } from './find-target.js';
import { gitDirOf } from './registrations.js';
import { finish, lookAt, type RemovalFacts, type RemovalParts, removeWithGit, saveAll } from './remove.js';
import { unsave } from './save.js';
import type { Target } from './target.js';

/** A git that outlived us deletes files: that is done in seconds, even in a large worktree. */
const ORPHAN_PATIENCE_MS = 60_000;
const ORPHAN_GRACE_MS = 3_000;

/**
 * Ends a removal whose service died. Before git was told to remove, everything is taken back: the worktree stands as it
 * did. From then on it is carried out, and what has appeared in the folder meanwhile is saved before.
 */
export function removalRecovery(parts: RemovalParts): Recover {
  return async (operation, signal) => {
    await outliveOrphans(operation.id, {
      settled: async () => false,
      patienceMs: ORPHAN_PATIENCE_MS,
      graceMs: ORPHAN_GRACE_MS,
      signal,
    });
    if (operation.did('removing') === undefined) return takeBack(parts, operation, signal);
    const facts = operation.facts as unknown as RemovalFacts;
    const target = await stillThere(operation, facts, signal);
    const also = target === undefined ? null : await carryOn(parts, target, operation, signal);
    await finish(parts, operation, { workspace: facts.workspace, signal });
    const ids = [savedId(operation.did('saving')), also].filter((id) => id !== null);
    const saved = ids.length === 0 ? '' : ` What it held is kept as ${[...new Set(ids)].join(' and ')}.`;
    return operation.recovered('completed', `The removal of ${facts.path} was cut off and has been completed.${saved}`);
  };
}

async function takeBack({ recovered }: RemovalParts, operation: Operation, signal: AbortSignal): Promise<void> {
  const saving = operation.did('saving');
  if (saving !== undefined) {
    const about = saving as unknown as { id: string; repo: string; ref: string };
    await unsave(recovered, about, operation.id, signal);
  }
  const { path } = operation.facts as unknown as RemovalFacts;
  await operation.recovered('undone', `The removal of ${path} was cut off before anything was removed.`);
}

/** The registration, unless another worktree has taken its name since. */
async function stillThere(operation: Operation, facts: RemovalFacts, signal: AbortSignal): Promise<Target | undefined> {
  if (operation.did('removed') !== undefined) return undefined;
  const target = await targetNamed(operation.repo, facts.name, signal);
  if (target === undefined) return undefined;
  const isSame = (await canonicalPath(target.path)) === (await canonicalPath(facts.path));
  // Something else may lie in its place by now.
  return isSame && (target.present || (await gitDirOf(target.path)) === null) ? target : undefined;
}

/** @returns id under which more was saved; null when there was nothing more */
async function carryOn(
  parts: RemovalParts,
  target: Target,
  operation: Operation,
  signal: AbortSignal,
): Promise<string | null> {
  const remains = { ...target, present: await hasFolder(target.path) };
  // Its `.git` file may be gone with half of the folder, and without it git would not remove the rest.
  if (remains.present && !target.present) await writeFile(join(target.path, '.git'), `gitdir: ${target.gitDir}\n`);
  const looked = await lookAt(remains, [], signal, true);
  const options = { operation, force: true, reason: 'remove', signal, half: true } as const;
  const saved = await saveAll(parts, remains, looked, options);
  // All that speaks against it is saved: git is not asked to look once more at what is half gone.
  await removeWithGit(target, true, operation.id);
  return saved?.id ?? null;
}

const savedId = (facts: Facts | undefined): string | null => (typeof facts?.['id'] === 'string' ? facts['id'] : null);

async function hasFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    // Missing, or on a disk that is away.
    return false;
  }
}
