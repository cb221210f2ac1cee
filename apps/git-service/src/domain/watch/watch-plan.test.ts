import { describe, expect, it } from 'vitest';
import { watchPlan } from './watch-plan.js';

const main = { root: '/r', gitDir: '/r/.git', commonDir: '/r/.git', bare: false };
const linked = { root: '/w', gitDir: '/r/.git/worktrees/w', commonDir: '/r/.git', bare: false };
const on = (branch: string | null, upstream: string | null = null) => ({ branch, upstream });
const only =
  (...directories: string[]) =>
  (directory: string) =>
    directories.includes(directory);

describe('what is watched of a checkout', () => {
  it('is the folder of git and that of the branch', () => {
    const plan = watchPlan(main, on('main'), only('/r/.git/refs/heads'));
    expect([...plan.keys()]).toEqual(['/r/.git', '/r/.git/refs/heads']);
    expect([...(plan.get('/r/.git/refs/heads') ?? [])]).toEqual(['main']);
    for (const name of ['HEAD', 'index', 'packed-refs', 'config', 'FETCH_HEAD', 'rebase-merge']) {
      expect(plan.get('/r/.git')?.has(name), name).toBe(true);
    }
    for (const name of ['index.lock', 'objects', 'COMMIT_EDITMSG']) {
      expect(plan.get('/r/.git')?.has(name), name).toBe(false);
    }
  });

  it('is, of a worktree, also what it shares and the file that ties its folder to the repository', () => {
    const plan = watchPlan(linked, on('fix/it', 'origin/fix/it'), only('/r/.git/refs/heads/fix', '/r/.git/refs'));
    expect([...plan.keys()]).toEqual([
      '/r/.git/worktrees/w',
      '/r/.git',
      '/r/.git/refs/heads/fix',
      '/r/.git/refs',
      '/w/.git',
    ]);
    expect(plan.get('/r/.git/refs/heads/fix')?.has('it')).toBe(true);
    expect(plan.get('/r/.git/refs')?.has('remotes'), 'told when the folder of the remote appears').toBe(true);
    expect(plan.get('/r/.git')?.has('index'), 'the index of the main checkout is not ours').toBe(false);
  });

  it('F7: is the list of tables where refs are kept in tables', () => {
    const plan = watchPlan(linked, on('main'), only('/r/.git/reftable', '/r/.git/worktrees/w/reftable'));
    expect(plan.get('/r/.git/reftable')?.has('tables.list')).toBe(true);
    expect(plan.get('/r/.git/worktrees/w/reftable')?.has('tables.list')).toBe(true);
  });

  it('is no ref on a detached HEAD, and no file in a bare repository', () => {
    expect([...watchPlan(main, on(null), () => true).keys()]).toEqual(['/r/.git', '/r/.git/reftable']);
    const bare = { root: '/b.git', gitDir: '/b.git', commonDir: '/b.git', bare: true };
    expect([...watchPlan(bare, on('main'), () => false).keys()]).toEqual(['/b.git']);
  });

  it('is never more than eight directories', () => {
    expect(watchPlan(linked, on('a/b/c', 'origin/x/y'), () => true).size).toBeLessThanOrEqual(8);
  });
});
