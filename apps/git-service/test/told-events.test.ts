import { join } from 'node:path';
import { checkEventData, type JournalKind, type Params } from '@switchyard/protocol';
import { tempDir } from '@switchyard/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { FakeWorkspaces } from './fake-workspaces.js';
import { GitService } from './service-kit.js';
import { TestRepo } from './test-repo.js';

type Told = Params<'journal.append'>['events'][number];

let dir: ReturnType<typeof tempDir>;
let repo: TestRepo;
let service: GitService;
let told: Told[];

beforeEach(async () => {
  dir = tempDir('sy-told');
  repo = new TestRepo(join(dir.path, 'repo'));
  told = [];
  const workspaces = new FakeWorkspaces();
  const append = ({ events }: { events: Told[] }) => {
    told.push(...events);
    return { appended: events.length };
  };
  Object.defineProperty(workspaces, 'answers', { value: { ...workspaces.answers, 'journal.append': append } });
  service = await GitService.start(dir.path, workspaces);
});
afterEach(() => dir.remove());

it('tells of worktrees that were made and removed, in the shape of their kinds, and of nothing that was refused', async () => {
  const { worktree, workspace_id } = await service.call('worktree.create', { repo: repo.path, branch: 'b' });
  await service.call('worktree.create', { repo: repo.path, branch: 'b' });
  await expect(service.call('worktree.remove', { repo: repo.path, branch: 'main' })).rejects.toThrow();
  await service.call('worktree.remove', { repo: repo.path, branch: 'b' });
  await service.stop();
  expect(told.map(({ kind }) => kind)).toEqual(['worktree.created', 'worktree.removed']);
  expect(told[0]).toMatchObject({ workspace_id, data: worktree });
  expect(told[1]).toMatchObject({ data: { path: worktree.path, branch: 'b', recovery_id: null } });
  for (const { kind, data } of told) expect(checkEventData(kind as JournalKind, data)).toBeUndefined();
});
