import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '@switchyard/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { git, gitChange } from '../src/adapters/git-cli.js';
import { FakeWorkspaces } from './fake-workspaces.js';
import { GitService } from './service-kit.js';
import { TestRepo } from './test-repo.js';

const ODD_NAME = 'a b -> "ä"\nc';

describe('worktrees that are there', () => {
  const dir = tempDir('sy-git');
  let repo: TestRepo;
  let service: GitService;
  const at = (name: string) => join(dir.path, name);
  const list = async (folder: string, workspaces = new FakeWorkspaces()) =>
    (await GitService.start(at('kit'), workspaces)).call('worktree.list', { repo: folder });

  beforeAll(async () => {
    repo = new TestRepo(at('repo'));
    repo.git('worktree', 'add', '-q', '-b', 'fix/it', at(ODD_NAME));
    repo.git('worktree', 'add', '-q', '--detach', at('loose'));
    repo.git('worktree', 'add', '-q', '-b', 'away', at('away'));
    repo.git('worktree', 'lock', '--reason', 'on a disk', at('away'));
    renameSync(at('away'), at('unplugged'));
    service = await GitService.start(at('kit'));
  });
  afterAll(() => dir.remove());

  it('F1: are listed from any folder of the repository, whatever their names', async () => {
    mkdirSync(join(repo.path, 'deep'));
    const head = repo.git('rev-parse', 'HEAD').trim();
    const { repo: top, worktrees } = await list(join(repo.path, 'deep'));
    expect(top).toBe(repo.path);
    expect(worktrees[0]).toMatchObject({ path: repo.path, branch: 'main', is_main: true });
    const linked = worktrees.slice(1).map(({ path, branch, is_main }) => [path, branch, is_main]);
    expect(new Set(linked)).toEqual(
      new Set([
        [at(ODD_NAME), 'fix/it', false],
        [at('loose'), null, false],
        [at('away'), 'away', false],
      ]),
    );
    expect(worktrees.every((worktree) => worktree.head === head)).toBe(true);
  });

  it('F2: are listed with what is wrong with them: locked, missing', async () => {
    const { worktrees } = await list(repo.path);
    const away = worktrees.find(({ branch }) => branch === 'away');
    expect(away).toMatchObject({ is_missing: true, locked: 'on a disk', prunable: null });
    expect(worktrees[0]).toMatchObject({ is_missing: false, locked: null });
  });

  it('are listed with the workspace whose directory they are, also through a symbolic link', async () => {
    const workspaces = new FakeWorkspaces();
    symlinkSync(at('loose'), at('link'));
    workspaces.add('/elsewhere', at('link'));
    const { worktrees } = await list(repo.path, workspaces);
    const open = worktrees.filter(({ is_open }) => is_open);
    expect(open.map(({ path, workspace_ref }) => [path, workspace_ref])).toEqual([[at('loose'), 'workspace:1']]);
    expect(worktrees.filter(({ is_open, workspace_id }) => !is_open && workspace_id === null)).toHaveLength(3);
  });

  it('count as open in the workspace that was opened on them, before one that has only gone there', async () => {
    const workspaces = new FakeWorkspaces();
    workspaces.add('/elsewhere', at('loose'));
    workspaces.add(at('loose'), '/elsewhere');
    const { worktrees } = await list(repo.path, workspaces);
    const loose = worktrees.find(({ path }) => path === at('loose'));
    expect(loose).toMatchObject({ workspace_ref: 'workspace:2' });
  });

  it('F7: of a bare repository are listed by its own folder, without the bare entry', async () => {
    execFileSync('git', ['clone', '-q', '--bare', repo.path, at('bare.git')], { stdio: 'pipe' });
    expect(await list(at('bare.git'))).toEqual({ repo: at('bare.git'), worktrees: [] });
  });

  it('say how they stand: changes, upstream, what git is in the middle of', async () => {
    const other = new TestRepo(at('standing'));
    other.git('branch', 'base');
    other.git('branch', '-q', '--set-upstream-to=base');
    other.write('README.md', 'two\n');
    other.commit('second');
    other.write('new.txt', '');
    other.git('checkout', '-q', '-b', 'side', 'base');
    other.write('README.md', 'three\n');
    other.git('add', 'README.md');
    const status = await service.call('worktree.status', { repo: other.path, branch: 'side' });
    expect(status).toMatchObject({
      changes: { staged: 1, unstaged: 0, untracked: 1, conflicted: 0 },
      in_progress: null,
    });
    other.git('commit', '-q', '-m', 'third');
    expect(() => other.git('rebase', 'main')).toThrow();
    const rebasing = await service.call('worktree.status', { repo: other.path, path: other.path });
    expect(rebasing).toMatchObject({ worktree: { branch: null }, in_progress: 'rebase', changes: { conflicted: 1 } });
    other.git('rebase', '--abort');
    other.git('checkout', '-q', 'main');
    const main = await service.call('worktree.status', { repo: other.path, branch: 'main' });
    expect(main).toMatchObject({ upstream: 'base', ahead: 1, behind: 0, is_main: true, setup: 'none' });
  });

  it('F2: say how they stand even when their folder is missing', async () => {
    const status = await service.call('worktree.status', { repo: repo.path, branch: 'away' });
    expect(status).toMatchObject({ is_missing: true, locked: 'on a disk', changes: null, in_progress: null });
  });

  it('are asked for by exactly one of path and branch', async () => {
    const both = service.call('worktree.status', { repo: repo.path, branch: 'main', path: repo.path });
    await expect(both).rejects.toMatchObject({ code: 'invalid_params' });
    await expect(service.call('worktree.status', { repo: repo.path })).rejects.toMatchObject({
      code: 'invalid_params',
    });
    const none = service.call('worktree.status', { repo: repo.path, branch: 'none' });
    await expect(none).rejects.toMatchObject({ code: 'worktree_not_found', data: { branch: 'none' } });
  });

  it('are not found in a folder that is no repository, or is not there', async () => {
    await expect(list(dir.path)).rejects.toMatchObject({ code: 'not_a_git_repo' });
    await expect(list(at('nowhere'))).rejects.toMatchObject({ code: 'not_a_git_repo' });
    await expect(list('relative')).rejects.toMatchObject({ code: 'invalid_params' });
  });
});

