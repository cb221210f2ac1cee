import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Params } from '@switchyard/protocol';
import { SwitchyardError } from '@switchyard/protocol';
import { tempDir, waitFor } from '@switchyard/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GitService } from './service-kit.js';
import { TestRepo } from './test-repo.js';

let dir: ReturnType<typeof tempDir>;
let repo: TestRepo;
let service: GitService;
beforeEach(async () => {
  dir = tempDir('sy-create');
  repo = new TestRepo(join(dir.path, 'repo'));
  service = await GitService.start(dir.path);
});
afterEach(async () => {
  await service.stop();
  dir.remove();
});

const at = (name: string) => join(dir.path, name);
const create = (params: Partial<Params<'worktree.create'>> = {}, context = {}) =>
  service.call('worktree.create', { repo: repo.path, branch: 'fix/it', ...params }, context);
const journal = () => readdirSync(join(dir.path, 'state', 'git-operations'));
const refused = (code: string, data: object = {}) =>
  expect.objectContaining({ code, data: expect.objectContaining(data) });
const hook = (name: string, text: string) => {
  const path = join(repo.path, '.git', 'hooks', name);
  mkdirSync(join(repo.path, '.git', 'hooks'), { recursive: true });
  writeFileSync(path, `#!/bin/sh\n${text}\n`);
  chmodSync(path, 0o755);
};

describe('worktree.create', () => {
  it('makes the branch, the worktree and a workspace on it, and nothing else', async () => {
    const made = await create();
    const path = at('worktrees/repo/fix-it');
    expect(made.worktree).toEqual({ path, branch: 'fix/it', repo: repo.path });
    expect(made).toMatchObject({ created: true, recovered: null, warnings: [], setup: { state: 'none' } });
    expect(readFileSync(join(path, 'README.md'), 'utf8')).toBe('one\n');
    expect(service.workspaces.on(path)).toHaveLength(1);
    expect(service.workspaces.titles.get(made.workspace_id)).toBe('fix/it');
    expect(service.workspaces.selected).toBeNull();
    expect(journal()).toEqual([]);
  });

  it('checks an existing branch out, begins a new one where it is told, and goes where it is told', async () => {
    repo.git('branch', 'old');
    repo.write('README.md', 'two\n');
    repo.commit('second');
    const path = at('elsewhere/old');
    await create({ branch: 'old', path });
    expect(readFileSync(join(path, 'README.md'), 'utf8')).toBe('one\n');
    await create({ branch: 'new', base: 'main~1', path: at('new') });
    expect(readFileSync(join(at('new'), 'README.md'), 'utf8')).toBe('one\n');
    await create({ branch: 'newest' });
    expect(readFileSync(join(at('worktrees/repo/newest'), 'README.md'), 'utf8')).toBe('two\n');
  });

  it('F1: goes to a folder of any name, for a branch in any script, and finds both again', async () => {
    const path = at('a b -> "ä"\nc');
    const first = await create({ branch: 'größe/日本', path });
    expect(first.worktree).toEqual({ path, branch: 'größe/日本', repo: repo.path });
    expect(await create({ branch: 'größe/日本', path })).toMatchObject({ created: false, worktree: first.worktree });
    expect((await create({ branch: 'größe/日' })).worktree.path).toBe(at('worktrees/repo/gr--e--'));
  });

  it('answers a repeat with the same workspace, also when its terminal has gone elsewhere', async () => {
    const first = await create();
    const place = service.workspaces.places[0];
    if (place !== undefined) service.workspaces.places.splice(0, 1, { ...place, current_directory: '/tmp' });
    const second = await create({ path: at('worktrees/repo/fix-it') });
    expect(second).toMatchObject({ created: false, workspace_id: first.workspace_id, worktree: first.worktree });
    expect(service.workspaces.places).toHaveLength(1);
  });

  it('opens a workspace again when the first was closed', async () => {
    const first = await create();
    service.workspaces.close(first.workspace_id);
    const second = await create();
    expect(second).toMatchObject({ created: false, worktree: first.worktree });
    expect(service.workspaces.on(first.worktree.path)).toHaveLength(1);
    expect(journal()).toEqual([]);
  });

  it('makes one worktree and one workspace for requests that come at once', async () => {
    const all = await Promise.all([create(), create(), create()]);
    expect(new Set(all.map(({ workspace_id }) => workspace_id)).size).toBe(1);
    expect(all.filter(({ created }) => created)).toHaveLength(1);
    expect(service.workspaces.places).toHaveLength(1);
  });

  it('puts the workspace right after that of the repository', async () => {
    const root = service.workspaces.add(repo.path);
    const other = service.workspaces.add('/other');
    const { workspace_id } = await create();
    const order = service.workspaces.places.map((place) => place.workspace_id);
    expect(order).toEqual([root.workspace_id, workspace_id, other.workspace_id]);
  });

  it('selects the workspace only when it is asked to', async () => {
    const { workspace_id } = await create({ focus: true });
    expect(service.workspaces.selected).toBe(workspace_id);
  });

  it('applies the layout to the workspace, with its directories below the worktree', async () => {
    service.workspaces.layoutNames = ['two'];
    const { workspace_id, worktree } = await create({ layout: 'two' });
    expect(service.workspaces.layouts).toEqual([{ name: 'two', workspace_id, cwd: worktree.path }]);
  });

  it('stays a success when the layout cannot be applied, and says so', async () => {
    service.workspaces.layoutNames = ['two'];
    service.workspaces.onCall = (method) => {
      if (method === 'layout.apply') throw new SwitchyardError('invalid_state', 'no room');
    };
    const made = await create({ layout: 'two' });
    expect(made.warnings).toEqual(['The layout two could not be applied: no room']);
    expect(journal()).toEqual([]);
  });

  it('says what of a layout is not there', async () => {
    service.workspaces.layoutNames = ['two'];
    service.workspaces.layoutFails = true;
    const made = await create({ layout: 'two' });
    expect(made.warnings).toEqual(['The layout two is not complete. surface:9: no such program']);
  });

  it('works from a folder below the repository, from another worktree, and for a bare repository', async () => {
    mkdirSync(join(repo.path, 'deep'));
    await create({ repo: join(repo.path, 'deep') });
    await create({ repo: at('worktrees/repo/fix-it'), branch: 'second' });
    repo.git('clone', '-q', '--bare', repo.path, at('bare.git'));
    const { worktree } = await create({ repo: at('bare.git'), branch: 'third' });
    expect(worktree.path).toBe(at('worktrees/bare/third'));
    expect(repo.linked()).toEqual([at('worktrees/repo/fix-it'), at('worktrees/repo/second')]);
  });
});

