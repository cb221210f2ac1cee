import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitFor } from '@switchyard/testing';
import { beforeAll, expect, it } from 'vitest';
import { useYard } from './use-yard.js';

const PATIENCE_MS = 60_000;
const ID = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];

const yard = useYard();
const repo = () => join(yard().dir, 'repo');
const worktree = (branch: string) => join(yard().dir, 'home', '.switchyard', 'worktrees', 'repo', branch);
const git = (...args: string[]) => execFileSync('git', ['-C', repo(), ...ID, ...args], { stdio: 'pipe' }).toString();
const sy = (...args: string[]) => yard().cli('worktree', ...args, '--repo', repo());

beforeAll(() => {
  mkdirSync(repo());
  git('init', '-q', '-b', 'main');
  writeFileSync(join(repo(), 'README.md'), 'one\n');
  git('add', '.');
  git('commit', '-q', '-m', 'first');
});

/** The checkout of a new worktree waits until it is let go. */
function holdCheckouts(): { begun: () => boolean; release: () => void } {
  const [begun, go] = ['begun', 'go'].map((name) => join(yard().dir, name)) as [string, string];
  const hook = join(repo(), '.git', 'hooks', 'post-checkout');
  mkdirSync(join(repo(), '.git', 'hooks'), { recursive: true });
  writeFileSync(hook, `#!/bin/sh\n: > ${begun}\nwhile [ ! -e ${go} ]; do sleep 0.05; done\nrm ${begun} ${go} "$0"\n`);
  chmodSync(hook, 0o755);
  return { begun: () => existsSync(begun), release: () => writeFileSync(go, '') };
}

async function workspacesOn(path: string): Promise<number> {
  const { workspaces } = await (await yard().client()).call('workspace.list', {});
  return workspaces.filter(({ current_directory }) => current_directory === path).length;
}

it('sy worktree makes worktrees, lists them, says how they stand, and opens them', async () => {
  const path = worktree('fix-it');
  const created = await sy('create', 'fix/it');
  expect(created).toMatchObject({ code: 0, stdout: `workspace:2 ${path}\n`, stderr: '' });
  const again = await sy('create', 'fix/it');
  expect(again).toMatchObject({ code: 0, stdout: created.stdout, stderr: 'The worktree was there already.\n' });
  expect((await sy('list')).stdout).toMatch(/^fix\/it +workspace:2 +\S*fix-it$/m);
  writeFileSync(join(path, 'new.txt'), '');
  const status = await sy('status', 'fix/it');
  expect(status.stdout).toMatch(/^changes +1 untracked$/m);
  git('worktree', 'add', '-q', '-b', 'other', worktree('other'));
  const all = await sy('open', '--all');
  expect(all.stdout.trim().split('\n').sort()).toEqual([`workspace:2 ${path}`, `workspace:3 ${worktree('other')}`]);
  const held = await sy('create', 'other', '--path', join(yard().dir, 'elsewhere'));
  expect(held).toMatchObject({ code: 1, stderr: expect.stringContaining(worktree('other')) });
});

it('sy worktree says how it is used', async () => {
  const both = await sy('open', '--all', '--focus');
  expect(both).toMatchObject({ code: 2, stderr: expect.stringMatching(/--all.*--focus/) });
  expect(await sy('open', 'x', '--all')).toMatchObject({ code: 2 });
  expect(await sy('open')).toMatchObject({ code: 2, stderr: expect.stringContaining('PATH-OR-BRANCH') });
  expect(await sy('create')).toMatchObject({ code: 2 });
  expect(await sy('nonsense')).toMatchObject({ code: 2 });
});

it('the commands of a trusted setup run in a terminal of the new workspace', async () => {
  mkdirSync(join(repo(), '.switchyard'));
  const setup = { copy: ['*.env'], run: ['echo set up in $PWD', 'cat copied.env'] };
  writeFileSync(join(repo(), '.switchyard', 'worktree.json'), JSON.stringify(setup));
  writeFileSync(join(repo(), 'copied.env'), 'SECRET=1\n');
  expect((await sy('create', 'untrusted')).stderr).toContain('sy worktree trust');
  expect((await sy('trust')).stdout).toMatch(/: trusted\n {2}copy {2}\*\.env\n {2}run {3}echo set up/);
  const { stdout } = await yard().cli('worktree', 'create', 'trusted', '--repo', repo(), '--json');
  const { setup: report, worktree: made } = JSON.parse(stdout);
  expect(report).toMatchObject({ state: 'done', copied: 1 });
  const client = await yard().client();
  await client.call('surface.wait', { surface_id: report.surface_id, exit: true, timeout_ms: PATIENCE_MS });
  const { text } = await client.call('surface.read_text', { surface_id: report.surface_id });
  expect(text.replaceAll('\n', '')).toContain(`set up in ${made.path}`);
  expect(text).toContain('SECRET=1');
});

it('a workspace-service that is killed while git is at work costs a new worktree nothing', async () => {
  const hold = holdCheckouts();
  const client = await yard().client();
  const making = client.call('worktree.create', { repo: repo(), branch: 'kill-model', setup: false });
  await waitFor('git is at work', hold.begun);
  const pid = await yard().kill('workspace-service');
  hold.release();
  const made = await making;
  await yard().untilRestarted('workspace-service', pid);
  expect(made).toMatchObject({ created: true, recovered: null });
  expect(await workspacesOn(worktree('kill-model'))).toBe(1);
});

it('a git-service that is killed while git is at work finishes what was begun, and says so', async () => {
  const hold = holdCheckouts();
  const client = await yard().client();
  const making = client.call('worktree.create', { repo: repo(), branch: 'kill-git', setup: false });
  await waitFor('git is at work', hold.begun);
  const pid = await yard().kill('git-service');
  hold.release();
  const made = await making;
  await yard().untilRestarted('git-service', pid);
  expect(made).toMatchObject({ created: false, recovered: { outcome: 'completed' } });
  expect(await workspacesOn(worktree('kill-git'))).toBe(1);
  expect(git('-C', worktree('kill-git'), 'status', '--porcelain')).toBe('');
});