describe('git', () => {
  const dir = tempDir('sy-git');
  let repo: TestRepo;
  const never = new AbortController().signal;
  beforeAll(() => {
    repo = new TestRepo(join(dir.path, 'repo'));
  });
  afterAll(() => dir.remove());

  it('says what it said when it fails', async () => {
    await expect(git(repo.path, ['no-such-command'], { signal: never })).rejects.toMatchObject({
      code: 'git_command_failed',
      data: { exit_code: 1, stderr: expect.stringContaining('no-such-command') },
    });
  });

  it('ends when the caller goes away', async () => {
    const caller = new AbortController();
    const waiting = git(repo.path, ['cat-file', '--batch'], { signal: caller.signal, input: '' });
    caller.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('ends with everything it has started when it takes too long', async () => {
    const options = { signal: never, timeoutMs: 200, operation: 'test' };
    const slow = gitChange(repo.path, ['-c', 'alias.slow=!sleep 60', 'slow'], options);
    await expect(slow).rejects.toMatchObject({ code: 'timeout' });
  });

  it('runs the hooks of the user when it changes something, and none when it only looks', async () => {
    repo.write('.git/hooks/pre-commit', '#!/bin/sh\nexit 3\n');
    execFileSync('chmod', ['+x', join(repo.path, '.git/hooks/pre-commit')]);
    const env = { GIT_AUTHOR_NAME: 'A', GIT_AUTHOR_EMAIL: 'a@b', GIT_COMMITTER_NAME: 'A', GIT_COMMITTER_EMAIL: 'a@b' };
    const change = gitChange(repo.path, ['commit', '--allow-empty', '-m', 'x'], { signal: never, operation: 'x', env });
    await expect(change).rejects.toMatchObject({ code: 'git_command_failed' });
    await git(repo.path, ['commit', '--allow-empty', '-m', 'x'], { signal: never, env });
  });
});
