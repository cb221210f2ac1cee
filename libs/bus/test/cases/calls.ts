import { type Handlers, SwitchyardError } from '@switchyard/protocol';
import { waitFor } from '@switchyard/testing';
import { expect, it } from 'vitest';
import type { HandlerContext } from '../../src/index.js';
import { codeOf, failed, type Scene, there } from '../support/scene.js';

const MiB = 1024 * 1024;
const get = { surface_id: 'S' };
const slice = { surface_id: 'S' };

/** The ordinary life of the bus, with nothing dying. */
export function callCases(scene: Scene): void {
  it('answers a call and hands the handler who asks and until when', async () => {
    const service = await scene.bus({ service: 'pty-host' });
    const client = await scene.bus();
    await scene.serve(service, {
      'terminal.get': (params, ctx) => ({
        params,
        caller: ctx.caller,
        left: ctx.deadline - performance.now(),
        id: ctx.callId,
      }),
    });
    const caller = { kind: 'client', name: 'zoë\n', uid: 7 } as const;
    const answer = await client.callNamed('terminal.get', get, { ...there, timeoutMs: 5000, caller });
    expect(answer).toMatchObject({ params: get, caller, id: expect.stringContaining(client.instance) });
    expect((answer as { left: number }).left).toBeLessThanOrEqual(5000);
    expect((answer as { left: number }).left).toBeGreaterThan(1000);
  });

  it('tells the handler from which machine a call comes, whatever the caller says', async () => {
    const service = await scene.bus({ service: 'pty-host' });
    await scene.serve(service, { 'terminal.get': (_params, ctx) => ({ caller: ctx.caller }) });
    const ask = async (host: string) => {
      const caller = { kind: 'client', name: 'x', host: 'made-up' } as const;
      const client = await scene.bus({ host });
      return (await client.callNamed('terminal.get', get, { ...there, caller })) as { caller: { host?: string } };
    };
    expect((await ask('attic')).caller.host).toBe('attic');
    // The yard's own services speak for callers of other machines.
    expect((await ask('local')).caller.host).toBe('made-up');
  });

  it('lets a machine hear the events of the yard and its own, and no others, and says whose each is', async () => {
    const buses = {
      local: await scene.bus(),
      attic: await scene.bus({ host: 'attic' }),
      cellar: await scene.bus({ host: 'cellar' }),
    };
    const heard: Record<string, string[]> = { local: [], attic: [], cellar: [] };
    for (const [name, bus] of Object.entries(buses)) {
      bus.subscribe('surface.closed', ({ surface_id }, host) => void heard[name]?.push(`${surface_id} of ${host}`));
      await bus.flush();
    }
    for (const [name, bus] of Object.entries(buses)) {
      bus.publish('surface.closed', { surface_id: `of-${name}`, workspace_id: 'W' });
      await bus.flush();
    }
    await waitFor('the yard hears all', () => heard['local']?.length === 3);
    await waitFor('the last hears its own', () => heard['cellar']?.length === 2);
    expect(heard['local']).toEqual(['of-local of local', 'of-attic of attic', 'of-cellar of cellar']);
    expect(heard['attic']).toEqual(['of-local of local', 'of-attic of attic']);
    expect(heard['cellar']).toEqual(['of-local of local', 'of-cellar of cellar']);
  });

  it('shares the calls among the members of one address', async () => {
    const runs = [0, 0, 0];
    for (const i of runs.keys()) {
      const member = await scene.bus({ service: 'pty-host' });
      await scene.serve(member, {
        'terminal.get': () => {
          runs[i] = (runs[i] ?? 0) + 1;
          return {};
        },
      });
    }
    const client = await scene.bus();
    await Promise.all(Array.from({ length: 90 }, () => client.callNamed('terminal.get', get, there)));
    expect(runs.reduce((sum, n) => sum + n)).toBe(90);
    expect(Math.min(...runs)).toBeGreaterThan(5);
  });

  it('passes expected failures on and hides unexpected ones behind a log id', async () => {
    const service = await scene.bus({ service: 'pty-host' });
    const client = await scene.bus();
    await scene.serve(service, {
      'terminal.get': async () => {
        throw new SwitchyardError('not_found', 'no such surface', { surface_id: 'S' });
      },
      'terminal.list': () => {
        throw new Error('secret detail');
      },
      'terminal.snapshot': async () => {
        await Promise.resolve();
        throw new Error('secret detail');
      },
      'terminal.read_text': () => ({ self: 1n }),
    });
    const known = await client.callNamed('terminal.get', get, there).catch((error: unknown) => error);
    expect(known).toMatchObject({ code: 'not_found', message: 'no such surface', data: { surface_id: 'S' } });
    for (const method of ['terminal.list', 'terminal.snapshot']) {
      const error = (await client.callNamed(method, {}, there).catch((thrown: unknown) => thrown)) as SwitchyardError;
      expect(error.code).toBe('internal_error');
      expect(error.message).not.toContain('secret');
      const logId = error.data?.['log_id'];
      expect(scene.logged).toContainEqual(
        expect.objectContaining({ facts: expect.objectContaining({ log_id: logId }) }),
      );
    }
    expect(await failed(client.callNamed('terminal.read_text', {}, there))).toBe('encode_error');
    expect(await failed(client.callNamed('terminal.resize', {}, there))).toBe('method_not_found');
    expect(await failed(client.callNamed('no.such', {}, there))).toBe('method_not_found');
  });

  it('gives a short result to the first caller as well, with the facts of whoever asked for it, and no error', async () => {
    const host = await scene.bus({ service: 'pty-host' });
    const middle = await scene.bus({ service: 'workspace-service' });
    const client = await scene.bus();
    const asked: string[] = [];
    await scene.serve(host, {
      'terminal.get': ({ surface_id }: { surface_id: string }) => {
        if (surface_id === 'none') throw new SwitchyardError('not_found', 'no such surface');
        return surface_id === 'empty' ? {} : { surface_id, text: 'x'.repeat(surface_id === 'long' ? 9000 : 10) };
      },
    });
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const handlers = {
      'surface.read_text': async ({ surface_id }: { surface_id: string }, ctx: HandlerContext) => {
        const onBehalf = { callId: ctx.callId, facts: { surface_ref: 'surface:1' } };
        const result = await middle.call('terminal.get', { surface_id }, { ...there, onBehalf });
        asked.push(surface_id);
        await held;
        return { late: true, ...result };
      },
    };
    await middle.serve('workspace-service', '_', handlers as unknown as Handlers<'workspace-service', HandlerContext>);
    const ask = (surface_id: string) => client.callNamed('surface.read_text', { surface_id });
    expect(await ask('S')).toEqual({ surface_ref: 'surface:1', surface_id: 'S', text: 'xxxxxxxxxx' });
    expect(await ask('empty')).toEqual({ surface_ref: 'surface:1' });
    const others = [ask('long'), failed(ask('none'))];
    await waitFor('the long one is there', () => asked.includes('long'));
    release();
    expect(await Promise.all(others)).toEqual([expect.objectContaining({ late: true }), 'not_found']);
  });

  it('says service_unavailable when nobody comes within the grace', async () => {
    const client = await scene.bus({ restartGraceMs: 300 });
    const began = performance.now();
    expect(await failed(client.callNamed('terminal.write', { surface_id: 'S', data: '' }, there))).toBe(
      'service_unavailable',
    );
    expect(performance.now() - began).toBeGreaterThanOrEqual(290);
  });

  it('delivers a call as soon as its service appears', async () => {
    const client = await scene.bus();
    const call = client.callNamed('terminal.get', get, there);
    const service = await scene.bus({ service: 'pty-host' });
    await scene.serve(service, { 'terminal.get': () => ({ here: true }) });
    expect(await call).toEqual({ here: true });
  });

  it('G6: a reply of 10 MiB arrives whole, one above every limit is response_too_large', async () => {
    const service = await scene.bus({ service: 'pty-host' });
    const client = await scene.bus();
    const data = Buffer.alloc(10 * MiB, 'abcdefghij').toString();
    await scene.serve(service, {
      'terminal.read_output': () => ({ data }),
      'terminal.read_text': () => ({ text: 'x'.repeat(81 * MiB) }),
      'terminal.snapshot': () => {
        throw new SwitchyardError('not_found', 'with large facts', { data });
      },
    });
    const many = [1, 2, 3].map(() => client.callNamed('terminal.read_output', slice, there));
    for (const answer of await Promise.all(many)) expect((answer as { data: string }).data === data).toBe(true);
    expect(await failed(client.callNamed('terminal.read_text', slice, there))).toBe('response_too_large');
    const error = await client.callNamed('terminal.snapshot', slice, there).catch((thrown: unknown) => thrown);
    expect((error as SwitchyardError).code).toBe('not_found');
    expect((error as SwitchyardError).data?.['data'] === data).toBe(true);
  });

  it('carries many large replies at once without being cut off, though the reader is busy', async () => {
    const service = await scene.responder({ run: 1 });
    const client = await scene.bus();
    const calls = Array.from({ length: 12 }, () => client.callNamed('terminal.read_output', slice, there));
    await service.says('did terminal.read_output');
    const busyUntil = performance.now() + 300;
    while (performance.now() < busyUntil);
    for (const answer of await Promise.all(calls)) expect((answer as { data: string }).data.length).toBe(10 * MiB);
    expect(scene.logged).toEqual([]);
  });

  it('carries a request of 8 MiB to whichever member of the group gets it', async () => {
    for (const name of ['a', 'b']) {
      const member = await scene.bus({ service: 'pty-host' });
      await scene.serve(member, {
        'terminal.send_text': ({ text }: { text: string }) => ({ name, bytes: text.length }),
      });
    }
    const client = await scene.bus();
    const text = 'z'.repeat(8 * MiB);
    const params = { surface_id: 'S', text, paste: false };
    const answers = await Promise.all([1, 2, 3, 4].map(() => client.callNamed('terminal.send_text', params, there)));
    for (const answer of answers) expect(answer).toMatchObject({ bytes: 8 * MiB });
  });

  it('gives a call its time, whatever the wall clock is set to meanwhile', async () => {
    const service = await scene.bus({ service: 'pty-host' });
    const client = await scene.bus();
    const HOUR_MS = 3_600_000;
    const now = Date.now.bind(Date);
    const lefts: number[] = [];
    await scene.serve(service, {
      'terminal.get': async (_params, ctx) => {
        for (const jump of [HOUR_MS, -HOUR_MS]) {
          Date.now = () => now() + jump;
          await new Promise((resolve) => setImmediate(resolve));
          lefts.push(ctx.deadline - performance.now());
        }
        return { aborted: ctx.signal.aborted };
      },
    });
    try {
      expect(await client.callNamed('terminal.get', get, { ...there, timeoutMs: 5000 })).toEqual({ aborted: false });
    } finally {
      Date.now = now;
    }
    expect(lefts.every((left) => left > 0 && left <= 5000)).toBe(true);
  });

  it('ends a call at its deadline and at the wish of its caller, and tells the handler', async () => {
    const service = await scene.bus({ service: 'pty-host' });
    const client = await scene.bus();
    const aborted: string[] = [];
    let begun = 0;
    await scene.serve(service, {
      'terminal.wait': (_params, ctx) =>
        new Promise((_resolve, reject) => {
          begun++;
          ctx.signal.addEventListener('abort', () => {
            aborted.push(ctx.callId);
            reject(ctx.signal.reason);
          });
        }),
    });
    expect(await failed(client.callNamed('terminal.wait', {}, { ...there, timeoutMs: 100 }))).toBe('timeout');
    await waitFor('the handler to hear of it', () => aborted.length === 1);
    const abort = new AbortController();
    const call = failed(client.callNamed('terminal.wait', {}, { ...there, timeoutMs: 60_000, signal: abort.signal }));
    await waitFor('the handler to have it', () => begun === 2);
    abort.abort();
    expect(await call).toBe('cancelled');
    await waitFor('the handler to hear of it', () => aborted.length === 2);
    expect(await failed(client.callNamed('terminal.wait', {}, { ...there, signal: abort.signal }))).toBe('cancelled');
  });

  it('waits as long as the call itself asks for', async () => {
    const service = await scene.bus({ service: 'pty-host' });
    const client = await scene.bus();
    await scene.serve(service, { 'terminal.wait': (_params, ctx) => ({ left: ctx.deadline - performance.now() }) });
    const params = { surface_id: 'S', timeout_ms: 120_000, lines: 1 };
    const { left } = (await client.callNamed('terminal.wait', params, there)) as { left: number };
    expect(left).toBeGreaterThan(119_000);
  });

  it('finishes what it has in hand before it stops, and hands waits back', async () => {
    const first = await scene.bus({ service: 'pty-host' });
    const client = await scene.bus();
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let waiting = 0;
    const served = await scene.serve(first, {
      'terminal.write': () => held.then(() => ({ bytes: 1, offset: 0 })),
      'terminal.wait': (_params, ctx) =>
        new Promise((_resolve, reject) => {
          waiting++;
          ctx.signal.addEventListener('abort', () => reject(ctx.signal.reason));
        }),
    });
    const write = client.callNamed('terminal.write', {}, there);
    const wait = client.callNamed('terminal.wait', { timeout_ms: 60_000 }, there);
    await waitFor('the wait to have begun', () => waiting === 1);
    const stopped = served.stop();
    expect(served.health).toBe('draining');
    release();
    await stopped;
    expect(served.health).toBe('stopped');
    expect(await write).toEqual({ bytes: 1, offset: 0 });
    const second = await scene.bus({ service: 'pty-host' });
    await scene.serve(second, { 'terminal.wait': () => ({ waited: true, offset: 9 }) });
    expect(await wait).toEqual({ waited: true, offset: 9 });
  });

  it('refuses calls beyond the bound instead of queueing without end', async () => {
    const service = await scene.bus({ service: 'pty-host' });
    const client = await scene.bus();
    await scene.serve(service, {
      'terminal.wait': (_params, ctx) =>
        new Promise((_resolve, reject) => ctx.signal.addEventListener('abort', () => reject(ctx.signal.reason))),
    });
    const abort = new AbortController();
    const options = { ...there, timeoutMs: 60_000, signal: abort.signal };
    const codes = Array.from({ length: 4106 }, () => failed(client.callNamed('terminal.wait', {}, options)));
    let refused = 0;
    for (const code of codes) {
      void code.then((what) => {
        if (what === 'overloaded') refused++;
      });
    }
    await waitFor('ten refusals', () => refused === 10);
    abort.abort();
    await Promise.all(codes);
    expect(refused).toBe(10);
  });

  it('delivers events to every subscriber, whatever another one does', async () => {
    const publisher = await scene.bus({ service: 'pty-host' });
    const subscriber = await scene.bus();
    const heard: number[] = [];
    subscriber.subscribe('terminal.output', () => {
      throw new Error('a careless listener');
    });
    subscriber.subscribe('terminal.output', (async () => {
      throw new Error('a careless async listener');
    }) as () => void);
    const end = subscriber.subscribe('terminal.output', ({ offset }) => heard.push(offset));
    await subscriber.flush();
    // Larger than any message may be: dropped with a line in the log, and no harm to the next.
    publisher.publish('terminal.output', { surface_id: 'x'.repeat(2 * MiB), offset: 0, rev: 0 });
    for (const offset of [1, 2, 3]) publisher.publish('terminal.output', { surface_id: 'S', offset, rev: offset });
    await waitFor('three events', () => heard.length === 3);
    end();
    await subscriber.flush();
    publisher.publish('terminal.output', { surface_id: 'S', offset: 4, rev: 4 });
    await publisher.flush();
    await subscriber.flush();
    expect(heard).toEqual([1, 2, 3]);
    expect(scene.logged.filter(({ message }) => message.includes('listener')).length).toBeGreaterThanOrEqual(6);
  });

  it('announces services when they come and when they go', async () => {
    const watcher = await scene.bus();
    const seen: string[] = [];
    watcher.subscribe('service.ready', ({ address, instance }) => seen.push(`ready ${address} ${instance}`));
    watcher.subscribe('service.stopped', ({ address, instance }) => seen.push(`stopped ${address} ${instance}`));
    await watcher.flush();
    const service = await scene.bus({ service: 'pty-host' });
    const served = await scene.serve(service, {});
    await served.stop();
    await waitFor('both', () => seen.length === 2);
    expect(seen).toEqual([`ready local-0 ${service.instance}`, `stopped local-0 ${service.instance}`]);
  });

  it('keeps yards apart that share a broker: neither calls nor events cross', async () => {
    const here = await scene.bus({ space: 'here' });
    await scene.serve(here, { 'terminal.list': () => ({ terminals: [] }) });
    const [neighbour, stranger] = [
      await scene.bus({ space: 'here' }),
      await scene.bus({ space: 'there', restartGraceMs: 0 }),
    ];
    const heard: string[] = [];
    neighbour.subscribe('surface.closed', ({ surface_id }) => heard.push(`here ${surface_id}`));
    stranger.subscribe('surface.closed', ({ surface_id }) => heard.push(`there ${surface_id}`));
    await Promise.all([neighbour.flush(), stranger.flush()]);
    here.publish('surface.closed', { surface_id: 'S', workspace_id: 'W' });
    await expect(neighbour.call('terminal.list', {}, there)).resolves.toEqual({ terminals: [] });
    await expect(stranger.call('terminal.list', {}, there)).rejects.toMatchObject({ code: 'service_unavailable' });
    await waitFor('the event', () => heard.length > 0);
    await stranger.flush();
    expect(heard).toEqual(['here S']);
  });

  it('ends calls in flight with connection_closed when it is closed, and refuses new ones', async () => {
    const client = await scene.bus();
    const call = failed(client.callNamed('terminal.get', get, there));
    await client.close();
    expect(await call).toBe('connection_closed');
    expect(await failed(client.callNamed('terminal.get', get, there))).toBe('connection_closed');
  });

  it('refuses an address that would change the meaning of a subject', async () => {
    const client = await scene.bus();
    await expect(client.callNamed('terminal.get', get, { address: 'a.>' })).rejects.toThrow('address');
    expect(codeOf(await client.callNamed('terminal.get', get, { address: '' }).catch((e: unknown) => e))).toBe(
      undefined,
    );
  });
}
