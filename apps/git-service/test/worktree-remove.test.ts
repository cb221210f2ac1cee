import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Params, Result } from '@switchyard/protocol';
import { SwitchyardError } from '@switchyard/protocol';
import { tempDir } from '@switchyard/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GitService } from './service-kit.js';
import { TestRepo } from './test-repo.js';

type Item = Result<'worktree.remove'>['inventory'][number];

let dir: ReturnType<typeof tempDir>;
let repo: TestRepo;
let service: GitService;
let tree: string;
beforeEach(async () => {
  dir = tempDir('sy-remove');
  repo = new TestRepo(join(dir.path, 'repo'));
  repo.write('.gitignore', 'node_modules/\n*.out\n.env*\nnotes/\n');
  repo.commit('second');
  tree = join(dir.path, 'work tree');
  repo.git('worktree', 'add', '-q', '-b', 'fix/it', tree);
  service = await GitService.start(dir.path);
});
afterEach(async () => {
  await service.stop();
  dir.remove();
});

const write = (file: string, text: string, mode = 0o644) => {
  const path = join(tree, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  chmodSync(path, mode);
};
const inTree = (...args: string[]) => repo.gitIn(tree, ...args);
const remove = (params: Partial<Params<'worktree.remove'>> = {}) =>
  service.call('worktree.remove', { repo: repo.path, path: tree, ...params });
const refusal = async (params: Partial<Params<'worktree.remove'>> = {}) => {
  const error: unknown = await remove(params).then(
    () => undefined,
    (cause: unknown) => cause,
  );
  if (!(error instanceof SwitchyardError)) throw new Error(`not refused: ${String(error)}`);
  return { code: error.code, data: error.data ?? {}, items: (error.data?.['inventory'] ?? []) as Item[] };
};
/** Removes with force. @returns what is in the archive, as another tar than ours reads it */
const forced = async () => {
  const removed = await remove({ force: true });
  expect(existsSync(tree)).toBe(false);
  const recovery = removed.recovery;
  if (recovery === null) return { removed, recovery, file: () => undefined };
  const out = join(dir.path, 'extracted');
  mkdirSync(out);
  execFileSync('tar', ['-xf', recovery.archive, '-C', out]);
  return { removed, recovery, file: (name: string) => readFileSync(join(out, name), 'utf8') };
};
const holds = (ref: string | null | undefined, commit: string) =>
  repo.git('merge-base', commit.trim(), ref ?? '').trim() === commit.trim();

describe('worktree.remove', () => {
  it('removes a worktree that holds nothing of its own, closes its workspace, keeps the branch', async () => {
    const { workspace_id } = service.workspaces.add(tree);
    const removed = await remove({ path: undefined, branch: 'fix/it' } as never);
    expect(removed).toMatchObject({
      removed: true,
      recovery: null,
      closed_workspace_id: workspace_id,
      left_behind: null,
    });
    expect([existsSync(tree), repo.linked(), repo.hasBranch('fix/it')]).toEqual([false, [], true]);
    expect(service.workspaces.on(tree)).toEqual([]);
    expect(readdirSync(join(dir.path, 'state', 'git-operations'))).toEqual([]);
  });

  it('does not remove what git would not: the main checkout, a locked worktree, an unknown one', async () => {
    expect((await refusal({ path: repo.path, force: true })).code).toBe('invalid_state');
    repo.git('worktree', 'lock', '--reason', 'on a stick', tree);
    expect(await refusal({ force: true })).toMatchObject({ code: 'worktree_locked', data: { reason: 'on a stick' } });
    expect((await refusal({ path: join(dir.path, 'nowhere') })).code).toBe('worktree_not_found');
    expect(existsSync(tree)).toBe(true);
  });

  it('says with dry_run what it holds, and removes nothing', async () => {
    write('new', 'x');
    const { removed, inventory } = await remove({ dry_run: true });
    expect([removed, inventory.map(({ kind }) => kind), existsSync(tree)]).toEqual([false, ['untracked'], true]);
  });

  it('keeps a workspace that is pinned, and says so', async () => {
    const { workspace_id } = service.workspaces.add(tree);
    service.workspaces.unclosable.set(workspace_id, 'protected');
    const removed = await remove();
    expect(removed).toMatchObject({ removed: true, kept_workspace: { workspace_id } });
    expect(removed.closed_workspace_id).toBeUndefined();
  });

  it('does not delete a worktree that lies inside it', async () => {
    repo.git('worktree', 'add', '-q', '-b', 'inner', join(tree, 'inner'));
    const { code, items } = await refusal({ force: true });
    expect([code, items[0]?.kind]).toEqual(['invalid_state', 'nested_worktree']);
    expect(existsSync(join(tree, 'inner', 'README.md'))).toBe(true);
  });
});

describe('F5: what is nowhere else is not lost', () => {
  it('untracked files, whatever their names, their modes and links', async () => {
    write('ä -> "b"\nc', 'untracked\n');
    write('deep/script', '#!/bin/sh\n', 0o755);
    symlinkSync('/etc/passwd', join(tree, 'link'));
    const { code, items, data } = await refusal();
    expect(code).toBe('worktree_dirty');
    expect(items).toMatchObject([{ kind: 'untracked', count: 3, blocks: 'without_force', saved_in: 'archive' }]);
    expect(items[0]?.entries).toContain('ä -> "b"\nc');
    expect(data).toMatchObject({ archive: { possible: true } });
    expect(existsSync(join(tree, 'deep/script'))).toBe(true);
    const { file, recovery } = await forced();
    expect(file('files/ä -> "b"\nc')).toBe('untracked\n');
    expect(recovery).toMatchObject({ ref: null });
    expect(repo.hasBranch('fix/it')).toBe(true);
  });

  it('files that are only ignored', async () => {
    write('.env', 'SECRET=1\n', 0o600);
    write('notes/plan.md', 'think\n');
    write('result.out', '42\n');
    const { items } = await refusal();
    expect(items).toMatchObject([{ kind: 'ignored', count: 3, blocks: 'without_force', saved_in: 'archive' }]);
    const { file } = await forced();
    expect([file('files/.env'), file('files/notes/plan.md'), file('files/result.out')]).toEqual([
      'SECRET=1\n',
      'think\n',
      '42\n',
    ]);
  });

  it('but not for the sake of what tools make again, or of what the main checkout has as well', async () => {
    write('node_modules/a/index.js', 'x');
    write('.env', 'SECRET=1\n');
    repo.write('.env', 'SECRET=1\n');
    const { inventory, recovery } = await remove();
    expect(inventory.map(({ kind, blocks, count }) => [kind, blocks, count])).toEqual([
      ['rebuildable', 'no', 1],
      ['ignored', 'no', 1],
    ]);
    expect(recovery).toBeNull();
  });

  it('a commit on a detached HEAD, which a reference then holds', async () => {
    inTree('checkout', '-q', '--detach');
    write('a', 'detached\n');
    inTree('add', 'a');
    inTree('commit', '-q', '-m', 'detached');
    const commit = inTree('rev-parse', 'HEAD');
    const { items } = await refusal();
    expect(items[0]).toMatchObject({ kind: 'unreferenced_commits', count: 1, entries: [commit.trim()] });
    const { recovery } = await forced();
    expect(recovery?.ref).toMatch(/^refs\/switchyard\/recovery\/detached\//);
    expect(holds(recovery?.ref, commit)).toBe(true);
  });

  it('a commit that only another detached worktree has', async () => {
    inTree('checkout', '-q', '--detach');
    inTree('commit', '-q', '--allow-empty', '-m', 'shared');
    repo.git('worktree', 'add', '-q', '--detach', join(dir.path, 'other'), inTree('rev-parse', 'HEAD').trim());
    expect((await refusal()).items[0]?.kind).toBe('unreferenced_commits');
  });

  it('a rebase in progress, with its plan and its commits', async () => {
    write('README.md', 'theirs\n');
    inTree('commit', '-qam', 'theirs');
    const before = inTree('rev-parse', 'HEAD');
    repo.write('README.md', 'ours\n');
    repo.commit('ours');
    expect(() => inTree('rebase', 'main')).toThrow();
    const { items } = await refusal();
    expect(items.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['operation', 'conflicted']));
    expect(items.find(({ kind }) => kind === 'operation')?.entries).toEqual(['rebase']);
    const { file, recovery } = await forced();
    expect(file('git-dir/rebase-merge/head-name')).toBe('refs/heads/fix/it\n');
    expect(file('files/README.md')).toContain('<<<<<<<');
    expect(repo.git('rev-parse', 'fix/it')).toBe(before);
    expect(repo.git('ls-tree', '-r', '--name-only', recovery?.ref ?? '')).toContain('conflict-2-ours/README.md');
  });

  it('a stash made on its branch', async () => {
    write('README.md', 'stashed\n');
    inTree('stash', 'push', '-q', '-m', 'half done');
    const stash = repo.git('rev-parse', 'refs/stash');
    const { items } = await refusal();
    expect(items).toMatchObject([{ kind: 'stash', count: 1, entries: [expect.stringContaining('half done')] }]);
    const { recovery } = await forced();
    repo.git('stash', 'clear');
    expect(holds(recovery?.ref, stash)).toBe(true);
  });

  it('a turn in flight', async () => {
    service.workspaces.agents.push({
      surface_ref: 'surface:7',
      agent: 'claude-code',
      state: 'working',
      cwd: join(tree, 'deep'),
      workspace_id: 'elsewhere',
    } as never);
    mkdirSync(join(tree, 'deep'));
    const { items } = await refusal();
    expect(items).toMatchObject([
      { kind: 'agent', blocks: 'without_force', entries: ['surface:7 claude-code working'] },
    ]);
  });

  it('changes in the index alone, and in files that git was told not to look at', async () => {
    write('README.md', 'only in the index\n');
    inTree('add', 'README.md');
    const blob = inTree('rev-parse', ':README.md').trim();
    write('README.md', 'on disk\n');
    write('.gitignore', 'assumed unchanged\n');
    inTree('update-index', '--assume-unchanged', '.gitignore');
    const { items } = await refusal();
    expect(items.map(({ kind }) => kind)).toEqual(['staged', 'modified', 'hidden_change']);
    const { file, recovery } = await forced();
    expect(repo.git('rev-parse', `${recovery?.ref}:index/README.md`).trim()).toBe(blob);
    expect([file('files/README.md'), file('files/.gitignore')]).toEqual(['on disk\n', 'assumed unchanged\n']);
  });

  it('a repository inside it, with commits that nobody else has', async () => {
    const inner = new TestRepo(join(tree, 'inner'));
    const head = inner.git('rev-parse', 'HEAD');
    const { items } = await refusal();
    expect(items.map(({ kind }) => kind)).toEqual(['nested_repository']);
    await forced();
    expect(repo.gitIn(join(dir.path, 'extracted/files/inner'), 'rev-parse', 'HEAD')).toBe(head);
  });

  it('a submodule, with what it holds', async () => {
    const library = new TestRepo(join(dir.path, 'library'));
    inTree('-c', 'protocol.file.allow=always', 'submodule', 'add', '-q', library.path, 'lib');
    inTree('commit', '-qm', 'with a library');
    writeFileSync(join(tree, 'lib', 'extra'), 'in the submodule\n');
    const { items } = await refusal();
    expect(items.map(({ kind }) => kind)).toContain('submodule');
    const { file } = await forced();
    expect(file('files/lib/extra')).toBe('in the submodule\n');
    expect(file('git-dir/modules/lib/HEAD')).toContain('ref: ');
  });

  it('commits of its past, which a reference holds without that anybody has to say so', async () => {
    inTree('checkout', '-q', '--detach');
    inTree('commit', '-q', '--allow-empty', '-m', 'tried');
    const tried = inTree('rev-parse', 'HEAD');
    inTree('checkout', '-q', 'fix/it');
    const { recovery, inventory } = await remove();
    expect(inventory.map(({ kind, blocks }) => [kind, blocks])).toEqual([['past_commits', 'no']]);
    expect(holds(recovery?.ref, tried)).toBe(true);
  });

  it('a worktree whose folder is gone: what git still has of it', async () => {
    write('README.md', 'only in the index\n');
    inTree('add', 'README.md');
    const blob = inTree('rev-parse', ':README.md').trim();
    rmSync(tree, { recursive: true });
    const { items } = await refusal();
    expect(items.map(({ kind }) => kind)).toEqual(['missing_folder', 'staged']);
    const { recovery } = await forced();
    expect(repo.git('rev-parse', `${recovery?.ref}:index/README.md`).trim()).toBe(blob);
    expect(repo.linked()).toEqual([]);
  });
});

describe('worktree.recover', () => {
  const recover = (params: Partial<Params<'worktree.recover'>> = {}) =>
    service.call('worktree.recover', { repo: repo.path, ...params });

  it('makes a worktree again as it was: branch, index, files, modes, what was deleted', async () => {
    write('README.md', 'staged\n');
    write('new', 'staged new\n');
    inTree('add', '-A');
    write('README.md', 'on disk\n');
    write('run', '#!/bin/sh\n', 0o755);
    write('.env', 'SECRET=1\n', 0o600);
    symlinkSync('README.md', join(tree, 'link'));
    rmSync(join(tree, '.gitignore'));
    const status = inTree('status', '--porcelain=v2', '--ignored', '-z');
    const staged = inTree('diff', '--cached');
    const { recovery } = await remove({ force: true });
    const { recoveries } = await recover();
    expect(recoveries).toMatchObject([{ id: recovery?.id, branch: 'fix/it', path: tree, reason: 'remove' }]);
    const { restored } = await recover({ id: recovery?.id ?? '' });
    expect(restored).toMatchObject({ path: tree, branch: 'fix/it' });
    expect(inTree('status', '--porcelain=v2', '--ignored', '-z')).toBe(status);
    expect(inTree('diff', '--cached')).toBe(staged);
    expect(readFileSync(join(tree, 'README.md'), 'utf8')).toBe('on disk\n');
    expect(execFileSync('stat', ['-c', '%a', join(tree, 'run'), join(tree, '.env')]).toString()).toBe('755\n600\n');
  });

  it('leaves out what a sparse checkout left out, and what was deleted unseen by git', async () => {
    write('out/of/it', 'x');
    write('README.md', 'seen\n');
    inTree('add', '-A');
    inTree('commit', '-qm', 'two');
    inTree('sparse-checkout', 'set', '--no-cone', '/*', '!/out/');
    inTree('update-index', '--assume-unchanged', 'README.md');
    rmSync(join(tree, 'README.md'));
    write('new', 'x');
    const { recovery } = await remove({ force: true });
    await recover({ id: recovery?.id ?? '' });
    expect(readdirSync(tree).sort()).toEqual(['.git', '.gitignore', 'new']);
    expect(inTree('status', '--porcelain')).toBe('?? new\n');
  });

  it('goes on where a rebase was', async () => {
    write('README.md', 'theirs\n');
    inTree('commit', '-qam', 'theirs');
    repo.write('README.md', 'ours\n');
    repo.commit('ours');
    expect(() => inTree('rebase', 'main')).toThrow();
    const { recovery } = await remove({ force: true });
    await recover({ id: recovery?.id ?? '' });
    expect(inTree('status')).toContain('rebase in progress');
    write('README.md', 'both\n');
    inTree('add', 'README.md');
    inTree('-c', 'core.editor=true', 'rebase', '--continue');
    expect(inTree('log', '-1', '--format=%s %D')).toBe('theirs HEAD -> fix/it\n');
  });

  it('does not take a branch that is elsewhere by now, and no place that is taken', async () => {
    write('new', 'x');
    const { recovery } = await remove({ force: true });
    repo.git('worktree', 'add', '-q', tree, 'fix/it');
    await expect(recover({ id: recovery?.id ?? '' })).rejects.toMatchObject({ code: 'worktree_path_exists' });
    const path = join(dir.path, 'second');
    const { restored } = await recover({ id: recovery?.id ?? '', path });
    expect(restored).toMatchObject({ path, branch: null });
    expect(readFileSync(join(path, 'new'), 'utf8')).toBe('x');
  });

  it('drops what is not wanted any more, with its reference', async () => {
    inTree('checkout', '-q', '--detach');
    inTree('commit', '-q', '--allow-empty', '-m', 'x');
    const { recovery } = await remove({ force: true });
    expect(await recover({ id: recovery?.id ?? '', drop: true })).toMatchObject({ dropped: true, recoveries: [] });
    expect(repo.git('for-each-ref', 'refs/switchyard')).toBe('');
    expect(existsSync(recovery?.archive ?? '')).toBe(false);
    await expect(recover({ id: recovery?.id ?? '' })).rejects.toMatchObject({ code: 'not_found' });
    await expect(recover({ id: '../../etc' })).rejects.toMatchObject({ code: 'not_found' });
  });
});
