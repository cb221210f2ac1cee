import { execFileSync } from 'node:child_process';
import { renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Params } from '@switchyard/protocol';
import { fakeBus } from '@switchyard/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { workspaceGitHandlers } from '../src/handlers/workspace-git.js';
import { GitTree, numbered } from './git-tree.js';

let repo: GitTree;
beforeEach(() => {
  repo = new GitTree();
});
afterEach(() => repo.remove());

const bus = fakeBus({
  'workspace.current': () => ({ workspace: { current_directory: repo.path } }) as never,
  'surface.list': () =>
    ({
      surfaces: [
        { id: 'ID-1', ref: 'surface:1', cwd: repo.at('below') },
        { id: 'ID-2', ref: 'surface:2', cwd: null },
      ],
    }) as never,
});
await bus.serve('git-service', '_', workspaceGitHandlers(bus) as never);
const status = (params: Params<'workspace.git.status'> = {}) =>
  bus.call('workspace.git.status', { directory: repo.path, ...params });

describe('workspace.git.status', () => {
  it('tells branch, commit, upstream and how far they are apart', async () => {
    repo.write('file');
    repo.commit();
    const origin = join(repo.outside, 'origin.git');
    repo.git('clone', '-q', '--bare', repo.path, origin);
    repo.git('remote', 'add', 'origin', origin);
    repo.git('fetch', '-q', 'origin');
    repo.git('branch', '-q', '-u', 'origin/main');
    repo.write('file', 'mine\n');
    repo.commit();
    expect(await status()).toMatchObject({
      is_repository: true,
      root: repo.path,
      bare: false,
      branch: 'main',
      detached: false,
      head: repo.git('rev-parse', 'HEAD').trim(),
      upstream: 'origin/main',
      ahead: 1,
      behind: 0,
      files: [],
      hidden: 0,
    });
  });

  it('tells what is staged, what is not, what is in conflict and what git does not know', async () => {
    for (const name of ['staged', 'changed', 'both', 'gone', 'moved'])
      repo.write(
        name,
        numbered(20, (n) => `${name} ${n}`),
      );
    repo.commit();
    repo.write('staged', 'x\n');
    repo.write('both', 'x\n');
    repo.git('mv', 'moved', 'here');
    repo.git('add', '-A');
    repo.write('both', 'y\n');
    repo.write('changed', 'y\n');
    rmSync(repo.at('gone'));
    repo.write('new');
    const { files, counts } = await status();
    expect(counts).toEqual({ staged: 3, unstaged: 3, untracked: 1, conflicted: 0 });
    expect(files.map(({ path, staged, unstaged, untracked }) => [path, staged, unstaged, untracked])).toEqual([
      ['both', 'modified', 'modified', false],
      ['changed', null, 'modified', false],
      ['gone', null, 'deleted', false],
      ['here', 'renamed', null, false],
      ['staged', 'modified', null, false],
      ['new', null, null, true],
    ]);
    expect(files[3]?.old_path).toBe('moved');
    expect((await status({ untracked: false })).counts.untracked).toBe(0);
  });

  it('names a conflict for what it is', async () => {
    repo.write('file', 'base\n');
    repo.commit();
    repo.git('switch', '-q', '-c', 'other');
    repo.write('file', 'theirs\n');
    repo.commit();
    repo.git('switch', '-q', 'main');
    rmSync(repo.at('file'));
    repo.commit();
    expect(() => repo.git('merge', 'other')).toThrow();
    expect(await status()).toMatchObject({
      counts: { conflicted: 1 },
      files: [{ path: 'file', conflict: 'deleted_by_us', staged: null, unstaged: null }],
    });
  });

  it('has another snapshot when a listed file changes again, and the same one while nothing does', async () => {
    repo.write('file', 'one\n');
    repo.commit();
    repo.write('file', 'two\n');
    const before = await status();
    expect((await status()).snapshot).toBe(before.snapshot);
    repo.write('file', 'six\n');
    const after = await status();
    expect(after.files).toEqual(before.files);
    expect(after.snapshot).not.toBe(before.snapshot);
  });

  it('lists a thousand files and counts the others', async () => {
    for (let n = 0; n < 1003; n++) repo.write(`f${n}`, '');
    const { files, hidden, counts } = await status();
    expect([files.length, hidden, counts.untracked]).toEqual([1000, 3, 1003]);
  });

  it('is of the surface that is named, else of the workspace', async () => {
    repo.write('below/file');
    const ofBus = (params: Params<'workspace.git.status'>) => bus.call('workspace.git.status', params);
    expect((await ofBus({})).root).toBe(repo.path);
    expect((await ofBus({ surface_id: 'surface:1' })).root).toBe(repo.path);
    expect((await ofBus({ surface_id: 'id-1' })).root).toBe(repo.path);
    await expect(ofBus({ surface_id: 'surface:2' })).rejects.toMatchObject({ code: 'unavailable' });
    await expect(ofBus({ directory: 'here' })).rejects.toMatchObject({ code: 'invalid_params' });
  });

  it('F1: keeps every name as it is, before and after a renaming', async () => {
    const names = ['a -> b', 'a b.txt', 'new\nline', 'q"uote', 'ä.txt'];
    for (const name of names)
      repo.write(
        name,
        numbered(20, (n) => `${name} ${n}`),
      );
    repo.commit();
    for (const name of names) renameSync(repo.at(name), repo.at(`${name} -> "2"\n`));
    repo.git('add', '-A');
    repo.write('ö -> ü');
    writeFileSync(Buffer.from(`${repo.path}/caf\xe9`, 'latin1'), '');
    const { files } = await status();
    expect(files.map(({ path, old_path }) => [path, old_path])).toEqual([
      ...names.map((name) => [`${name} -> "2"\n`, name]),
      ['caf\ufffd', null],
      ['ö -> ü', null],
    ]);
    expect(files.at(-2)?.path_bytes).toBe(Buffer.from('caf\xe9', 'latin1').toString('base64'));
  });

  it('F7: tells a bare repository, an unborn branch, a detached HEAD, and a folder that is in none', async () => {
    expect(await status()).toMatchObject({ is_repository: true, branch: 'main', head: null, detached: false });
    repo.write('file');
    repo.commit();
    repo.git('checkout', '-q', '--detach');
    expect(await status()).toMatchObject({ branch: null, detached: true, upstream: null, ahead: null });
    const bare = join(repo.outside, 'bare.git');
    execFileSync('git', ['clone', '-q', '--bare', repo.path, bare], { stdio: 'pipe' });
    expect(await status({ directory: bare })).toMatchObject({
      is_repository: true,
      bare: true,
      root: bare,
      snapshot: null,
    });
    expect(await status({ directory: repo.outside })).toMatchObject({ is_repository: false, root: null, files: [] });
    expect(await status({ directory: join(repo.outside, 'nowhere') })).toMatchObject({ is_repository: false });
  });

  it('F7: works in a sparse checkout and in a worktree, and tells what differs in a submodule', async () => {
    const inner = new GitTree();
    inner.write('file', 'one\n');
    inner.commit();
    repo.write('in/file');
    repo.write('out/file');
    repo.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.path, 'sub');
    repo.commit();
    repo.write('sub/file', 'two\n');
    expect((await status()).files).toMatchObject([
      { path: 'sub', unstaged: 'modified', submodule: { commit_changed: false, modified: true, untracked: false } },
    ]);
    repo.git('-C', 'sub', 'checkout', '-q', '.');
    const tree = join(repo.outside, 'tree');
    repo.git('worktree', 'add', '-q', '--detach', tree);
    execFileSync('git', ['-C', tree, 'sparse-checkout', 'set', 'in'], { stdio: 'pipe' });
    expect(await status({ directory: tree })).toMatchObject({ root: tree, detached: true, files: [] });
    inner.remove();
  });

  it('F7: says that a format of refs is not supported which the installed git does not know', async () => {
    repo.git('config', 'core.repositoryFormatVersion', '1');
    repo.git('config', 'extensions.unheardOf', 'yes');
    await expect(status()).rejects.toMatchObject({ code: 'not_supported' });
  });

  it('F9: tells a file that became a symbolic link', async () => {
    repo.write('file');
    repo.commit();
    rmSync(repo.at('file'));
    symlinkSync('/etc/passwd', repo.at('file'));
    expect((await status()).files).toMatchObject([{ path: 'file', unstaged: 'type_changed' }]);
  });
});
