import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { KilledService } from './kill-kit.js';
import { TestRepo } from './test-repo.js';

/** A run of create does less than so many runs of git; beyond the last one nothing is killed. */
const MOST_RUNS = 40;
const BRANCH = 'fix/it';

const kit = new KilledService();
let count = 0;
beforeAll(() => kit.start());
afterAll(() => kit.stop());
afterEach(() => {
  kit.disarm();
  kit.workspaces.onCall = () => undefined;
});

function newRepo(): TestRepo {
  count++;
  const repo = new TestRepo(join(kit.dir, `repo-${count}`));
  for (const name of ['a', 'b', 'c']) repo.write(`files/${name}.txt`, `${name}\n`);
  repo.commit('files');
  return repo;
}

const create = (repo: TestRepo, signal?: AbortSignal) =>
  kit.bus.call(
    'worktree.create',
    { repo: repo.path, branch: BRANCH },
    { timeoutMs: 30_000, ...(signal && { signal }) },
  );

/** What git and the workspaces say, without the service. */
function stateOf(repo: TestRepo): 'old' | 'new' | object {
  const linked = repo.linked();
  const open = linked.flatMap((path) => kit.workspaces.on(path));
  const branch = repo.hasBranch(BRANCH);
  const whole =
    linked.length === 1 &&
    linked.every((path) => repo.gitIn(path, 'status', '--porcelain', '--branch') === `## ${BRANCH}\n`);
  if (whole && open.length === 1 && branch) return 'new';
  if (linked.length === 0 && open.length === 0 && !branch) return 'old';
  return { linked, open, branch };
}

/** Kills the service at a point of a request whose caller does not ask again, and looks at what it leaves. */
function killAndLook(repo: TestRepo): Promise<'killed' | 'finished'> {
  return kit.killedIn((signal) => create(repo, signal));
}

async function checkNextCall(repo: TestRepo): Promise<void> {
  const state = stateOf(repo);
  expect(['old', 'new']).toContainEqual(state);
  const journalled = kit.journal().length > 0;
  const next = await create(repo);
  if (journalled) expect(next.recovered?.outcome).toBe(state === 'new' ? 'completed' : 'undone');
  else expect(next.recovered).toBeNull();
  // Without a journal nothing had been begun, or everything was done.
  expect(next.created).toBe(state === 'old');
  expect(stateOf(repo)).toBe('new');
  expect(kit.journal()).toEqual([]);
  repo.git('fsck', '--strict');
}

describe('worktree.create, when the git-service is killed', () => {
  it.each(['orphan', 'both', 'after'] as const)(
    'at any run of git (%s), leaves the old state or the new one, and the next call says which',
    async (at) => {
      let killed = 0;
      for (let n = 1; n <= MOST_RUNS; n++) {
        const repo = newRepo();
        kit.arm({ at, n });
        const outcome = await killAndLook(repo);
        kit.disarm();
        if (outcome === 'finished') break;
        killed++;
        await checkNextCall(repo);
      }
      expect(killed).toBeGreaterThan(8);
      expect(killed).toBeLessThan(MOST_RUNS);
    },
    240_000,
  );

  it.each(['before', 'after'] as const)('%s a workspace is made, makes one workspace', async (moment) => {
    for (const method of ['workspace.create', 'workspace.reorder']) {
      const repo = newRepo();
      kit.workspaces.add(repo.path);
      kit.workspaces.add('/other');
      let armed = true;
      kit.workspaces.onCall = (called, when) => {
        if (armed && called === method && when === moment) {
          armed = false;
          kit.kill();
        }
      };
      expect(await killAndLook(repo)).toBe('killed');
      expect(stateOf(repo)).toBe('new');
      await checkNextCall(repo);
    }
  });

  it('is answered all the same when the caller asks on: the request is sent again by the bus', async () => {
    const repo = newRepo();
    kit.arm({ at: 'orphan', n: 9 });
    const death = kit.death();
    const made = await create(repo);
    await death;
    expect(made.worktree.branch).toBe(BRANCH);
    expect(stateOf(repo)).toBe('new');
  });

  it('together with git in the midst of writing files, completes them', async () => {
    const repo = newRepo();
    repo.write('.gitattributes', '*.txt filter=deadly\n');
    repo.commit('filter');
    const deadly = join(kit.dir, `deadly-${count}`);
    const hook = join(repo.path, '.git', 'hooks', 'post-checkout');
    mkdirSync(join(repo.path, '.git', 'hooks'), { recursive: true });
    writeFileSync(hook, `#!/bin/sh\necho "$1 $3" >> ${deadly}.hook\n`);
    writeFileSync(
      deadly,
      `#!/bin/sh\n[ -e ${deadly}.done ] || { : > ${deadly}.done; set -- $(cat /proc/$$/stat); kill -9 -$5; }\ncat\n`,
    );
    for (const file of [hook, deadly]) chmodSync(file, 0o755);
    repo.git('config', 'filter.deadly.smudge', deadly);
    repo.git('config', 'filter.deadly.clean', 'cat');
    const caller = new AbortController();
    kit.workspaces.onCall = () => undefined;
    const request = create(repo, caller.signal);
    await expect(request).rejects.toMatchObject({ code: 'git_command_failed' });
    expect(existsSync(`${deadly}.done`)).toBe(true);
    const next = await create(repo);
    expect(next.recovered?.outcome).toBe('completed');
    expect(stateOf(repo)).toBe('new');
    expect(readFileSync(join(next.worktree.path, 'files', 'b.txt'), 'utf8')).toBe('b\n');
    expect(readFileSync(`${deadly}.hook`, 'utf8')).toMatch(/^0+ 1\n$/);
  });
});
