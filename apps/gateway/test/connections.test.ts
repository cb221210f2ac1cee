import { once } from 'node:events';
import { connect } from 'node:net';
import type { HandlerContext } from '@switchyard/bus';
import { type Answers, descriptorsOf, waitFor } from '@switchyard/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from './harness.js';

/** 50,000 in the reported case; SWITCHYARD_TEST_CONNECTS sets it. */
const CONNECTS = Number(process.env['SWITCHYARD_TEST_CONNECTS'] ?? 5000);
const VANISHING = Math.ceil(CONNECTS / 50);

/** A service whose calls stay open until told, or until their signal aborts. */
function openCalls() {
  const calls: { params: unknown; ctx: HandlerContext; answer: (result?: object) => void }[] = [];
  const handler = (params: unknown, ctx: HandlerContext) =>
    new Promise<never>((resolve, reject) => {
      calls.push({ params, ctx, answer: (result = {}) => resolve(result as never) });
      ctx.signal.addEventListener('abort', () => reject(Object.assign(new Error('withdrawn'))));
    });
  return { calls, handler };
}

describe('connections', () => {
  let gateway: TestGateway;
  afterEach(() => gateway.stop());
  const start = async (settings: Parameters<typeof startGateway>[0] = {}, answers: Answers = {}) => {
    gateway = await startGateway(settings, answers);
  };

  it('C3: two requests in one write are both answered', async () => {
    await start();
    const wire = await gateway.wire();
    wire.send('{"id":1,"method":"system.ping"}\n{"id":2,"method":"system.ping"}');
    const ids = [(await wire.read()).id, (await wire.read()).id];
    expect(ids.sort()).toEqual([1, 2]);
  });

  it('lets a quick reply overtake a slow one', async () => {
    const { calls, handler } = openCalls();
    await start({}, { 'window.list': handler });
    const wire = await gateway.wire();
    wire.send({ id: 'slow', method: 'window.list' }, { id: 'quick', method: 'system.ping' });
    expect(await wire.read()).toMatchObject({ id: 'quick' });
    calls[0]?.answer({ windows: [] });
    expect(await wire.read()).toMatchObject({ id: 'slow', result: { windows: [] } });
  });

  it('hands the requests of one connection on in the order of their arrival', async () => {
    const seen: string[] = [];
    await start(
      {},
      {
        'surface.send_text': ({ text }) => {
          seen.push(text);
          return {} as never;
        },
      },
    );
    const wire = await gateway.wire();
    const texts = Array.from({ length: 1000 }, (_, n) => `text ${n}`);
    wire.send(
      texts.map((text, id) => JSON.stringify({ id, method: 'surface.send_text', params: { text } })).join('\n'),
    );
    for (const _ of texts) expect(await wire.read()).toMatchObject({ ok: true });
    expect(seen).toEqual(texts);
  });

  it('hands nothing on before a large change is made, so that nothing overtakes it', async () => {
    const { calls, handler } = openCalls();
    await start({}, { 'surface.send_text': handler });
    const wire = await gateway.wire();
    wire.send({ id: 1, method: 'surface.send_text', params: { text: 'x'.repeat(600_000) } });
    wire.send({ id: 2, method: 'surface.send_text', params: { text: 'y' } }, { id: 3, method: 'system.ping' });
    await waitFor('the large one is handed on', () => calls.length === 1);
    expect(wire.unread).toBe(0);
    calls[0]?.answer();
    await waitFor('the other follows', () => calls.length === 2);
    calls[1]?.answer();
    expect([(await wire.read()).id, (await wire.read()).id, (await wire.read()).id].sort()).toEqual([1, 2, 3]);
  });

  it('C6: 100 waits that never end do not delay a ping', async () => {
    const { calls, handler } = openCalls();
    await start({}, { 'surface.wait': handler });
    const wire = await gateway.wire();
    for (let id = 0; id < 100; id++) {
      wire.send({ id, method: 'surface.wait', params: { pattern: 'never', timeout_ms: 3_600_000 } });
    }
    await waitFor('the waits have begun', () => calls.length === 100);
    const started = performance.now();
    expect(await wire.ask('system.ping')).toMatchObject({ ok: true });
    expect(performance.now() - started).toBeLessThan(50);
  });

  it('refuses a wait above the bound at once and says so', async () => {
    const { calls, handler } = openCalls();
    await start({ max_in_flight: 3 }, { 'surface.wait': handler });
    const wire = await gateway.wire();
    for (let id = 0; id < 4; id++) wire.send({ id, method: 'surface.wait', params: { exit: true } });
    expect(await wire.read()).toMatchObject({ id: 3, ok: false, error: { code: 'overloaded' } });
    calls[0]?.answer();
    expect(await wire.read()).toMatchObject({ id: 0, ok: true });
    expect(await wire.ask('system.ping')).toMatchObject({ ok: true });
  });

  it('leaves requests above the bound in the socket and answers every one of them', async () => {
    const { calls, handler } = openCalls();
    await start({ max_in_flight: 4 }, { 'surface.send_text': handler });
    const wire = await gateway.wire();
    for (let id = 0; id < 10; id++) wire.send({ id, method: 'surface.send_text', params: { text: `${id}` } });
    await waitFor('as many as may be are in flight', () => calls.length === 4);
    expect(await (await gateway.wire()).ask('system.ping')).toMatchObject({ ok: true });
    expect(calls).toHaveLength(4);
    for (let id = 0; id < 10; id++) {
      await waitFor('the next one is handed on', () => calls[id]);
      calls[id]?.answer();
      expect(await wire.read()).toMatchObject({ id, ok: true });
    }
  });

  it('takes request_id out of the parameters and hands it on', async () => {
    const seen: unknown[] = [];
    await start(
      {},
      {
        'surface.send_text': (params) => {
          seen.push(params);
          return {} as never;
        },
      },
    );
    const wire = await gateway.wire();
    await wire.ask('surface.send_text', { text: 'a', request_id: 'once' });
    expect(seen).toEqual([{ text: 'a' }]);
  });

  it('answers a client that has ended its side, then ends its own', async () => {
    const { calls, handler } = openCalls();
    await start({}, { 'surface.wait': handler });
    const wire = await gateway.wire();
    wire.send({ id: 1, method: 'surface.wait', params: { exit: true } });
    wire.socket.end();
    await waitFor('the wait has begun', () => calls.length === 1);
    expect(calls[0]?.ctx.signal.aborted).toBe(false);
    calls[0]?.answer({ waited: true });
    expect(await wire.read()).toEqual({ id: 1, ok: true, result: { waited: true } });
    await wire.ended;
  });

  it('withdraws the waits of a client that is gone, and carries out its mutations', async () => {
    const { calls, handler } = openCalls();
    await start({}, { 'surface.wait': handler, 'surface.send_text': handler });
    const wire = await gateway.wire();
    wire.send({ id: 1, method: 'surface.wait', params: { exit: true } });
    wire.send({ id: 2, method: 'surface.send_text', params: { text: 'x' } });
    await waitFor('both have begun', () => calls.length === 2);
    wire.socket.destroy();
    await waitFor('the wait is withdrawn', () => calls[0]?.ctx.signal.aborted);
    expect(calls[1]?.ctx.signal.aborted).toBe(false);
    calls[1]?.answer();
    expect(await (await gateway.wire()).ask('system.ping')).toMatchObject({ ok: true });
  });

  it('withdraws the waits of a client that ended its side first and left later', async () => {
    const { calls, handler } = openCalls();
    await start({}, { 'surface.wait': handler });
    const wire = await gateway.wire();
    wire.send({ id: 1, method: 'surface.wait', params: { exit: true } });
    wire.socket.end();
    await waitFor('the wait has begun', () => calls.length === 1);
    wire.socket.destroy();
    await waitFor('the wait is withdrawn', () => calls[0]?.ctx.signal.aborted);
  });

  it('C13: a client that does not read costs bounded memory and others no time', async () => {
    const MiB = 1024 * 1024;
    let answered = 0;
    await start(
      {},
      {
        'surface.read_text': () => {
          answered++;
          return { text: 'x'.repeat(50_000) } as never;
        },
      },
    );
    const slow = await gateway.wire();
    slow.socket.pause();
    const ask = `${JSON.stringify({ id: 1, method: 'surface.read_text' })}\n`;
    const before = process.memoryUsage().rss;
    slow.socket.write(ask.repeat(8000));
    await waitFor('its requests are no longer taken', () => answered > 0 && slow.socket.writableLength > 0);
    const other = await gateway.wire();
    const started = performance.now();
    expect(await other.ask('system.ping')).toMatchObject({ ok: true });
    expect(performance.now() - started).toBeLessThan(200);
    expect(answered).toBeLessThan(1500); // what was in flight at once, and what the system's buffers took
    expect(process.memoryUsage().rss - before).toBeLessThan(300 * MiB);
    slow.socket.resume();
    await waitFor('it is served again when it reads', () => answered === 8000, { timeoutMs: 60_000 });
  });

  it('closes a client whose waiting replies exceed the limit, and logs it', async () => {
    const { calls, handler } = openCalls();
    await start({ outbox_bytes: 1024 * 1024 }, { 'surface.read_text': handler });
    const wire = await gateway.wire();
    wire.socket.pause();
    for (let id = 0; id < 10; id++) wire.send({ id, method: 'surface.read_text' });
    await waitFor('all are in flight', () => calls.length === 10);
    for (const call of calls) call.answer({ text: 'x'.repeat(500_000) });
    await waitFor('the client is closed', () =>
      gateway.logged.some(({ msg }) => msg === 'closing a client that does not read its replies'),
    );
    expect(await (await gateway.wire()).ask('system.ping')).toMatchObject({ ok: true });
  });

  it('turns a client away when there are too many, and lets one in when another has left', async () => {
    await start({ max_connections: 2 });
    const [first, second] = [await gateway.wire(), await gateway.wire()];
    await first.ask('system.ping');
    await second.ask('system.ping');
    const third = await gateway.wire();
    expect(await third.read()).toMatchObject({ ok: false, error: { code: 'overloaded' } });
    await third.ended;
    first.socket.destroy();
    await waitFor('a place is free', async () => {
      const wire = await gateway.wire();
      return (await wire.ask('system.ping')).ok;
    });
  });

  it(`C5: ${CONNECTS} times connect, ping, close leave no descriptor and no memory behind`, async () => {
    await start();
    const visit = async () => {
      const wire = await gateway.wire();
      await wire.ask('system.ping');
      wire.socket.end();
      await wire.ended;
    };
    const vanish = async () => {
      const socket = connect(gateway.path);
      await once(socket, 'connect');
      socket.destroy();
    };
    for (let i = 0; i < 200; i++) await visit();
    const descriptors = descriptorsOf('self').length;
    const memory = process.memoryUsage().rss;
    for (let done = 0; done < CONNECTS; done += 20) await Promise.all(Array.from({ length: 20 }, visit));
    for (let i = 0; i < VANISHING; i++) await vanish();
    await waitFor('the descriptors are back', () => descriptorsOf('self').length <= descriptors);
    expect(process.memoryUsage().rss - memory).toBeLessThan(100 * 1024 * 1024);
  });
});

describe('when the gateway stops', () => {
  it('finishes what is in flight, leaves waits to be asked again, and removes its socket', async () => {
    const { calls, handler } = openCalls();
    const gateway = await startGateway({}, { 'surface.wait': handler, 'window.list': handler });
    const wire = await gateway.wire();
    wire.send({ id: 1, method: 'surface.wait', params: { exit: true } }, { id: 2, method: 'window.list' });
    await waitFor('both have begun', () => calls.length === 2);
    const listing = wire.read();
    wire.socket.on('end', () => wire.socket.end());
    const done = gateway.drain();
    calls[1]?.answer({ windows: [] });
    expect(await listing).toMatchObject({ id: 2, ok: true });
    await wire.ended;
    expect(wire.unread).toBe(0);
    await done;
    await expect(once(connect(gateway.path), 'connect')).rejects.toMatchObject({ code: 'ENOENT' });
    await gateway.stop();
  });
});
