import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Params } from '@switchyard/protocol';
import { tempDir } from '@switchyard/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GitService } from './service-kit.js';
import { TestRepo } from './test-repo.js';

let dir: ReturnType<typeof tempDir>;
let repo: TestRepo;
let service: GitService;
let tree: string;
beforeEach(async () => {
  dir = tempDir('sy-merge');
  repo = new TestRepo(join(dir.path, 'repo'));
  // Commits that the service makes are the user's, who is told by the repository here.
  repo.git('config', 'user.name', 'Ada');
  repo.git('config', 'user.email', 'ada@example.com');
  tree = join(dir.path, 'tree');
  repo.git('worktree', 'add', '-q', '-b', 'fix', tree);
  service = await GitService.start(dir.path);
});
afterEach(async () => {
  await service.stop();
  dir.remove();
});

const write = (file: string, text: string, root = tree) => {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), text);
};
const commit = (file: string, text: string, message = `write ${file}`) => {
  write(file, text);
  repo.gitIn(tree, 'add', '-A');
  repo.gitIn(tree, 'commit', '-q', '-m', message);
};
const merge = (params: Partial<Params<'worktree.merge'>> = {}) =>
  service.call('worktree.merge', { repo: repo.path, branch: 'fix', ...params });
const state = () => [repo.git('rev-parse', 'main'), repo.git('status', '--porcelain=v2', '--branch')];

describe('worktree.merge', () => {
  it('moves the base forward and brings its checkout along', async () => {
    commit('a/new', 'x\n');
    const merged = await merge();
    expect(merged).toMatchObject({ merged: true, outcome: 'fast_forward', base: 'main', checked_out_at: repo.path });
    expect(merged.after).toBe(repo.git('rev-parse', 'fix').trim());
    expect(readFileSync(join(repo.path, 'a/new'), 'utf8')).toBe('x\n');
    expect(repo.git('status', '--porcelain')).toBe('');
    expect(await merge()).toMatchObject({ merged: false, outcome: 'up_to_date' });
  });

  it('only moves the branch where the base is checked out nowhere', async () => {
    repo.git('branch', 'release');
    commit('new', 'x\n');
    expect(await merge({ base: 'release' })).toMatchObject({ outcome: 'fast_forward', checked_out_at: null });
    expect(repo.git('rev-parse', 'release')).toBe(repo.git('rev-parse', 'fix'));
    expect(existsSync(join(repo.path, 'new'))).toBe(false);
  });

  it('makes a merge commit, or one commit of all changes', async () => {
    commit('a', 'a\n', 'first of two');
    commit('b', 'b\n', 'second of two');
    repo.write('c', 'c\n');
    repo.commit('meanwhile');
    await expect(merge()).rejects.toMatchObject({ code: 'not_fast_forward' });
    repo.git('branch', 'other');
    const merged = await merge({ mode: 'merge' });
    expect(merged).toMatchObject({ outcome: 'merged', before: merged.before });
    expect(repo.git('log', '-1', '--format=%s|%an|%P', 'main').trim()).toBe(
      `Merge branch 'fix' into main|Ada|${merged.before} ${repo.git('rev-parse', 'fix').trim()}`,
    );
    const squashed = await merge({ mode: 'squash', base: 'other' });
    expect(squashed.outcome).toBe('squashed');
    expect(repo.git('log', '-1', '--format=%P', 'other').trim()).toBe(squashed.before);
    expect(repo.git('log', '-1', '--format=%B', 'other')).toContain('* first of two\n* second of two');
    expect(repo.git('diff', '--name-only', 'other', 'main')).toBe('');
    expect(await merge({ mode: 'squash', base: 'other' })).toMatchObject({ merged: false, outcome: 'up_to_date' });
  });

  it('F1: names the files in conflict, and leaves everything as it was', async () => {
    commit('ä "b"', 'theirs\n');
    repo.write('ä "b"', 'ours\n');
    repo.commit('ours');
    const before = state();
    for (const mode of ['merge', 'squash'] as const) {
      await expect(merge({ mode })).rejects.toMatchObject({
        code: 'merge_conflict',
        data: { conflicts: ['ä "b"'], messages: [expect.stringContaining('CONFLICT')] },
      });
    }
    expect(state()).toEqual(before);
    expect(repo.gitIn(tree, 'status', '--porcelain')).toBe('');
  });

  it('does not leave out what is not committed, unless told to', async () => {
    commit('new', 'x\n');
    write('more', 'y\n');
    await expect(merge()).rejects.toMatchObject({ code: 'worktree_dirty', data: { untracked: 1, entries: ['more'] } });
    expect(await merge({ committed_only: true })).toMatchObject({ outcome: 'fast_forward' });
  });

  it('does not touch a checkout of the base that has changes, or files in the way', async () => {
    commit('new', 'x\n');
    write('new', 'mine\n', repo.path);
    const inTheWay = state();
    await expect(merge()).rejects.toMatchObject({ code: 'base_dirty', data: { path: repo.path } });
    expect(state()).toEqual(inTheWay);
    expect(readFileSync(join(repo.path, 'new'), 'utf8')).toBe('mine\n');
    write('README.md', 'mine\n', repo.path);
    const changed = state();
    await expect(merge()).rejects.toMatchObject({ code: 'base_dirty', data: { entries: ['README.md'] } });
    expect(state()).toEqual(changed);
  });

  it('does not move a base whose checkout is away, that there is not, or that is the branch itself', async () => {
    commit('new', 'x\n');
    const other = join(dir.path, 'other');
    repo.git('worktree', 'add', '-q', '-b', 'base', other);
    renameSync(other, join(dir.path, 'away'));
    await expect(merge({ base: 'base' })).rejects.toMatchObject({ code: 'invalid_state', data: { path: other } });
    await expect(merge({ base: 'nowhere' })).rejects.toMatchObject({ code: 'not_found' });
    await expect(merge({ base: 'fix' })).rejects.toMatchObject({ code: 'invalid_params' });
  });

  it('does not move a base whose checkout is in the middle of something', async () => {
    commit('new', 'x\n');
    repo.git('bisect', 'start');
    await expect(merge()).rejects.toMatchObject({ code: 'invalid_state', data: { in_progress: 'bisect' } });
  });

  it('refuses a base that is being rebased elsewhere', async () => {
    repo.git('branch', 'base');
    commit('README.md', 'theirs\n');
    const other = join(dir.path, 'other');
    repo.git('worktree', 'add', '-q', other, 'base');
    write('a', 'ours\n', other);
    repo.gitIn(other, 'add', 'a');
    repo.gitIn(other, 'commit', '-qm', 'ours');
    repo.gitIn(other, '-c', 'sequence.editor=sed -i 1ibreak', 'rebase', '-q', '-i', 'main');
    await expect(merge({ base: 'base', mode: 'merge' })).rejects.toMatchObject({
      code: 'invalid_state',
      data: { path: other, base: 'base' },
    });
  });

  it('merges a detached HEAD by its commit', async () => {
    repo.gitIn(tree, 'checkout', '-q', '--detach');
    commit('new', 'x\n');
    const merged = await service.call('worktree.merge', { repo: repo.path, path: tree });
    expect(merged).toMatchObject({ outcome: 'fast_forward', source: merged.after });
  });
});
