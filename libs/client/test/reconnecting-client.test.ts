import type { Socket } from 'node:net';
import { waitFor } from '@switchyard/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { connectClient, connectReconnecting } from '../src/index.js';
import { type FakeServer, fakeServer, type Request, reply } from './fake-server.js';

describe('the reconnecting client', () => {
  let server: FakeServer;
  let isDeaf = false;
  afterEach(() => server.remove());
  const start = async () => {
    isDeaf = true;
    server = await fakeServer((request: Request, socket: Socket) => {
      if (!isDeaf) reply(socket, { id: request.id, ok: true, result: request.params });
    });
    return connectReconnecting(server.path);
  };
  /** The gateway is killed with a request in its hands, and comes back. */
  const restart = async () => {
    await waitFor('the request has arrived', () => server.requests.length > 0);
    await server.stop();
    isDeaf = false;
    await server.start();
  };

  it('sends a query again when the gateway is back', async () => {
    const client = await start();
    const call = client.call('system.ping', {});
    await restart();
    expect(await call).toEqual({});
    expect(server.requests).toHaveLength(2);
    client.close();
  });

  it('sends a wait again for what is left of its time', async () => {
    const client = await start();
    const call = client.callNamed('surface.wait', { exit: true, timeout_ms: 60_000 });
    await restart();
    const { timeout_ms } = (await call) as { timeout_ms: number };
    expect(timeout_ms).toBeLessThan(60_000);
    expect(timeout_ms).toBeGreaterThan(50_000);
    // In whole milliseconds: anything else is refused, and an attached terminal would end with it.
    expect(Number.isInteger(timeout_ms)).toBe(true);
    client.close();
  });

  it('does not send a mutation twice, and says that its outcome is unknown', async () => {
    const client = await start();
    const call = client.callNamed('surface.send_text', { text: 'rm' });
    const failed = expect(call).rejects.toMatchObject({ code: 'outcome_unknown' });
    await restart();
    await failed;
    expect(server.requests).toHaveLength(1);
    client.close();
  });

  it('sends a mutation with a request_id again', async () => {
    const client = await start();
    const call = client.callNamed('surface.send_text', { text: 'ls', request_id: 'r1' });
    await restart();
    expect(await call).toEqual({ text: 'ls', request_id: 'r1' });
    client.close();
  });

  it('waits for the gateway with a call that is made while it is away', async () => {
    const client = await start();
    const witness = await connectClient(server.path);
    await server.stop();
    await witness.closed;
    await new Promise((resolve) => setImmediate(resolve)); // both connections end in one turn, in any order
    isDeaf = false;
    const call = client.callNamed('surface.send_text', { text: 'ls' });
    await server.start();
    expect(await call).toEqual({ text: 'ls' });
    client.close();
  });

  it('gives up when the time of the call is over', async () => {
    const client = await start();
    await server.stop();
    await expect(client.callNamed('system.ping', {}, { timeoutMs: 300 })).rejects.toMatchObject({
      code: 'service_unavailable',
    });
    client.close();
    await expect(client.callNamed('system.ping', {})).rejects.toMatchObject({ code: 'connection_closed' });
  });

  it('fails at once when there is no yard to begin with', async () => {
    await start().then((client) => client.close());
    await expect(connectReconnecting(`${server.path}.none`)).rejects.toMatchObject({ code: 'service_unavailable' });
  });
});
