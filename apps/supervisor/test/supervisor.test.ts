import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { connectClient } from '@switchyard/client';
import { isAlive, waitFor } from '@switchyard/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Supervisor } from '../src/index.js';
import { FakeYard } from './fake-yard.js';

let yard: FakeYard;
let running: Supervisor | undefined;

beforeEach(() => {
  yard = new FakeYard();
});

afterEach(async () => {
  await running?.stop();
  running = undefined;
  yard.remove();
});

async function up(): Promise<Supervisor> {
  running = yard.supervisor();
  await running.start();
  return running;
}

const find = (supervisor: Supervisor, name: string) => supervisor.status().processes.find((p) => p.name === name);
const pids = (supervisor: Supervisor) => supervisor.status().processes.map(({ pid }) => pid ?? 0);

/** Pids of all runs, from the log. */
const startsOf = (name: string) =>
  [...readFileSync(`${yard.paths.logDir}/${name}.log`, 'utf8').matchAll(/starts as (\d+)/g)].map(([, pid]) =>
    Number(pid),
  );

describe('a supervisor', () => {
  it('starts every process and reports it with pid, state, memory and age', async () => {
    const supervisor = await up();
    const { processes } = supervisor.status();
    expect(processes.map(({ name }) => name)).toEqual([
      'bus',
      'keeper',
      'pty-host',
      'workspace-service',
      'git-service',
      'detector',
      'notifier',
      'gateway',
    ]);
    for (const process of processes) {
      expect(process).toMatchObject({ state: 'ready', restarts: 0 });
      expect(process.rss_bytes).toBeGreaterThan(1_000_000);
    }
  });

  it('starts a killed process again and counts it', async () => {
    const supervisor = await up();
    const before = find(supervisor, 'detector')?.pid ?? 0;
    process.kill(before, 'SIGKILL');
    const after = await waitFor('a new detector is ready', () => {
      const now = find(supervisor, 'detector');
      return now?.state === 'ready' && now.pid !== before ? now : undefined;
    });
    expect(after.restarts).toBe(1);
    expect(pids(supervisor).filter((pid) => !isAlive(pid))).toEqual([]);
  });

  it('backs off from a process that cannot start, and starts the others all the same', async () => {
    yard.behaviours['notifier'] = 'crashing';
    const supervisor = yard.supervisor();
    running = supervisor;
    const started = supervisor.start();
    await waitFor('the notifier has been tried twice', () => (find(supervisor, 'notifier')?.restarts ?? 0) >= 2);
    await waitFor('it is called failed', () => find(supervisor, 'notifier')?.state === 'failed');
    expect(await started).toEqual(['notifier']);
    expect(find(supervisor, 'gateway')?.state).toBe('ready');
  });

  it('restarts one process, or all of a kind, on demand', async () => {
    yard.settings('services.detectors = 2');
    const supervisor = await up();
    const before = find(supervisor, 'detector-2')?.pid;
    const client = await connectClient(yard.paths.supervisorSocket);
    const { processes } = await client.call('yard.restart', { service: 'detector' });
    client.close();
    expect(processes.map(({ name, state }) => `${name} ${state}`)).toEqual(['detector ready', 'detector-2 ready']);
    expect(find(supervisor, 'detector-2')?.pid).not.toBe(before);
  });

  it('lets a process go on whose successor does not come up', async () => {
    const supervisor = await up();
    const before = find(supervisor, 'gateway');
    yard.behaviours['gateway'] = 'crashing';
    const client = await connectClient(yard.paths.supervisorSocket);
    await expect(client.call('yard.restart', { service: 'gateway' })).rejects.toMatchObject({
      code: 'invalid_state',
      message: expect.stringContaining('exit code 3'),
    });
    expect(find(supervisor, 'gateway')).toMatchObject({ pid: before?.pid, state: 'ready', restarts: 0 });
    expect(isAlive(before?.pid ?? 0)).toBe(true);
    yard.behaviours['gateway'] = 'well';
    const { processes } = await client.call('yard.restart', { service: 'gateway' });
    client.close();
    expect(processes[0]?.pid).not.toBe(before?.pid);
  });

  it('replaces a process once for two wishes at the same time', async () => {
    const supervisor = await up();
    const client = await connectClient(yard.paths.supervisorSocket);
    const both = [1, 2].map(() => client.call('yard.restart', { service: 'notifier' }));
    const [one, two] = await Promise.all(both);
    client.close();
    expect(one).toMatchObject({ processes: [{ pid: two?.processes[0]?.pid, restarts: 1 }] });
    expect(startsOf('notifier')).toHaveLength(2);
    expect(startsOf('notifier').filter(isAlive)).toEqual([find(supervisor, 'notifier')?.pid]);
  });

  it('has one of each after a start in the middle of a restart', async () => {
    yard.behaviours['gateway'] = 'stubborn';
    const supervisor = await up();
    const [old = 0] = startsOf('gateway');
    yard.behaviours['gateway'] = 'well';
    const client = await connectClient(yard.paths.supervisorSocket);
    const restart = client.call('yard.restart', { service: 'gateway' });
    await waitFor('the old one has been told to end', () => find(supervisor, 'gateway')?.state === 'draining');
    // As at the end of an upgrade. The old one ends now; that is the restart's doing.
    const started = supervisor.start();
    process.kill(old, 'SIGKILL');
    const { processes } = await restart;
    await started;
    // What is started after a crash comes within this.
    await client.call('yard.restart', { service: 'notifier' });
    client.close();
    expect(find(supervisor, 'gateway')).toMatchObject({ pid: processes[0]?.pid, restarts: 1 });
    expect(startsOf('gateway')).toHaveLength(2);
  });

  it('stops at once, and leaves no successor, while one is not loaded yet', async () => {
    const supervisor = await up();
    yard.behaviours['gateway'] = 'hanging';
    const client = await connectClient(yard.paths.supervisorSocket);
    const restart = client.call('yard.restart', { service: 'gateway' });
    restart.catch(() => undefined);
    await waitFor('the successor has started', () => startsOf('gateway').length === 2);
    await supervisor.stop();
    expect(startsOf('gateway').filter(isAlive)).toEqual([]);
    await expect(restart).rejects.toThrow();
  });

  it('names the processes there are when asked to restart one that is not', async () => {
    await up();
    const client = await connectClient(yard.paths.supervisorSocket);
    await expect(client.call('yard.restart', { service: 'gatewy' })).rejects.toMatchObject({
      code: 'not_found',
      data: { known: expect.arrayContaining(['gateway']) },
    });
    client.close();
  });

  it('leaves nothing behind when it is stopped', async () => {
    const supervisor = await up();
    const all = pids(supervisor);
    await supervisor.stop();
    expect(all.filter(isAlive)).toEqual([]);
    expect(existsSync(yard.paths.runtimeDir)).toBe(false);
    expect(readFileSync(`${yard.paths.logDir}/gateway.log`, 'utf8')).toContain('gateway starts');
  });

  it('ends the keeper after everything else', async () => {
    const supervisor = await up();
    const keeper = find(supervisor, 'keeper')?.pid ?? 0;
    const others = pids(supervisor).filter((pid) => pid !== keeper);
    const stopped = supervisor.stop();
    await waitFor('the others are gone', () => {
      const left = others.filter(isAlive);
      if (!isAlive(keeper)) expect(left).toEqual([]);
      return left.length === 0;
    });
    await stopped;
    expect(isAlive(keeper)).toBe(false);
  });

  it('kills a process that ignores the request to end when stopping is asked for twice', async () => {
    yard.behaviours['detector'] = 'stubborn';
    const supervisor = await up();
    const all = pids(supervisor);
    const first = supervisor.stop();
    await supervisor.stop();
    await first;
    expect(all.filter(isAlive)).toEqual([]);
  });

  it('stops the yard when a client asks for it', async () => {
    const supervisor = await up();
    const client = await connectClient(yard.paths.supervisorSocket);
    expect(await client.call('yard.stop', {})).toEqual({ stopping: true });
    await supervisor.stopped;
    client.close();
    expect(existsSync(yard.paths.supervisorSocket)).toBe(false);
  });
});

