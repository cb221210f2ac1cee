import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SwitchyardError } from '@switchyard/protocol';
import { waitFor } from '@switchyard/testing';
import { beforeAll, expect, it } from 'vitest';
import { useYard } from './use-yard.js';

/** So many that saving them takes a moment, in which something can be killed. */
const FILES = 3_000;
const REMOVAL_MS = 60_000;

const yard = useYard();
let repo: string;

const git = (folder: string, ...args: string[]) =>
  execFileSync('git', ['-C', folder, '-c', 'user.name=Ada', '-c', 'user.email=a@b', ...args], {
    env: { PATH: process.env['PATH'] ?? '', HOME: yard().dir },
    stdio: 'pipe',
  }).toString();

beforeAll(() => {
  repo = join(yard().dir, 'repo');
  mkdirSync(repo);
  git(repo, 'init', '-q', '-b', 'main');
  git(repo, 'commit', '-q', '--allow-empty', '-m', 'first');
});

/** A worktree with a workspace, and much in it that nobody else has. */
async function busyWorktree(branch: string) {
  const client = await yard().client();
  const { worktree, workspace_id } = await client.call('worktree.create', { repo, branch });
  for (let i = 0; i < FILES; i++) writeFileSync(join(worktree.path, `file-${i}`), `${branch} ${i}\n`);
  return { path: worktree.path, workspace_id, branch };
}

async function isOpen(workspace_id: string): Promise<boolean> {
  const client = await yard().client();
  const { workspaces } = await client.call('workspace.list', {});
  return workspaces.some(({ id }) => id === workspace_id);
}

async function remove(branch: string) {
  const client = await yard().client();
  return client.call('worktree.remove', { repo, branch, force: true }, { timeoutMs: REMOVAL_MS });
}

it('F5: sy worktree remove refuses and lists, and with --force what it saved can be recovered', async () => {
  const client = await yard().client();
  const { worktree } = await client.call('worktree.create', { repo, branch: 'fix/it' });
  writeFileSync(join(worktree.path, 'plan.md'), 'think\n');
  const at = ['--repo', repo];
  const refused = await yard().cli('worktree', 'remove', 'fix/it', ...at);
  expect([refused.code, refused.stdout]).toEqual([1, '']);
  expect(refused.stderr).toMatch(/! 1 file not tracked.*plan\.md.*worktree_dirty/s);
  const removed = await yard().cli('worktree', 'remove', 'fix/it', '--force', ...at);
  expect(removed.stdout).toMatch(/^removed .*\nclosed workspace:\d+\nsaved as \S+: \d+ files/);
  expect(existsSync(worktree.path)).toBe(false);
  const [id = ''] = /\d{8}T\d{6}Z-[0-9a-f]{8}/.exec((await yard().cli('worktree', 'recover', ...at)).stdout) ?? [];
  expect((await yard().cli('worktree', 'recover', id, ...at)).stdout).toContain(`restored ${worktree.path} on fix/it`);
  expect(readFileSync(join(worktree.path, 'plan.md'), 'utf8')).toBe('think\n');
});

it('a git-service that is killed while it saves leaves everything as it was, and the next call says so', async () => {
  const { path, workspace_id, branch } = await busyWorktree('saving');
  const request = remove(branch).catch((error: unknown) => error);
  const recovered = join(yard().paths.stateDir, 'recovered');
  await waitFor('it saves', () => readdirSync(recovered).some((name) => name.endsWith('.partial')));
  const pid = await yard().kill('git-service');
  await yard().untilRestarted('git-service', pid);
  // Nobody repeats a removal by itself: the caller is told that it has to look.
  expect(await request).toMatchObject({ code: 'outcome_unknown' });
  expect([readdirSync(path).length, await isOpen(workspace_id)]).toEqual([FILES + 1, true]);
  const removed = await remove(branch);
  expect(removed).toMatchObject({ removed: true, recovered: { outcome: 'undone' }, closed_workspace_id: workspace_id });
  expect([existsSync(path), await isOpen(workspace_id), git(repo, 'branch', '--list', branch)]).toEqual([
    false,
    false,
    `  ${branch}\n`,
  ]);
});

it('a workspace-service that is killed while git removes still closes the workspace, once', async () => {
  const { path, workspace_id, branch } = await busyWorktree('removing');
  const request = remove(branch).catch((error: unknown) => error);
  await waitFor('git has begun to remove', () => !existsSync(join(path, `file-${FILES - 1}`)));
  const pid = await yard().kill('workspace-service');
  await yard().untilRestarted('workspace-service', pid);
  const answer = await request;
  if (answer instanceof SwitchyardError) {
    expect(answer.data).toMatchObject({ removed: true });
    expect(await remove(branch)).toMatchObject({ removed: true, recovered: { outcome: 'completed' } });
  } else {
    expect(answer).toMatchObject({ removed: true, closed_workspace_id: workspace_id });
  }
  expect([existsSync(path), await isOpen(workspace_id)]).toEqual([false, false]);
});
