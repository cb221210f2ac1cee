import { connect, type Msg } from '@nats-io/transport-node';
import { waitFor } from '@switchyard/testing';
import { expect, it } from 'vitest';
import { failed, type Scene, there } from '../support/scene.js';

interface Answer {
  readonly type: string;
  readonly name: string;
  readonly id: string;
  readonly version: string;
  readonly started?: string;
  readonly endpoints?: Record<string, unknown>[];
}

/** ADR-32 of NATS: what `nats micro ls`, `info` and `stats` ask and expect. */
export function discoveryCases(scene: Scene): void {
  const ask = async (subject: string, count: number): Promise<Answer[]> => {
    const { url, token } = scene.broker;
    const nats = await connect({ servers: url, token });
    scene.later(() => nats.close());
    const answers: Answer[] = [];
    nats.subscribe('answers', { callback: (_error, message: Msg) => void answers.push(message.json<Answer>()) });
    nats.publish(subject, '', { reply: 'answers' });
    await waitFor(`${count} answers to ${subject}`, () => answers.length === count);
    return answers.sort((a, b) => a.name.localeCompare(b.name));
  };

  it('answers PING, INFO and STATS to all, by name and by id', async () => {
    const service = await scene.bus({ service: 'pty-host' });
    await scene.serve(service, { 'terminal.get': () => ({}) });
    await service.serve('notifier', '_', {} as never);
    const client = await scene.bus();
    await client.callNamed('terminal.get', {}, there);
    await failed(client.callNamed('terminal.list', {}, there));

    const all = await ask('$SRV.PING', 2);
    expect(all.map(({ name, type }) => [name, type])).toEqual([
      ['notifier', 'io.nats.micro.v1.ping_response'],
      ['pty-host', 'io.nats.micro.v1.ping_response'],
    ]);
    const [info] = await ask('$SRV.INFO.pty-host', 1);
    expect(info).toMatchObject({
      type: 'io.nats.micro.v1.info_response',
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
      endpoints: [{ subject: 'sy.m._.pty-host.local-0.>', queue_group: 'sy' }],
    });
    const [stats] = await ask(`$SRV.STATS.pty-host.${info?.id}`, 1);
    expect(stats).toMatchObject({
      type: 'io.nats.micro.v1.stats_response',
      id: info?.id,
      endpoints: [{ num_requests: 2, num_errors: 1, last_error: 'method_not_found' }],
    });
    expect(Date.parse(stats?.started ?? '')).toBeLessThanOrEqual(Date.now());
  });

  it('surveys the services of its own yard, with what each counts itself', async () => {
    const options = { service: 'pty-host', space: 'mine' } as const;
    const [mine, another] = [await scene.bus(options), await scene.bus({ ...options, space: 'other' })];
    const handlers = { 'terminal.get': () => ({}) } as never;
    await mine.serve('pty-host', 'local-0', handlers, () => ({ surfaces: 7 }));
    await another.serve('pty-host', 'local-0', handlers);
    const client = await scene.bus({ space: 'mine' });
    await client.callNamed('terminal.get', {}, there);
    const reports = await client.survey({ enough: ({ length }) => length === 1, timeoutMs: 10_000 });
    expect(reports).toMatchObject([
      { service: 'pty-host', address: 'local-0', pid: process.pid, requests: 1, inFlight: 0, gauges: { surfaces: 7 } },
    ]);
    expect(await client.survey({ enough: () => false, timeoutMs: 100 })).toHaveLength(1);
  });

  it('is silent about a service that has stopped', async () => {
    const service = await scene.bus({ service: 'pty-host' });
    const served = await scene.serve(service, {});
    await service.serve('notifier', '_', {} as never);
    await served.stop();
    expect((await ask('$SRV.PING', 1)).map(({ name }) => name)).toEqual(['notifier']);
  });
}
