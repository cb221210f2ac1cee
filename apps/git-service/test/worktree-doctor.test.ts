import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Params } from '@switchyard/protocol';
import { tempDir } from '@switchyard/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GitService } from './service-kit.js';
import { TestRepo } from './test-repo.js';

let dir: ReturnType<typeof tempDir>;
let repo: TestRepo;
let service: GitService;
beforeEach(async () => {
  dir = tempDir('sy-doctor');
  repo = new TestRepo(join(dir.path, 'repo'));
  service = await GitService.start(dir.path);
});
afterEach(async () => {
  await service.stop();
  dir.remove();
});

const at = (name: string) => join(dir.path, 'trees', name);
const add = (name: string) => {
  repo.git('worktree', 'add', '-q', '-b', name, at(name));
  return at(name);
};
const doctor = async (params: Partial<Params<'worktree.doctor'>> = {}) =>
  (await service.call('worktree.doctor', { repo: repo.path, ...params })).findings;
const names = () => repo.git('worktree', 'list', '--porcelain');

describe('worktree.doctor', () => {
  it('finds nothing where all is well', async () => {
    add('a');
    expect(await doctor()).toEqual([]);
  });

  it('F2: names a locked registration without a folder, and frees its branch only when both are asked for', async () => {
    const path = add('a');
    repo.git('worktree', 'lock', '--reason', 'on a stick', path);
    rmSync(path, { recursive: true });
    const before = names();
    const [found] = await doctor();
    expect(found).toMatchObject({
      path,
      branch: 'a',
      states: ['locked', 'missing'],
      lock_reason: 'on a stick',
      repairs: ['unlock', 'prune'],
      done: [],
    });
    await expect(service.call('worktree.create', { repo: repo.path, branch: 'a' })).rejects.toMatchObject({
      code: 'branch_checked_out',
    });
    expect((await doctor({ repair: ['prune'] }))[0]).toMatchObject({ done: [] });
    expect(names()).toBe(before);
    expect((await doctor({ repair: ['unlock', 'prune'] }))[0]).toMatchObject({ done: ['unlock', 'prune'] });
    expect([await doctor(), repo.linked(), repo.hasBranch('a')]).toEqual([[], [], true]);
    expect((await service.call('worktree.create', { repo: repo.path, branch: 'a' })).created).toBe(true);
  });

  it('keeps what a pruned registration held', async () => {
    const path = add('a');
    repo.gitIn(path, 'checkout', '-q', '--detach');
    repo.gitIn(path, 'commit', '-q', '--allow-empty', '-m', 'detached');
    const commit = repo.gitIn(path, 'rev-parse', 'HEAD').trim();
    rmSync(path, { recursive: true });
    const [found] = await doctor({ repair: ['prune'] });
    const { recoveries } = await service.call('worktree.recover', { repo: repo.path });
    expect(recoveries).toMatchObject([{ id: found?.recovery_id, reason: 'prune', head: commit }]);
    expect(repo.git('merge-base', commit, recoveries[0]?.ref ?? '').trim()).toBe(commit);
  });

  it('finds a folder that was moved, and tells git of it when asked', async () => {
    const path = add('a');
    renameSync(path, at('b'));
    expect(await doctor()).toMatchObject([{ states: ['missing'], found_at: at('b'), repairs: ['relink'] }]);
    expect(await doctor({ repair: ['relink'] })).toMatchObject([{ done: ['relink'] }]);
    expect([await doctor(), repo.linked()]).toEqual([[], [at('b')]]);
  });

  it('names what lies in the place of a worktree, and folders that git has forgotten, and leaves them alone', async () => {
    const path = add('a');
    const other = add('b');
    rmSync(join(path, '.git'));
    rmSync(join(repo.path, '.git', 'worktrees', 'b'), { recursive: true });
    const found = await doctor({ repair: ['unlock', 'prune', 'relink'] });
    expect(found.map(({ states, path: where, done }) => [states, where, done])).toEqual([
      [['stale'], path, []],
      [['orphaned'], other, []],
    ]);
    expect([existsSync(join(path, 'README.md')), existsSync(join(other, 'README.md'))]).toEqual([true, true]);
  });

  it('prunes a registration that does not say where it is, and no other with it', async () => {
    add('a');
    const lost = add('b');
    rmSync(at('a'), { recursive: true });
    writeFileSync(join(repo.path, '.git', 'worktrees', 'b', 'gitdir'), '');
    rmSync(lost, { recursive: true });
    mkdirSync(at('unrelated'));
    const found = await doctor({ repair: ['prune'] });
    expect(found.map(({ name, done }) => [name, done])).toEqual([
      ['a', ['prune']],
      ['b', ['prune']],
    ]);
    expect(existsSync(join(repo.path, '.git', 'worktrees'))).toBe(false);
    expect(readFileSync(join(repo.path, 'README.md'), 'utf8')).toBe('one\n');
  });

  it('looks at one worktree only, when one is named', async () => {
    rmSync(add('a'), { recursive: true });
    rmSync(add('b'), { recursive: true });
    const found = await doctor({ path: at('b'), repair: ['prune'] });
    expect(found.map(({ name }) => name)).toEqual(['b']);
    expect(repo.linked()).toEqual([at('a')]);
    await expect(doctor({ repair: ['everything'] })).rejects.toMatchObject({ code: 'invalid_params' });
  });
});