describe('worktree.create refuses, before it touches anything,', () => {
  afterEach(() => {
    expect(journal()).toEqual([]);
    expect(service.workspaces.places).toEqual([]);
  });

  it('a branch that another worktree has, and says which, the main checkout included', async () => {
    repo.git('worktree', 'add', '-q', '-b', 'fix/it', at('other'));
    await expect(create({ path: at('second') })).rejects.toEqual(
      refused('branch_checked_out', { existing_path: at('other'), is_missing: false }),
    );
    await expect(create({ branch: 'main' })).rejects.toEqual(
      refused('branch_checked_out', { existing_path: repo.path }),
    );
    await expect(create({ branch: 'main', path: repo.path })).rejects.toEqual(refused('branch_checked_out'));
    expect(existsSync(at('second'))).toBe(false);
  });

  it('F4: a branch held by a worktree on a disk that is away, and says which path holds it', async () => {
    repo.git('worktree', 'add', '-q', '-b', 'fix/it', at('disk'));
    renameSync(at('disk'), at('unplugged'));
    const error = await create().catch((thrown: SwitchyardError) => thrown);
    expect(error).toEqual(refused('branch_checked_out', { existing_path: at('disk'), is_missing: true, locked: null }));
    expect(error).toMatchObject({ message: expect.stringContaining(`${at('disk')}, whose folder is missing`) });
  });

  it('F2: a branch whose worktree is locked and deleted: both states are named, and nothing is repaired', async () => {
    const path = at('worktrees/repo/fix-it');
    repo.git('worktree', 'add', '-q', '-b', 'fix/it', path);
    repo.git('worktree', 'lock', '--reason', 'mine', path);
    renameSync(path, at('gone'));
    await expect(create()).rejects.toEqual(
      refused('branch_checked_out', { existing_path: path, is_missing: true, locked: 'mine' }),
    );
    await expect(create({ branch: 'other', path })).rejects.toEqual(
      refused('worktree_path_exists', { path, branch: 'fix/it', is_missing: true, locked: 'mine' }),
    );
    expect(repo.linked()).toEqual([path]);
  });

  it('a branch that is being rebased in another worktree', async () => {
    repo.git('worktree', 'add', '-q', '-b', 'fix/it', at('busy'));
    writeFileSync(join(at('busy'), 'README.md'), 'theirs\n');
    repo.gitIn(at('busy'), 'commit', '-q', '-a', '-m', 'theirs');
    repo.write('README.md', 'ours\n');
    repo.commit('ours');
    expect(() => repo.gitIn(at('busy'), 'rebase', 'main')).toThrow();
    await expect(create()).rejects.toEqual(refused('branch_checked_out', { existing_path: at('busy') }));
  });

  it('a path where there is something, be it empty', async () => {
    mkdirSync(at('there'));
    await expect(create({ path: at('there') })).rejects.toEqual(refused('worktree_path_exists', { path: at('there') }));
    writeFileSync(at('file'), '');
    await expect(create({ path: join(at('file'), 'x') })).rejects.toEqual(refused('worktree_path_exists'));
    expect(repo.hasBranch('fix/it')).toBe(false);
  });

  it.each(['-d', 'a..b', 'HEAD', 'a b', 'refs/heads/x'])('the branch name %s', async (branch) => {
    await expect(create({ branch })).rejects.toMatchObject({ code: 'invalid_params' });
  });

  it('a relative path, a base that is no commit, and a layout that there is not', async () => {
    await expect(create({ path: 'relative' })).rejects.toMatchObject({ code: 'invalid_params' });
    await expect(create({ base: 'nothing' })).rejects.toMatchObject({ code: 'git_command_failed' });
    await expect(create({ layout: 'none' })).rejects.toEqual(refused('layout_not_found', { layout: 'none' }));
    expect(repo.hasBranch('fix/it')).toBe(false);
  });

  it('in the order of the reference: window, repository, parameters, layout, branch, path', async () => {
    repo.git('worktree', 'add', '-q', '-b', 'fix/it', at('other'));
    mkdirSync(at('there'));
    const wrong = { window_id: 'W-9', repo: dir.path, path: 'relative', layout: 'none' };
    const right: Partial<Params<'worktree.create'>>[] = [
      {},
      { window_id: 'W-1' },
      { repo: repo.path },
      { path: at('there') },
      { layout: 'two' },
      { branch: 'free' },
    ];
    service.workspaces.layoutNames = ['two'];
    const codes: string[] = [];
    let params = { ...wrong };
    for (const step of right) {
      params = { ...params, ...step };
      codes.push(
        await create(params).then(
          () => 'made',
          ({ code }: SwitchyardError) => code,
        ),
      );
    }
    expect(codes).toEqual([
      'unavailable',
      'not_a_git_repo',
      'invalid_params',
      'layout_not_found',
      'branch_checked_out',
      'worktree_path_exists',
    ]);
  });
});

