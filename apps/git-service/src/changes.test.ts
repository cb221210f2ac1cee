import { createLog } from '@switchyard/service';
import { tempDir, waitFor } from '@switchyard/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Changes, type Recover } from './changes.js';
import { Operations } from './operations.js';
import { RepoLocks } from './repo-locks.js';

describe('Changes', () => {
  let dir: ReturnType<typeof tempDir>;
  const log = createLog('test', 'silent');
  const never = new AbortController().signal;
  beforeEach(() => {
    dir = tempDir('sy-changes');
  });
  afterEach(() => dir.remove());

  /** As after a death: there is one unfinished operation of `/r`. */
  async function leftBehind(recoverers: Record<string, Recover>): Promise<Changes> {
    const operations = new Operations(dir.path, log);
    await operations.open();
    await operations.begin({ kind: 'test', repo: '/r', identity: 'i', facts: {} });
    return new Changes({ operations, locks: new RepoLocks(), recoverers: new Map(Object.entries(recoverers)), log });
  }

  it('brings what a dead run left to its end before anything else is done to the repository', async () => {
    const order: string[] = [];
    const changes = await leftBehind({
      test: async (operation) => {
        order.push('recovered');
        await operation.recovered('completed', 'done');
      },
    });
    changes.recover();
    await changes.ofRepo('/r', { signal: never }, async () => order.push('changed'));
    expect(order).toEqual(['recovered', 'changed']);
    expect(changes.operations.unfinished()).toEqual([]);
  });

  it('keeps what cannot be recovered yet, lets other changes pass, and tries again', async () => {
    let tries = 0;
    const changes = await leftBehind({
      test: async (operation) => {
        tries++;
        if (tries < 3) throw new Error('not yet');
        await operation.done();
      },
    });
    changes.recover();
    await expect(changes.ofRepo('/r', { signal: never }, async () => 'changed')).resolves.toBe('changed');
    expect(changes.operations.unfinished()).toHaveLength(1);
    changes.recover();
    await waitFor('it is recovered', () => changes.operations.unfinished().length === 0);
    expect(tries).toBe(3);
  });

  it('leaves alone what it does not know, as after a downgrade', async () => {
    const changes = await leftBehind({});
    await expect(changes.ofRepo('/r', { signal: never }, async () => 'changed')).resolves.toBe('changed');
    expect(changes.operations.unfinished()).toHaveLength(1);
  });

  it('ends a recovery that is under way when it is stopped, and leaves the rest to the next run', async () => {
    let begun = false;
    const changes = await leftBehind({
      test: (_, signal) =>
        new Promise((_resolve, reject) => {
          begun = true;
          signal.addEventListener('abort', () => reject(new Error('stopped')));
        }),
    });
    changes.recover();
    await waitFor('it is under way', () => begun);
    await changes.stop();
    expect(changes.operations.unfinished()).toHaveLength(1);
  });
});
