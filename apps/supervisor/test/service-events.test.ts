import { connectClient } from '@switchyard/client';
import type { ToldEvent } from '@switchyard/service';
import { AuditLog } from '@switchyard/service/audit';
import { waitFor } from '@switchyard/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Supervisor } from '../src/index.js';
import { FakeYard } from './fake-yard.js';

let yard: FakeYard;
let supervisor: Supervisor;
let told: ToldEvent[];

beforeEach(async () => {
  yard = new FakeYard();
  told = [];
  supervisor = yard.supervisor((event) => told.push(event));
  await supervisor.start();
});
afterEach(async () => {
  await supervisor.stop();
  yard.remove();
});

const find = (name: string) => supervisor.status().processes.find((process) => process.name === name);

describe('what happens to processes', () => {
  it('is told to the journal: each end and each restart once, with a key of its own', async () => {
    const pid = find('detector')?.pid ?? 0;
    process.kill(pid, 'SIGKILL');
    await waitFor('it was started again', () => told.some(({ kind }) => kind === 'service.restarted'));
    const facts = { process: 'detector', service: 'detector' };
    expect(told).toMatchObject([
      { kind: 'service.crashed', data: { ...facts, pid, how: 'signal SIGKILL', crashes: 1, failed: false } },
      { kind: 'service.restarted', data: { ...facts, pid: find('detector')?.pid, reason: 'crashed', restarts: 1 } },
    ]);
    expect(told[0]?.key).toContain(String(pid));
    expect(new Set(told.map(({ key }) => key)).size).toBe(2);
  });

  it('is no crash when somebody asked for it', async () => {
    const client = await connectClient(yard.paths.supervisorSocket);
    await client.call('yard.restart', { service: 'keeper' });
    client.close();
    expect(told).toMatchObject([{ kind: 'service.restarted', data: { process: 'keeper', reason: 'asked' } }]);
    await supervisor.stop();
    expect(told).toHaveLength(1);
  });
});

describe('the audit trail', () => {
  it('has what was changed at the socket of the supervisor, by whom, and no look or lifeline', async () => {
    const client = await connectClient(yard.paths.supervisorSocket);
    await client.call('yard.status', {});
    await client.call('yard.restart', { service: 'gateway' });
    await expect(client.call('yard.restart', { service: 'nobody' })).rejects.toMatchObject({ code: 'not_found' });
    client.close();
    const trail = new AuditLog({ folder: `${yard.paths.stateDir}/audit`, writer: 'gateway' });
    const caller = { socket: 'supervisor', uid: process.getuid?.(), pid: process.pid, token: null };
    expect(trail.read({ limit: 10 })).toMatchObject([
      { method: 'yard.restart', outcome: 'not_found', target: { service: 'nobody' }, caller },
      { method: 'yard.restart', outcome: 'ok', target: { service: 'gateway' }, caller },
    ]);
    trail.close();
  });
});
