import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Params, Result } from '@switchyard/protocol';
import { SwitchyardError } from '@switchyard/protocol';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { DeadlyGit } from './deadly-git.js';
import { KilledService } from './kill-kit.js';
import { TestRepo } from './test-repo.js';

/** A removal with everything to save changes something fewer times than this. */
const MOST_CHANGES = 20;
const LIMIT_MS = 300_000;
const CALL_MS = 60_000;
const UNTRACKED = 'nobody else has this\n';

const kit = new KilledService();
let git: DeadlyGit;
let count = 0;
beforeAll(async () => {
  await kit.start();
  git = new DeadlyGit(kit.dir);
});
afterAll(() => kit.stop());
afterEach(() => {
  git.disarm();
  kit.workspaces.onCall = () => undefined;
  kit.workspaces.unclosable.clear();
});

interface Scene {
  readonly repo: TestRepo;
  readonly tree: string;
  /** What the worktree was like. */
  readonly before: string;
}

/** A worktree with something of every kind that has to be saved, and a workspace on it. */
function newScene(): Scene {
  count++;
  const repo = new TestRepo(join(kit.dir, `repo-${count}`));
  for (const name of ['a', 'b', 'c']) repo.write(`files/${name}`, `${name}\n`);
  repo.write('.gitignore', '.env\n');
  repo.commit('files');
  const tree = join(kit.dir, `tree-${count}`);
  repo.git('worktree', 'add', '-q', '-b', 'fix', tree);
  repo.gitIn(tree, 'commit', '-q', '--allow-empty', '-m', 'reset away');
  repo.gitIn(tree, 'reset', '-q', '--hard', 'main');
  writeFileSync(join(tree, 'files/a'), 'staged\n');
  repo.gitIn(tree, 'add', 'files/a');
  writeFileSync(join(tree, 'files/b'), 'changed\n');
  writeFileSync(join(tree, 'untracked'), UNTRACKED);
  writeFileSync(join(tree, '.env'), 'SECRET=1\n');
  kit.workspaces.add(tree);
  return { repo, tree, before: lookOf(repo, tree) };
}

const lookOf = (repo: TestRepo, tree: string) =>
  [
    repo.gitIn(tree, 'status', '--porcelain=v2', '--branch', '--ignored'),
    repo.gitIn(tree, 'diff', 'HEAD'),
    readFileSync(join(tree, 'untracked'), 'utf8'),
    readFileSync(join(tree, '.env'), 'utf8'),
  ].join('\n');

const remove = ({ repo, tree }: Scene, more: Partial<Params<'worktree.remove'>> = {}, signal?: AbortSignal) =>
  kit.bus.call(
    'worktree.remove',
    { repo: repo.path, path: tree, force: true, ...more },
    { timeoutMs: CALL_MS, ...(signal && { signal }) },
  );

/** What git, the disk and the workspaces say, without the service. */
function stateOf({ repo, tree, before }: Scene): 'old' | 'new' | object {
  const linked = repo.linked();
  const open = kit.workspaces.on(tree).length;
  if (linked.length === 0 && open === 0 && !existsSync(tree)) return 'new';
  const same = existsSync(tree) && lookOf(repo, tree) === before;
  return linked.length === 1 && open === 1 && same ? 'old' : { linked, open, same };
}

/** Kills the service at a point of a request whose caller does not ask again. */
function killAndLook(scene: Scene, more: Partial<Params<'worktree.remove'>> = {}): Promise<'killed' | 'finished'> {
  return kit.killedIn((signal) => remove(scene, more, signal));
}

/** The state is one of the two, nothing is lost, and the next call says which it is. */
async function checkNextCall(scene: Scene): Promise<'old' | 'new'> {
  const { repo } = scene;
  const state = stateOf(scene);
  expect(['old', 'new']).toContainEqual(state);
  const journalled = kit.journal().length > 0;
  const { recoveries } = await kit.bus.call('worktree.recover', { repo: repo.path }, { timeoutMs: CALL_MS });
  if (state === 'old') {
    expect([recoveries, repo.git('for-each-ref', 'refs/switchyard')]).toEqual([[], '']);
  } else {
    expect(recoveries.some(({ archive }) => contentOf(archive, 'files/untracked') === UNTRACKED)).toBe(true);
    expect(recoveries.every(({ ref }) => ref === null || repo.git('rev-parse', ref) !== '')).toBe(true);
  }
  expect(leftovers()).toEqual([]);
  const next = await remove(scene).catch((error: unknown) => error);
  if (state === 'new' && !journalled) expect(next).toMatchObject({ code: 'worktree_not_found' });
  else {
    const { removed, recovered } = next as Result<'worktree.remove'>;
    expect(removed).toBe(true);
    expect(recovered?.outcome).toBe(journalled ? (state === 'new' ? 'completed' : 'undone') : undefined);
  }
  expect(stateOf(scene)).toBe('new');
  expect(kit.journal()).toEqual([]);
  repo.git('fsck', '--strict');
  return state as 'old' | 'new';
}

function contentOf(archive: string, name: string): string | undefined {
  try {
    return execFileSync('tar', ['-xOf', archive, name], { stdio: 'pipe' }).toString();
  } catch {
    return undefined;
  }
}

/** Halves of archives that nobody will finish. */
function leftovers(): string[] {
  const folder = join(kit.dir, 'state', 'recovered');
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.partial')) : [];
}

