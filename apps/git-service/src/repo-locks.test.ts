import { describe, expect, it } from 'vitest';
import { RepoLocks } from './repo-locks.js';

/** Work that lasts until it is told to end. */
function work() {
  let end = () => {};
  const done = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { run: () => done, end };
}

describe('RepoLocks', () => {
  const never = new AbortController().signal;

  it('lets one change of a repository follow the other, in the order they came, and those of others go ahead', async () => {
    const locks = new RepoLocks();
    const { run, end } = work();
    const order: string[] = [];
    const first = locks.withRepo('/r', { signal: never }, run).then(() => order.push('first'));
    const second = locks.withRepo('/r', { signal: never }, async () => order.push('second'));
    const third = locks.withRepo('/r', { signal: never }, async () => order.push('third'));
    await locks.withRepo('/other', { signal: never }, async () => order.push('other'));
    end();
    await Promise.all([first, second, third]);
    expect(order).toEqual(['other', 'first', 'second', 'third']);
  });

  it('tells who waits too long that a change is in progress, and lets the next one in all the same', async () => {
    const locks = new RepoLocks();
    const { run, end } = work();
    const first = locks.withRepo('/r', { signal: never }, run);
    const late = locks.withRepo('/r', { signal: never, waitMs: 10 }, async () => 'never');
    const next = locks.withRepo('/r', { signal: never }, async () => 'next');
    await expect(late).rejects.toMatchObject({ code: 'worktree_operation_in_progress', data: { repo: '/r' } });
    end();
    await first;
    await expect(next).resolves.toBe('next');
  });

  it('lets a caller go who does not want to wait any more', async () => {
    const locks = new RepoLocks();
    const { run, end } = work();
    const first = locks.withRepo('/r', { signal: never }, run);
    const caller = new AbortController();
    const waiting = locks.withRepo('/r', { signal: caller.signal }, async () => 'never');
    caller.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'cancelled' });
    end();
    await first;
  });

  it('has an end to its queue', async () => {
    const locks = new RepoLocks();
    const { run, end } = work();
    const all = Array.from({ length: 65 }, () => locks.withRepo('/r', { signal: new AbortController().signal }, run));
    await expect(locks.withRepo('/r', { signal: never }, run)).rejects.toMatchObject({
      code: 'worktree_operation_in_progress',
    });
    end();
    await Promise.all(all);
  });

  it('is free again after a change that failed', async () => {
    const locks = new RepoLocks();
    const failing = locks.withRepo('/r', { signal: never }, () => Promise.reject(new Error('no')));
    await expect(failing).rejects.toThrow('no');
    await expect(locks.withRepo('/r', { signal: never }, async () => 'free')).resolves.toBe('free');
  });
});