describe('worktree.create leaves nothing', () => {
  afterEach(() => {
    expect(repo.linked()).toEqual([]);
    expect(repo.hasBranch('fix/it')).toBe(false);
    expect(journal()).toEqual([]);
    expect(readdirSync(at('worktrees')).flatMap((name) => readdirSync(join(at('worktrees'), name)))).toEqual([]);
  });

  it('when it is withdrawn while git is at work', async () => {
    repo.write('.gitattributes', '*.txt filter=slow\n');
    repo.write('a.txt', 'a\n');
    repo.git('config', 'filter.slow.smudge', `touch ${at('begun')}; sleep 60; cat`);
    repo.git('config', 'filter.slow.clean', 'cat');
    repo.commit('slow');
    const caller = new AbortController();
    const making = create({}, { signal: caller.signal });
    making.catch(() => undefined);
    await waitFor('git is at work', () => existsSync(at('begun')));
    caller.abort();
    await expect(making).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('when it is withdrawn when git is just done', async () => {
    const caller = new AbortController();
    hook('post-checkout', `touch ${at('done')}; while [ ! -e ${at('go')} ]; do sleep 0.01; done`);
    const making = create({}, { signal: caller.signal });
    making.catch(() => undefined);
    await waitFor('the hook runs', () => existsSync(at('done')));
    caller.abort();
    writeFileSync(at('go'), '');
    await expect(making).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('when git fails half way', async () => {
    repo.write('.gitattributes', '*.txt filter=bad\n');
    repo.write('a.txt', 'a\n');
    repo.commit('bad');
    repo.git('config', 'filter.bad.smudge', 'false');
    repo.git('config', 'filter.bad.required', 'true');
    await expect(create()).rejects.toMatchObject({ code: 'git_command_failed' });
  });

  it('when no workspace can be made', async () => {
    service.workspaces.onCall = (method, when) => {
      if (method === 'workspace.create' && when === 'before')
        throw new SwitchyardError('command_not_found', 'no shell');
    };
    await expect(create()).rejects.toMatchObject({ code: 'command_not_found' });
    expect(service.workspaces.places).toEqual([]);
  });
});

describe('worktree.create takes back nothing', () => {
  it('that something has come into: then the worktree stays, and the error says so', async () => {
    hook('post-checkout', 'echo secret > notes.txt');
    service.workspaces.onCall = (method, when) => {
      if (method === 'workspace.create' && when === 'before')
        throw new SwitchyardError('command_not_found', 'no shell');
    };
    const path = at('worktrees/repo/fix-it');
    await expect(create()).rejects.toEqual(
      refused('command_not_found', { worktree: expect.objectContaining({ path }) }),
    );
    expect(readFileSync(join(path, 'notes.txt'), 'utf8')).toBe('secret\n');
    expect(journal()).toEqual([]);
  });

  it('that git ignores, which git itself would delete', async () => {
    repo.write('.gitignore', '*.log\n');
    repo.commit('ignore');
    hook('post-checkout', 'echo secret > work.log');
    service.workspaces.onCall = (method, when) => {
      if (method === 'workspace.create' && when === 'before')
        throw new SwitchyardError('command_not_found', 'no shell');
    };
    await expect(create()).rejects.toMatchObject({ code: 'command_not_found' });
    expect(existsSync(at('worktrees/repo/fix-it/work.log'))).toBe(true);
  });

  it('that was there before', async () => {
    const first = await create();
    service.workspaces.close(first.workspace_id);
    service.workspaces.onCall = (method, when) => {
      if (method === 'workspace.create' && when === 'before')
        throw new SwitchyardError('command_not_found', 'no shell');
    };
    await expect(create()).rejects.toMatchObject({ code: 'command_not_found' });
    expect(repo.linked()).toEqual([first.worktree.path]);
  });

  it('when the workspace-service is only away: the next call completes it', async () => {
    service.workspaces.onCall = (method, when) => {
      if (method === 'workspace.create' && when === 'before') throw new SwitchyardError('service_unavailable', 'away');
    };
    await expect(create()).rejects.toEqual(refused('service_unavailable', { worktree: expect.anything() }));
    expect(journal()).toHaveLength(1);
    service.workspaces.onCall = () => undefined;
    const made = await create();
    expect(made).toMatchObject({ created: false, recovered: { outcome: 'completed' } });
    expect(service.workspaces.on(made.worktree.path)).toHaveLength(1);
    expect((await create()).recovered).toBeNull();
    expect(journal()).toEqual([]);
  });
});
