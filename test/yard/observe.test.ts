import { waitFor } from '@switchyard/testing';
import { describe, expect, it } from 'vitest';
import { useYard } from './use-yard.js';

const PORT = 20_000 + (process.pid % 10_000);

describe('looking at a yard', () => {
  const yard = useYard({ settings: { metrics: { port: PORT } } });
  const metrics = async () => (await fetch(`http://127.0.0.1:${PORT}/metrics`)).text();

  it('tells what a terminal uses with all its processes, and who prints', async () => {
    const client = await yard().client();
    const argv = ['sh', '-c', '(while :; do :; done) & while :; do echo yes; done'];
    const { surface_id } = await client.call('surface.create', { argv });
    const top = await waitFor('the loop is seen', async () => {
      const found = await client.call('system.top', {});
      const use = found.surfaces.find((one) => one.surface_id === surface_id);
      return (use?.output_bytes ?? 0) > 10_000 && use?.processes === 2 ? { found, use } : undefined;
    });
    expect(top.use).toMatchObject({ host: 'local', surface_ref: expect.stringMatching(/^surface:/), input_waiting: 0 });
    expect(top.use.cpu_percent).toBeGreaterThan(10);
    expect(top.use.output_rate).toBeGreaterThan(1000);
    expect(top.found.interval_ms).toBeGreaterThan(250);
    expect(top.found.services.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['supervisor', 'keeper', 'pty-host', 'gateway']),
    );
    const shown = await yard().cli('top', '--once');
    expect(shown).toMatchObject({ code: 0, stdout: expect.stringContaining(top.use.surface_ref ?? '') });
    await client.call('surface.close', { surface_id: surface_id ?? '' });
  });

  it('is ok when every service answers, and says what is not', async () => {
    const well = await (await yard().client()).call('system.health', {});
    expect(well.reasons.filter(({ alarm }) => /^(process|service|bus|keeper)_/.test(alarm))).toEqual([]);
    const answered = well.services.filter(({ answers_ms }) => answers_ms !== null).map(({ name }) => name);
    expect(answered).toEqual(['pty-host', 'workspace-service', 'git-service', 'detector', 'notifier', 'gateway']);
    expect(well.services.find(({ name }) => name === 'workspace-service')?.gauges['journal_events']).toBeGreaterThan(0);
  });

  it.each([
    ['detector', 0, /degraded process_suspended: detector/],
    ['keeper', 1, /failing +process_suspended: keeper/],
  ])('names a suspended %s, and no more once it goes on', async (name, status, line) => {
    const stopped = await yard().pidOf(name);
    process.kill(stopped, 'SIGSTOP');
    try {
      const { code, stdout } = await yard().cli('health');
      expect([code, stdout]).toEqual([status, expect.stringMatching(line)]);
    } finally {
      process.kill(stopped, 'SIGCONT');
    }
    const client = await yard().client();
    await waitFor('it is well again', async () => {
      const { reasons } = await client.call('system.health', {});
      return !reasons.some(({ subject }) => subject === name);
    });
  });

  it('has crashes in the journal, also that of the service that keeps it', async () => {
    const client = await yard().client();
    const { cursor } = await client.call('events.read', { limit: 1 });
    const old = await yard().kill('workspace-service');
    await yard().untilRestarted('workspace-service', old);
    const events = await waitFor('both are told', async () => {
      const kinds = ['service.crashed', 'service.restarted'];
      const { events: found } = await client.call('events.read', { cursor, kinds });
      return found.length >= 2 ? found : undefined;
    });
    const facts = { process: 'workspace-service', service: 'workspace-service' };
    expect(events).toMatchObject([
      { kind: 'service.crashed', data: { ...facts, pid: old, how: 'signal SIGKILL' } },
      { kind: 'service.restarted', data: { ...facts, reason: 'crashed' } },
    ]);
  });

  it('reads logs by service, level and time, over the socket as well as from the files, and goes on from a cursor', async () => {
    const client = await yard().client();
    const warned = await client.call('yard.logs', { services: ['supervisor'], level: 'warn' });
    expect(warned.entries.map(({ message }) => message)).toContain('ended; starting it again');
    const waiting = client.call('yard.logs', { services: ['gateway'], cursor: warned.cursor, wait_ms: 20_000 });
    await client.call('workspace.create', {});
    expect((await waiting).entries.length).toBeGreaterThan(0);
    await expect(client.call('yard.logs', { services: ['gatewy'] })).rejects.toMatchObject({ code: 'not_found' });
    const shown = await yard().cli('logs', '--service', 'supervisor', '--level', 'warn', '--since', '10m');
    expect(shown.stdout).toMatch(/warn {2}supervisor: ended; starting it again/);
    expect(shown.stdout).not.toContain('info ');
    const { code, stderr } = await yard().cli('logs', '--since', 'soonish');
    expect([code, stderr]).toEqual([2, expect.stringContaining('--since')]);
  });

  it('answers Prometheus on loopback, and nobody who comes by another name', async () => {
    await metrics();
    const text = await metrics();
    for (const name of ['switchyard_health', 'switchyard_process_cpu_seconds_total', 'switchyard_surface_processes']) {
      expect(text).toMatch(new RegExp(`^# TYPE ${name} (gauge|counter)$`, 'm'));
    }
    expect(text).toMatch(/^switchyard_process_restarts_total\{process="workspace-service"\} 1$/m);
    expect((await fetch(`http://127.0.0.1:${PORT}/other`)).status).toBe(404);
    expect((await fetch(`http://127.0.0.1:${PORT}/metrics`, { method: 'POST' })).status).toBe(405);
  });
});
