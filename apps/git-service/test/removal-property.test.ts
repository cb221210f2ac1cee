import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Result } from '@switchyard/protocol';
import { SwitchyardError } from '@switchyard/protocol';
import { tempDir } from '@switchyard/testing';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Act, acts, RandomWorktree, Witness } from './random-worktree.js';
import { GitService } from './service-kit.js';

/** Each takes a second or two; more are worth it after a change: `REMOVAL_RUNS=500`. */
const RUNS = Number(process.env['REMOVAL_RUNS'] ?? 8);
/** On a machine that is busy with everything else. */
const LIMIT_MS = 20_000 * RUNS + 60_000;
/** A failure is told with what has been found so far, rather than as a time-out. */
const OPTIONS = { numRuns: RUNS, interruptAfterTimeLimit: LIMIT_MS - 30_000 };
/** What tools make again is not kept by a removal without force (docs/worktree-removal.md). */
const REBUILDABLE = /^(node_modules|dist)\//;

/** Makes a worktree, lets things happen in it, and hands it to `check`. */
async function inWorktree(steps: readonly Act[], check: (scene: Scene) => Promise<void>): Promise<void> {
  const dir = tempDir('sy-prop');
  const worktree = new RandomWorktree(dir.path);
  const service = await GitService.start(dir.path);
  try {
    for (const step of steps) worktree.act(step);
    await check({ dir: dir.path, worktree, service, witness: new Witness(worktree.repo) });
  } finally {
    await service.stop();
    dir.remove();
  }
}

interface Scene {
  readonly dir: string;
  readonly worktree: RandomWorktree;
  readonly service: GitService;
  readonly witness: Witness;
}

/** Objects and file contents that there are, before anything is removed. */
function allOf({ worktree, witness }: Scene) {
  return { objects: witness.reachable(worktree.tree), files: witness.onDisk(worktree.tree) };
}

/** What can be had neither from git nor from an archive nor from the main checkout. */
function lost(
  scene: Scene,
  before: ReturnType<typeof allOf>,
  recovery: Result<'worktree.remove'>['recovery'],
): string[] {
  const { dir, worktree, witness } = scene;
  const elsewhere = new Set(witness.onDisk(worktree.repo.path).values());
  if (recovery !== null) {
    const out = join(dir, 'extracted');
    rmSync(out, { recursive: true, force: true });
    mkdirSync(out);
    execFileSync('tar', ['-xf', recovery.archive, '-C', out]);
    for (const id of witness.onDisk(out).values()) elsewhere.add(id);
  }
  const wanted = new Set([...before.objects, ...before.files.values()]);
  const missing = new Set(witness.lostAfterCollection(wanted).filter((id) => !elsewhere.has(id)));
  const names = [...before.files].filter(([, id]) => missing.has(id)).map(([path]) => path);
  const anonymous = [...missing].filter((id) => ![...before.files.values()].includes(id));
  return [...names, ...anonymous];
}

describe('whatever has happened in a worktree', () => {
  it(
    'its removal without force loses nothing: it refuses, or everything is still to be had',
    async () => {
      await fc.assert(
        fc.asyncProperty(acts(), (steps) =>
          inWorktree(steps, async (scene) => {
            const before = allOf(scene);
            const { tree, repo } = scene.worktree;
            let recovery: Result<'worktree.remove'>['recovery'] = null;
            try {
              recovery = (await scene.service.call('worktree.remove', { repo: repo.path, path: tree })).recovery;
            } catch (error) {
              if (!(error instanceof SwitchyardError) || error.code !== 'worktree_dirty') throw error;
              expect(allOf(scene)).toEqual(before);
              return;
            }
            expect(existsSync(tree)).toBe(false);
            expect(lost(scene, before, recovery).filter((path) => !REBUILDABLE.test(path))).toEqual([]);
          }),
        ),
        OPTIONS,
      );
    },
    LIMIT_MS,
  );

  it(
    'its removal with force loses nothing, and it can be made again as it was',
    async () => {
      await fc.assert(
        fc.asyncProperty(acts(), (steps) =>
          inWorktree(steps, async (scene) => {
            const before = allOf(scene);
            const { tree, repo } = scene.worktree;
            const looks = lookOf(scene);
            const { recovery } = await scene.service.call('worktree.remove', {
              repo: repo.path,
              path: tree,
              force: true,
            });
            expect(existsSync(tree)).toBe(false);
            expect(lost(scene, before, recovery)).toEqual([]);
            if (recovery === null) return;
            await scene.service.call('worktree.recover', { repo: repo.path, id: recovery.id });
            expect(lookOf(scene)).toEqual(looks);
          }),
        ),
        OPTIONS,
      );
    },
    LIMIT_MS,
  );
});

/** A worktree as git and the disk show it. */
function lookOf({ worktree: { repo, tree }, witness }: Scene) {
  return {
    head: repo.gitIn(tree, 'status', '--porcelain=v2', '--branch', '-z', '--untracked-files=all', '--ignored'),
    index: repo.gitIn(tree, 'ls-files', '-v', '--stage', '-z'),
    // Looking refreshes the index of a repository inside.
    files: Object.fromEntries([...witness.onDisk(tree)].filter(([path]) => !path.endsWith('/.git/index'))),
  };
}
