import { renameSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '@switchyard/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GitService } from './service-kit.js';
import { TestRepo } from './test-repo.js';

let dir: ReturnType<typeof tempDir>;
let repo: TestRepo;
let service: GitService;
const at = (name: string) => join(dir.path, name);
beforeEach(async () => {
  dir = tempDir('sy-open');
  repo = new TestRepo(at('repo'));
  repo.git('worktree', 'add', '-q', '-b', 'fix/it', at('fix'));
  repo.git('worktree', 'add', '-q', '--detach', at('loose'));
  service = await GitService.start(dir.path);
});
afterEach(async () => {
  await service.stop();
  dir.remove();
});

describe('worktree.open', () => {
  const open = (params: object) => service.call('worktree.open', { repo: repo.path, ...params });

  it('opens a workspace on a worktree, and answers with the same from then on', async () => {
    const first = await open({ branch: 'fix/it' });
    expect(first).toMatchObject({ created: true, worktree: { path: at('fix'), branch: 'fix/it', repo: repo.path } });
    expect(service.workspaces.titles.get(first.workspace_id)).toBe('fix/it');
    const second = await open({ path: at('fix') });
    expect(second).toMatchObject({ created: false, workspace_id: first.workspace_id });
    expect(service.workspaces.places).toHaveLength(1);
  });

  it('opens the main checkout and a detached one as well', async () => {
    expect((await open({ branch: 'main' })).worktree.path).toBe(repo.path);
    expect((await open({ path: at('loose') })).worktree.branch).toBeNull();
  });

  it('selects the workspace only when it is asked to', async () => {
    await open({ branch: 'fix/it' });
    expect(service.workspaces.selected).toBeNull();
    const { workspace_id } = await open({ branch: 'fix/it', focus: true });
    expect(service.workspaces.selected).toBe(workspace_id);
  });

  it('opens one workspace for requests that come at once', async () => {
    await Promise.all([open({ branch: 'fix/it' }), open({ path: at('fix') })]);
    expect(service.workspaces.places).toHaveLength(1);
  });

  it('F4: opens nothing for a worktree that is only registered, and says so', async () => {
    renameSync(at('fix'), at('away'));
    await expect(open({ branch: 'fix/it' })).rejects.toMatchObject({
      code: 'worktree_not_found',
      data: { path: at('fix'), is_missing: true },
    });
    expect(service.workspaces.places).toEqual([]);
  });

  it('refuses a window that is not there before it looks at the repository', async () => {
    await expect(open({ window_id: 'W-9', repo: '/nowhere' })).rejects.toMatchObject({ code: 'unavailable' });
    await expect(open({ branch: 'a', path: '/b' })).rejects.toMatchObject({ code: 'invalid_params' });
    await expect(open({ branch: 'none' })).rejects.toMatchObject({ code: 'worktree_not_found' });
  });
});

describe('worktree.attach', () => {
  const attach = (workspace_id: string, params: object = { branch: 'fix/it' }) =>
    service.call('worktree.attach', { repo: repo.path, workspace_id, ...params });

  it('makes an open workspace that of the worktree: it is found by it from then on', async () => {
    const { workspace_id } = service.workspaces.add('/elsewhere');
    expect(await attach(workspace_id)).toMatchObject({ workspace_id, worktree: { path: at('fix') } });
    const { worktrees } = await service.call('worktree.list', { repo: repo.path });
    expect(worktrees.find(({ branch }) => branch === 'fix/it')).toMatchObject({ is_open: true, workspace_id });
    expect(await service.call('worktree.open', { repo: repo.path, branch: 'fix/it' })).toMatchObject({ workspace_id });
  });

  it('changes nothing when it is repeated, and refuses a second workspace for the same worktree', async () => {
    const first = service.workspaces.add('/elsewhere');
    const second = service.workspaces.add('/other');
    await attach(first.workspace_ref);
    expect(await attach(first.workspace_id)).toMatchObject({ workspace_id: first.workspace_id });
    await expect(attach(second.workspace_id)).rejects.toMatchObject({
      code: 'already_exists',
      data: { workspace_id: first.workspace_id },
    });
  });

  it('refuses a workspace that is not there', async () => {
    await expect(attach('WS-9')).rejects.toMatchObject({ code: 'not_found' });
  });
});