describe('worktree.remove, when the git-service is killed', () => {
  it.each(['orphan', 'both', 'after'] as const)(
    'at any change (%s), leaves the old state or the new one, and the next call says which',
    async (at) => {
      const states: string[] = [];
      for (let n = 1; n <= MOST_CHANGES; n++) {
        const scene = newScene();
        git.arm({ at, n });
        const outcome = await killAndLook(scene);
        git.disarm();
        if (outcome === 'finished') break;
        states.push(await checkNextCall(scene));
      }
      // While it saves, everything can be taken back; once git has been told to remove, it is carried out.
      expect(states.length).toBeGreaterThan(4);
      expect(states.slice(0, -1).every((state) => state === 'old')).toBe(true);
      expect(states.at(-1)).toBe('new');
    },
    LIMIT_MS,
  );

  it(
    'with half of the files gone, removes the rest, and saves what has been written there since',
    async () => {
      const scene = newScene();
      const counted = newScene();
      git.arm({ at: 'after', n: MOST_CHANGES });
      await remove(counted);
      const last = git.disarm();
      const { tree } = scene;
      git.arm({ at: 'amid', n: last }, `rm -rf ${tree}/.git ${tree}/files/a; echo since > ${tree}/written-since`);
      expect(await killAndLook(scene)).toBe('killed');
      expect(stateOf(scene)).toBe('new');
      const { recoveries } = await kit.bus.call('worktree.recover', { repo: scene.repo.path });
      expect(recoveries.map(({ archive }) => contentOf(archive, 'files/written-since'))).toContain('since\n');
      expect(await checkNextCall(scene)).toBe('new');
    },
    LIMIT_MS,
  );

  it('while it writes the archive, takes that back', async () => {
    const scene = newScene();
    const folder = join(kit.dir, 'state', 'recovered');
    mkdirSync(folder, { recursive: true });
    const watcher = watch(folder, (_, name) => {
      if (name?.endsWith('.partial') === true) kit.kill();
    });
    try {
      expect(await killAndLook(scene)).toBe('killed');
    } finally {
      watcher.close();
    }
    expect(await checkNextCall(scene)).toBe('old');
  });

  it('before and after the workspace is closed, closes it once', async () => {
    for (const moment of ['before', 'after'] as const) {
      const scene = newScene();
      let armed = true;
      kit.workspaces.onCall = (method, when) => {
        if (!armed || method !== 'workspace.close' || when !== moment) return;
        armed = false;
        kit.kill();
      };
      expect(await killAndLook(scene)).toBe('killed');
      expect(await checkNextCall(scene)).toBe('new');
    }
  });

  it('without force and with nothing to save, as well', async () => {
    const scene = newScene();
    scene.repo.gitIn(scene.tree, 'reset', '-q', '--hard');
    scene.repo.gitIn(scene.tree, 'clean', '-qfdx');
    git.arm({ at: 'both', n: 1 });
    expect(await killAndLook(scene, { force: false })).toBe('killed');
    git.disarm();
    expect(existsSync(scene.tree)).toBe(kit.workspaces.on(scene.tree).length === 1);
  });
});

describe('worktree.recover, when the git-service is killed', () => {
  it(
    'at any change, leaves no worktree or a whole one, and the next call says which',
    async () => {
      const scene = newScene();
      const { repo, tree, before } = scene;
      const { recovery } = await remove(scene);
      const restore = (signal?: AbortSignal) =>
        kit.bus.call(
          'worktree.recover',
          { repo: repo.path, id: recovery?.id ?? '' },
          { timeoutMs: CALL_MS, ...(signal && { signal }) },
        );
      for (let n = 1; n <= MOST_CHANGES; n++) {
        git.arm({ at: n % 2 === 1 ? 'after' : 'orphan', n });
        const caller = new AbortController();
        const death = kit.death().then(() => 'killed');
        const request = restore(caller.signal).then(() => 'finished');
        request.catch(() => undefined);
        const outcome = await Promise.race([death, request]);
        git.disarm();
        if (outcome === 'finished') break;
        caller.abort();
        await kit.untilReady();
        await kit.untilSettled();
        expect([existsSync(tree), repo.linked()]).toEqual([false, []]);
        expect(await restore()).toMatchObject({ recovered: { outcome: 'undone' }, restored: { path: tree } });
        expect(lookOf(repo, tree)).toBe(before);
        await remove(scene);
      }
      expect(lookOf(repo, tree)).toBe(before);
    },
    LIMIT_MS,
  );
});

describe('worktree.remove, when the workspace-service is away', () => {
  it('has removed the worktree, says so, and the next call closes the workspace', async () => {
    const scene = newScene();
    const [place] = kit.workspaces.on(scene.tree);
    kit.workspaces.unclosable.set(place?.workspace_id ?? '', 'service_unavailable');
    const error: unknown = await remove(scene).catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(SwitchyardError);
    expect(error).toMatchObject({ code: 'service_unavailable', data: { removed: true } });
    expect([existsSync(scene.tree), kit.workspaces.on(scene.tree).length]).toEqual([false, 1]);
    kit.workspaces.unclosable.clear();
    expect(await remove(scene)).toMatchObject({ removed: true, recovered: { outcome: 'completed' } });
    expect(stateOf(scene)).toBe('new');
  });
});
