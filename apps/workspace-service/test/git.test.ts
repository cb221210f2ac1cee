import type { BusEvent, Params, Result } from '@switchyard/protocol';
import { waitFor } from '@switchyard/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeYard } from './fake-yard.js';

type Facts = NonNullable<BusEvent<'git.changed'>['git']>;

const pull_request = {
  number: 7,
  label: 'PR',
  url: 'https://example.com/pull/7',
  state: 'open',
  branch: 'fix',
  checks: null,
  title: 'Fix',
  draft: false,
} as const;
const facts = (more: Partial<Facts> = {}): Facts => ({
  root: '/src',
  branch: 'fix',
  detached: false,
  head: '6c1f0e4d2b8a97530f1e2d3c4b5a69788796a5b4',
  upstream: 'origin/fix',
  ahead: 1,
  behind: 0,
  dirty: true,
  changed_count: 2,
  operation: null,
  pull_request: null,
  ...more,
});

/** A git-service that remembers what it was told to watch, and answers what it is given. */
class FakeGitService {
  readonly told: Params<'git.watch'>['folders'][] = [];
  known: Result<'git.watch'>['folders'] = [];
  instance = 'one';
  isAway = false;

  readonly answer = ({ folders }: Params<'git.watch'>): Result<'git.watch'> => {
    if (this.isAway) throw new Error('nobody is there');
    this.told.push(folders);
    return { instance: this.instance, folders: this.known };
  };

  get folders(): string[] {
    return (this.told.at(-1) ?? []).map(({ folder }) => folder).sort();
  }
}

let yard: FakeYard;
let git: FakeGitService;
let workspace_id: string;
let surface_id: string;

beforeEach(async () => {
  git = new FakeGitService();
  yard = new FakeYard();
  yard.others['git.watch'] = git.answer;
  await yard.start();
  ({ workspace_id, surface_id } = await yard.call('workspace.create', { cwd: '/src' }));
  await told('/home/someone', '/src');
});
afterEach(() => yard.end());

const told = (...folders: string[]) =>
  waitFor(`told of ${folders}`, () => JSON.stringify(git.folders) === JSON.stringify(folders), {
    seen: () => git.told,
  });
const say = (rev: number, known: Facts | null, more: { instance?: string; folder?: string } = {}) => {
  const { instance = git.instance, folder = '/src' } = more;
  yard.bus.emit('git.changed', { instance, folders: [folder], rev, git: known });
};
const ready = (instance: string) => {
  git.instance = instance;
  yard.bus.emit('service.ready', { service: 'git-service', address: '_', instance, version: '0' });
};
const current = async () => (await yard.call('workspace.current', { workspace_id })).workspace;

describe('the repositories of workspaces', () => {
  it('are in every row that has a directory, in the peer’s words and in ours', async () => {
    say(1, facts({ pull_request }));
    const fields = { git: facts({ pull_request }), git_branch: { branch: 'fix', dirty: true }, pull_request };
    expect(await current()).toMatchObject(fields);
    const { workspaces } = await yard.call('workspace.list', {});
    expect(workspaces.find(({ id }) => id === workspace_id)).toMatchObject(fields);
    expect(workspaces.find(({ id }) => id !== workspace_id)).toMatchObject({ git: null, git_branch: null });
    const { windows } = await yard.call('system.tree', { workspace_id });
    expect(windows[0]?.workspaces[0]).toMatchObject(fields);
    const { surfaces } = await yard.call('surface.list', { workspace_id });
    expect(surfaces[0]?.git).toEqual(facts({ pull_request }));
  });

  it('have no branch on a detached HEAD, and are not dirty where that is not known', async () => {
    say(1, facts({ branch: null, detached: true }));
    expect(await current()).toMatchObject({ git: { detached: true }, git_branch: null });
    say(2, facts({ dirty: null, changed_count: null }));
    expect(await current()).toMatchObject({ git_branch: { branch: 'fix', dirty: false } });
  });

  it('are those of where the focused surface is now', async () => {
    say(1, facts());
    yard.bus.emit('terminal.cwd_changed', { surface_id, cwd: '/else' });
    expect(await current()).toMatchObject({ current_directory: '/else', git: null });
    await told('/else', '/home/someone');
    say(2, facts({ branch: 'main' }), { folder: '/else' });
    expect(await current()).toMatchObject({ git: { branch: 'main' } });
  });

  it('are told to be watched with their surfaces, once for many changes, and not again for others', async () => {
    const { surface_id: other } = await yard.call('surface.split', { workspace_id, direction: 'right' });
    await waitFor('both surfaces are told', () => git.told.at(-1)?.some((one) => one.surface_ids.includes(other)));
    expect(git.told.at(-1)?.find(({ folder }) => folder === '/src')?.surface_ids).toEqual([surface_id, other]);
    const before = git.told.length;
    yard.bus.emit('terminal.title_changed', { surface_id, title: 'make' });
    await yard.call('workspace.rename', { workspace_id, title: 'build' });
    await yard.call('workspace.create', { cwd: '/third' });
    await told('/home/someone', '/src', '/third');
    expect(git.told.length).toBe(before + 1);
  });
});

describe('what is known of repositories', () => {
  it('is never replaced by what was seen before', async () => {
    say(5, facts({ branch: 'new' }));
    say(4, facts({ branch: 'old' }));
    expect(await current()).toMatchObject({ git_branch: { branch: 'new' } });
  });

  it('is told anew, all of it, by a git-service that was killed', async () => {
    say(9, facts());
    const before = git.told.length;
    git.known = [{ folder: '/src', rev: 1, git: facts({ branch: 'after' }) }];
    ready('two');
    await waitFor('told again', () => git.told.length > before);
    expect(git.folders).toEqual(['/home/someone', '/src']);
    await waitFor('the new facts', async () => (await current()).git?.branch === 'after');
  });

  it('stays while the git-service is away, and comes back with it', async () => {
    say(1, facts());
    git.isAway = true;
    await yard.call('workspace.create', { cwd: '/third' });
    await waitFor('it could not be told', () =>
      yard.log.info.mock.calls.some(([, message]) => String(message).includes('could not be told')),
    );
    expect(await current()).toMatchObject({ git: { branch: 'fix' } });
    git.isAway = false;
    ready('two');
    await told('/home/someone', '/src', '/third');
  });

  it('is asked for again by this service when it was killed', async () => {
    git.known = [{ folder: '/src', rev: 3, git: facts() }];
    await yard.crash();
    await waitFor('the facts', async () => (await current()).git?.branch === 'fix');
  });
});
