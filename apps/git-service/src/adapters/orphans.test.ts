import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { waitFor } from '@switchyard/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { OPERATION_VARIABLE } from '../domain/operation.js';
import { orphansOf, outliveOrphans } from './orphans.js';

const OPERATION = 'operation-of-a-test';
const running: ChildProcess[] = [];

/** A program that leads a session of its own, as git does for us. */
function start(program: string, ...args: string[]): ChildProcess {
  const env = { PATH: process.env['PATH'] ?? '/usr/bin:/bin', HOME: '/nonexistent', [OPERATION_VARIABLE]: OPERATION };
  const child = spawn(program, args, { env, detached: true, stdio: 'ignore' });
  running.push(child);
  return child;
}
const git = (shell: string) => start('git', '-c', `alias.work=!${shell}`, 'work');
const outlive = (patienceMs: number, settled = async () => false) =>
  outliveOrphans(OPERATION, { settled, patienceMs, graceMs: 200, signal: new AbortController().signal });

afterEach(() => {
  for (const { pid } of running.splice(0)) {
    try {
      if (pid !== undefined) process.kill(-pid, 'SIGKILL');
    } catch {
      // It has ended by itself, as most tests want it to.
    }
  }
});

describe.runIf(process.platform === 'linux')('orphans', () => {
  it('are the git of an operation and what it runs, and nobody else', async () => {
    const child = git('sleep 60; true');
    // git, its shell, and the sleep.
    const found = await waitFor('all are there', async () => {
      const pids = await orphansOf(OPERATION);
      return pids.length >= 3 && pids;
    });
    expect(found.map(({ pid }) => pid)).toContain(child.pid);
    expect(await orphansOf('another')).toEqual([]);
  });

  it('do not include a server that a hook has started', async () => {
    const server = start('sleep', '60');
    await once(server, 'spawn');
    expect(await orphansOf(OPERATION)).toEqual([]);
  });

  it('are waited for until they end by themselves', async () => {
    const child = git('sleep 0.2');
    await outlive(60_000);
    expect(await orphansOf(OPERATION)).toEqual([]);
    expect(child.signalCode).toBeNull();
  });

  it('are not waited for when what is left of them does not matter', async () => {
    git('sleep 60; true');
    await waitFor('it runs', async () => (await orphansOf(OPERATION)).length > 0);
    await outlive(60_000, async () => true);
    expect((await orphansOf(OPERATION)).length).toBeGreaterThan(0);
  });

  it('are told to end when they take too long, and killed when they do not listen', async () => {
    git("trap '' TERM; while true; do sleep 0.05; done");
    await waitFor('it runs', async () => (await orphansOf(OPERATION)).length > 0);
    await outlive(50);
    expect(await orphansOf(OPERATION)).toEqual([]);
  });
});
