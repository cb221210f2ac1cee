import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fakeBus, tempDir } from '@switchyard/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { git } from '../src/adapters/git-cli.js';
import { worktreeHandlers } from '../src/handlers/worktree.js';

const remote = { enabled: false, state: 'disconnected', connected: false };
const workspaceAt = (current_directory: string | null) => ({
  id: 'WS-1',
  ref: 'workspace:1',
  index: 0,
  title: 'one',
  description: null,
  selected: true,
  pinned: false,
  listening_ports: [],
  remote,
  current_directory,
  custom_color: null,
});

describe('worktree.list', () => {
  const dir = tempDir('sy-git');
  const repo = join(dir.path, 'repo');
  const run = (...args: string[]) => execFileSync('git', ['-C', repo, ...args], { stdio: 'pipe' }).toString();
  const list = async (folder: string, open: string | null = null) => {
    const bus = fakeBus({
      'workspace.list': () => ({ window_id: 'W', window_ref: 'window:1', workspaces: [workspaceAt(open)] }),
    });
    await bus.serve('git-service', '_', worktreeHandlers(bus));
    return bus.call('worktree.list', { repo: folder });
  };

  beforeAll(() => {
    mkdirSync(repo);
    run('init', '-q', '-b', 'main');
    run('-c', 'user.name=t', '-c', 'user.email=t@t', 'commit', '-q', '--allow-empty', '-m', 'first');
    run('worktree', 'add', '-q', '-b', 'fix/it', join(dir.path, 'a b -> "ä"\nc'));
    run('worktree', 'add', '-q', '--detach', join(dir.path, 'loose'));
  });
  afterAll(() => dir.remove());

  it('F1: lists the worktrees of a repository from any folder in it, whatever their names', async () => {
    mkdirSync(join(repo, 'deep'));
    const head = run('rev-parse', 'HEAD').trim();
    const { repo: top, worktrees } = await list(join(repo, 'deep'));
    expect(top).toBe(repo);
    expect(worktrees.map(({ path, branch }) => [path, branch])).toEqual([
      [repo, 'main'],
      [join(dir.path, 'a b -> "ä"\nc'), 'fix/it'],
      [join(dir.path, 'loose'), null],
    ]);
    expect(worktrees.every((worktree) => worktree.head === head)).toBe(true);
  });

  it('names the workspace whose directory is a worktree, also through a symbolic link', async () => {
    const link = join(dir.path, 'link');
    symlinkSync(join(dir.path, 'loose'), link);
    const { worktrees } = await list(repo, link);
    expect(worktrees.map(({ is_open, workspace_ref }) => [is_open, workspace_ref])).toEqual([
      [false, null],
      [false, null],
      [true, 'workspace:1'],
    ]);
  });

  it('F7: lists a bare repository by its own folder, without the bare entry', async () => {
    const bare = join(dir.path, 'bare.git');
    execFileSync('git', ['clone', '-q', '--bare', repo, bare], { stdio: 'pipe' });
    expect(await list(bare)).toEqual({ repo: bare, worktrees: [] });
  });

  it('says of a folder that is no repository, or is not there, that it is none', async () => {
    await expect(list(dir.path)).rejects.toMatchObject({ code: 'not_a_git_repo' });
    await expect(list(join(dir.path, 'nowhere'))).rejects.toMatchObject({ code: 'not_a_git_repo' });
    await expect(list('relative')).rejects.toMatchObject({ code: 'invalid_params' });
  });

  it('passes on what git said when it fails', async () => {
    const failed = git(repo, ['no-such-command'], { signal: new AbortController().signal });
    await expect(failed).rejects.toMatchObject({
      code: 'git_command_failed',
      data: { exit_code: 1, stderr: expect.stringContaining('no-such-command') },
    });
  });

  it('ends git when the caller goes away', async () => {
    const caller = new AbortController();
    const waiting = git(repo, ['cat-file', '--batch'], { signal: caller.signal });
    caller.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'cancelled' });
  });
});
