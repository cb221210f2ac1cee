import { setTimeout as delay } from 'node:timers/promises';
import type { Bus, HandlerContext } from '@switchyard/bus';
import type { HostCredentials } from '@switchyard/service/host-credentials';
import { hasNatsServer, waitFor } from '@switchyard/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { FleetScene } from './fleet-scene.js';

const MiB = 1024 * 1024;
const text = (bytes: number) => 'x'.repeat(bytes);

const getsThrough = (host: Bus) =>
  host.callNamed('surface.observe', {}, { timeoutMs: 1000 }).then(
    () => true,
    () => false, // not yet
  );

describe.skipIf(!hasNatsServer())('a machine of the fleet on the bus of the yard (needs nats-server)', () => {
  const scene = new FleetScene();
  let m1: HostCredentials;

  beforeAll(async () => {
    await scene.begin();
    m1 = await scene.parts.fleet.admit({ name: 'm1', pty_hosts: 1, detectors: false });
  });
  afterEach(() => scene.clear());
  afterAll(() => scene.end());

  it('is called, and calls, with bodies of several MiB each way', async () => {
    const yard = await scene.service('workspace-service', {
      'surface.observe': ({ pad }: { pad: string }, { caller }: HandlerContext) => ({
        got: pad.length,
        by: caller.host,
        pad,
      }),
    });
    const host = await scene.hostBus(m1);
    await scene.at(host, 'm1-0', { 'terminal.get': ({ pad }: { pad: string }) => ({ got: pad.length, pad }) });
    const pad = (bytes: number) => expect.toSatisfy((value: unknown) => value === text(bytes));
    const up = await host.callNamed('surface.observe', { pad: text(3 * MiB) });
    expect(up).toEqual({ got: 3 * MiB, by: 'm1', pad: pad(3 * MiB) });
    const down = await yard.callNamed('terminal.get', { pad: text(4 * MiB) }, { address: 'm1-0' });
    expect(down).toEqual({ got: 4 * MiB, pad: pad(4 * MiB) });
  });

  it('hears that a call is withdrawn, as the yard hears it of its calls', async () => {
    const heard: string[] = [];
    const untilAborted =
      (who: string) =>
      (_: unknown, { signal }: HandlerContext) =>
        new Promise((resolve) => {
          heard.push(`${who} called`);
          signal.addEventListener('abort', () => {
            heard.push(`${who} aborted`);
            resolve({});
          });
        });
    const yard = await scene.service('workspace-service', { 'surface.observe': untilAborted('yard') });
    const host = await scene.hostBus(m1);
    await scene.at(host, 'm1-0', { 'terminal.get': untilAborted('host') });
    const leave = new AbortController();
    const { signal } = leave;
    const calls = [
      host.callNamed('surface.observe', {}, { signal }),
      yard.callNamed('terminal.get', {}, { address: 'm1-0', signal }),
    ];
    await waitFor('both calls arrived', () => heard.length === 2);
    leave.abort();
    for (const call of calls) await expect(call).rejects.toMatchObject({ code: 'cancelled' });
    await waitFor('both handlers are told', () => heard.length === 4);
  });

  it('is told of a service that comes, and is told of by its events', async () => {
    const host = await scene.hostBus(m1);
    const yard = await scene.yardBus('gateway');
    const heard: unknown[] = [];
    host.subscribe('service.ready', ({ service }, from) => heard.push([service, from]));
    yard.subscribe('terminal.title_changed', ({ title }, from) => heard.push([title, from]));
    await host.flush();
    await yard.flush();
    await scene.service('notifier', {});
    await waitFor('the host hears', () => heard.length === 1);
    host.publish('terminal.title_changed', { surface_id: 'A', title: 'news' });
    await waitFor('the yard hears', () => heard.length === 2);
    expect(heard).toEqual([
      ['notifier', 'local'],
      ['news', 'm1'],
    ]);
  });

  it('leaves the calls of the yard undisturbed when the fleet broker is killed, and is back by itself', async () => {
    const serving = await scene.service('workspace-service', { 'surface.observe': () => ({ accepted: true }) });
    const yard = await scene.yardBus('gateway');
    const host = await scene.hostBus(m1);
    await host.callNamed('surface.observe', {});
    let away = 0;
    for (const bus of [serving, yard]) bus.onReconnect(() => away++);
    const pid = scene.parts.public.pid ?? 0;
    process.kill(pid, 'SIGKILL');
    let calls = 0;
    for (let back = false; !back; calls++) {
      await yard.callNamed('surface.observe', {}, { timeoutMs: 5000 });
      back = scene.parts.public.pid !== pid && scene.parts.public.state === 'ready';
      await delay(1);
    }
    expect([calls > 0, away]).toEqual([true, 0]);
    await waitFor('the machine is heard again', () => getsThrough(host));
  });

  it('is back by itself when the broker of the yard was restarted', async () => {
    const host = await scene.hostBus(m1);
    await scene.service('workspace-service', { 'surface.observe': () => ({ accepted: true }) });
    await host.callNamed('surface.observe', {});
    await scene.parts.yard.restart(15_000);
    await waitFor('the machine is heard again', () => getsThrough(host));
  });
});
