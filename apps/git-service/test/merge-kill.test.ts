import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Params } from '@switchyard/protocol';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { DeadlyGit } from './deadly-git.js';
import { KilledService } from './kill-kit.js';
import { TestRepo } from './test-repo.js';

/** A merge changes something fewer times than this. */
const MOST_CHANGES = 8;
const LIMIT_MS = 240_000;
const CALL_MS = 60_000;

const kit = new KilledService();
let git: DeadlyGit;
let count = 0;
beforeAll(async () => {
  await kit.start();
  git = new DeadlyGit(kit.dir);
});
afterAll(() => kit.stop());
afterEach(() => git.disarm());

interface Scene {
  readonly repo: TestRepo;
  readonly before: string;
}

/** A base that is checked out, and a branch that changes, adds and deletes files of it. */
function newScene(): Scene {
  count++;
  const repo = new TestRepo(join(kit.dir, `repo-${count}`));
  repo.git('config', 'user.name', 'Ada');
  repo.git('config', 'user.email', 'ada@example.com');
  for (const name of ['a', 'b', 'gone', 'own']) repo.write(`files/${name}`, `${name} before\n`);
  repo.commit('files');
  const tree = join(kit.dir, `tree-${count}`);
  repo.git('worktree', 'add', '-q', '-b', 'fix', tree);
  for (const name of ['a', 'b', 'new/er']) {
    repo.gitIn(tree, 'rm', '-q', '--ignore-unmatch', `files/${name}`);
    mkdirSync(dirname(join(tree, 'files', name)), { recursive: true });
    writeFileSync(join(tree, 'files', name), `${name} after, and longer than before\n`);
  }
  repo.gitIn(tree, 'rm', '-q', 'files/gone');
  repo.gitIn(tree, 'add', '-A');
  repo.gitIn(tree, 'commit', '-q', '-m', 'fix');
  repo.write('mine', 'untracked in the base\n');
  return { repo, before: lookOf(repo) };
}

const lookOf = (repo: TestRepo) =>
  [repo.git('rev-parse', 'main'), repo.git('status', '--porcelain=v2', '--branch'), repo.git('diff', 'HEAD')].join(
    '\n',
  );

const merge = ({ repo }: Scene, mode: Params<'worktree.merge'>['mode'] = 'merge', signal?: AbortSignal) =>
  kit.bus.call(
    'worktree.merge',
    { repo: repo.path, branch: 'fix', ...(mode && { mode }) },
    { timeoutMs: CALL_MS, ...(signal && { signal }) },
  );

function stateOf({ repo, before }: Scene): 'old' | 'new' | object {
  const look = lookOf(repo);
  if (look === before) return 'old';
  const clean = repo.git('status', '--porcelain') === '?? mine\n';
  const merged = repo.git('diff', '--name-only', 'main', 'fix') === '';
  return clean && merged ? 'new' : { look };
}

function killAndLook(scene: Scene): Promise<'killed' | 'finished'> {
  return kit.killedIn((signal) => merge(scene, 'merge', signal));
}

async function checkNextCall(scene: Scene): Promise<'old' | 'new'> {
  const state = stateOf(scene);
  expect(['old', 'new']).toContainEqual(state);
  const journalled = kit.journal().length > 0;
  expect(existsSync(join(scene.repo.path, '.git', 'index.lock'))).toBe(false);
  const next = await merge(scene);
  expect(next.recovered?.outcome).toBe(journalled ? (state === 'new' ? 'completed' : 'undone') : undefined);
  expect(next.outcome).toBe(state === 'new' ? 'up_to_date' : 'merged');
  expect(stateOf(scene)).toBe('new');
  expect(kit.journal()).toEqual([]);
  scene.repo.git('fsck', '--strict');
  return state as 'old' | 'new';
}

describe('worktree.merge, when the git-service is killed', () => {
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
      expect(states.length).toBeGreaterThan(1);
      expect(states[0]).toBe('old');
      expect(states.at(-1)).toBe(at === 'both' ? 'old' : 'new');
    },
    LIMIT_MS,
  );

  it(
    'together with git in the midst of writing files, takes back what git wrote, and nothing else',
    async () => {
      const scene = newScene();
      const { path } = scene.repo;
      const amid = `cd ${path}
git show fix:files/a > files/a
git show fix:files/b | head -c 9 > files/b
rm files/gone
mkdir -p files/new; git show fix:files/new/er | head -c 4 > files/new/er
: > .git/index.lock`;
      git.arm({ at: 'amid', n: 2 }, amid);
      expect(await killAndLook(scene)).toBe('killed');
      git.disarm();
      expect(existsSync(join(path, 'files', 'new'))).toBe(false);
      expect(readFileSync(join(path, 'mine'), 'utf8')).toBe('untracked in the base\n');
      expect(await checkNextCall(scene)).toBe('old');
    },
    LIMIT_MS,
  );

  it(
    'leaves a file that somebody has written since, and names it',
    async () => {
      const scene = newScene();
      const { path } = scene.repo;
      git.arm({ at: 'amid', n: 2 }, `cd ${path}; git show fix:files/b > files/b; echo mine > files/a`);
      expect(await killAndLook(scene)).toBe('killed');
      git.disarm();
      expect(readFileSync(join(path, 'files/a'), 'utf8')).toBe('mine\n');
      expect(readFileSync(join(path, 'files/b'), 'utf8')).toBe('b before\n');
      await expect(merge(scene)).rejects.toMatchObject({
        code: 'base_dirty',
        data: { entries: ['files/a'], recovered: { outcome: 'undone', detail: expect.stringContaining('files/a') } },
      });
      writeFileSync(join(path, 'files/a'), 'a before\n');
      expect(await merge(scene)).toMatchObject({ outcome: 'merged', recovered: null });
    },
    LIMIT_MS,
  );
});