describe('one yard, one supervisor', () => {
  it('E9: refuses a second one for the same yard and leaves the first alone', async () => {
    const first = await up();
    const before = pids(first);
    await expect(yard.supervisor().start()).rejects.toThrow(`supervisor pid ${process.pid}`);
    expect(pids(first)).toEqual(before);
    expect(before.every(isAlive)).toBe(true);
  });

  it('E9: runs beside the yard of another name', async () => {
    const other = new FakeYard();
    try {
      const first = await up();
      const second = other.supervisor();
      await second.start();
      await second.stop();
      expect(pids(first).every(isAlive)).toBe(true);
    } finally {
      other.remove();
    }
  });

  it('adopts what a killed supervisor left, keeps its pids and counts, and notices when one of them dies', async () => {
    const process1 = await yard.supervisorProcess();
    const client = await connectClient(yard.paths.supervisorSocket);
    const before = (await client.call('yard.status', {})).processes;
    const token = readFileSync(yard.paths.busFile, 'utf8');
    process1.kill('SIGKILL');
    await client.closed;
    await waitFor('the supervisor is gone', () => process1.signalCode !== null);

    const second = await up();
    expect(pids(second)).toEqual(before.map(({ pid }) => pid));
    expect(readFileSync(yard.paths.busFile, 'utf8')).toBe(token);
    const victim = find(second, 'gateway')?.pid ?? 0;
    process.kill(victim, 'SIGKILL');
    await waitFor('the adopted gateway was replaced', () => {
      const now = find(second, 'gateway');
      return now?.state === 'ready' && now.pid !== victim && now.restarts === 1;
    });
    await second.stop();
    expect(before.map(({ pid }) => pid ?? 0).filter(isAlive)).toEqual([]);
  });

  it('ends adopted processes that the present settings have no place for', async () => {
    yard.settings('services.detectors = 2');
    const process1 = await yard.supervisorProcess();
    const client = await connectClient(yard.paths.supervisorSocket);
    const before = (await client.call('yard.status', {})).processes;
    process1.kill('SIGKILL');
    await client.closed;
    await waitFor('the supervisor is gone', () => process1.signalCode !== null);
    yard.settings('services.detectors = 1');
    const second = await up();
    const gone = before.find(({ name }) => name === 'detector-2')?.pid ?? 0;
    expect(isAlive(gone)).toBe(false);
    expect(find(second, 'detector')?.pid).toBe(before.find(({ name }) => name === 'detector')?.pid);
  });
});

it('puts services of its own in the place of adopted ones that speak another protocol on the bus, and keeps the keeper', async () => {
  const process1 = await yard.supervisorProcess();
  const client = await connectClient(yard.paths.supervisorSocket);
  const before = (await client.call('yard.status', {})).processes;
  process1.kill('SIGKILL');
  await client.closed;
  await waitFor('the supervisor is gone', () => process1.signalCode !== null);
  const table = JSON.parse(readFileSync(yard.paths.processFile, 'utf8'));
  for (const each of table.processes) if (each.name !== 'detector') each.bus_protocol = 1;
  writeFileSync(yard.paths.processFile, JSON.stringify(table));

  const second = await up();
  const kept = before.filter(({ name, pid }) => find(second, name)?.pid === pid).map(({ name }) => name);
  expect(kept).toEqual(['bus', 'keeper', 'detector']);
  const ended = before.filter(({ name }) => !kept.includes(name)).map(({ pid }) => pid ?? 0);
  expect(ended.filter(isAlive)).toEqual([]);
  expect(second.status().processes.every(({ state }) => state === 'ready')).toBe(true);
});

describe('H2: the runtime folder', () => {
  it('is private whatever the umask', async () => {
    const old = process.umask(0);
    try {
      await up();
    } finally {
      process.umask(old);
    }
    expect(statSync(yard.paths.runtimeDir).mode & 0o777).toBe(0o700);
    for (const file of [yard.paths.supervisorSocket, yard.paths.busFile, yard.paths.processFile]) {
      expect(statSync(file).mode & 0o777, file).toBe(0o600);
    }
  });

  it.each([
    ['is open to others', () => chmodSync(yard.paths.runtimeDir, 0o755), /chmod 700/],
    [
      'is a link',
      () => {
        rmSync(yard.paths.runtimeDir, { recursive: true });
        symlinkSync('/tmp', yard.paths.runtimeDir);
      },
      /not a folder/,
    ],
    ['stands in a folder that others can write', () => chmodSync(`${yard.paths.runtimeDir}/..`, 0o777), /go-w/],
  ])('is refused when it %s', async (_, spoil, message) => {
    mkdirSync(yard.paths.runtimeDir, { recursive: true, mode: 0o700 });
    spoil();
    await expect(yard.supervisor().start()).rejects.toThrow(message);
    expect(existsSync(yard.paths.busFile)).toBe(false);
  });

  it('C9: a socket path beyond the limit of the system is refused before anything starts', async () => {
    const long = `/tmp/${'s'.repeat(120)}.sock`;
    Object.assign(yard.paths, { gatewaySocket: long });
    await expect(yard.supervisor().start()).rejects.toThrow(/125|130|bytes; systems allow 103/);
  });
});
