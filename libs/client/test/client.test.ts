import { writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { startDeafListener, tempDir, waitFor } from '@switchyard/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { connectClient } from '../src/index.js';
import { type FakeServer, fakeServer, type Request, reply } from './fake-server.js';

describe('the client', () => {
  let server: FakeServer;
  afterEach(() => server.remove());
  const echo = (request: Request, socket: Socket) =>
    reply(socket, { id: request.id, ok: true, result: request.params });

  it('gives each call its own reply, whatever the order', async () => {
    const held: (() => void)[] = [];
    server = await fakeServer((request, socket) => {
      held.unshift(() => echo(request, socket));
      if (held.length === 100) for (const send of held) send();
    });
    const client = await connectClient(server.path);
    const calls = Array.from({ length: 100 }, (_, n) => client.callNamed('any.thing', { n }));
    expect(await Promise.all(calls)).toEqual(Array.from({ length: 100 }, (_, n) => ({ n })));
    client.close();
  });

  it('throws what the yard answered, with its code and data', async () => {
    const error = { code: 'not_found', message: 'no surface S', data: { surface_id: 'S' } };
    server = await fakeServer(({ id }, socket) => reply(socket, { id, ok: false, error }));
    const client = await connectClient(server.path);
    await expect(client.call('system.ping', {})).rejects.toMatchObject(error);
    client.close();
  });

  it('fails every call in flight with connection_closed when the connection ends', async () => {
    server = await fakeServer(({ id }) => {
      if (id === 3) void server.stop();
    });
    const client = await connectClient(server.path);
    const calls = [1, 2, 3].map(() => client.callNamed('any.thing', {}));
    for (const call of calls)
      await expect(call).rejects.toMatchObject({ code: 'connection_closed', data: { sent: true } });
    await client.closed;
    await expect(client.call('system.ping', {})).rejects.toMatchObject({ data: { sent: false } });
  });

  it('fails a call at once whose connection ends before it is sent', async () => {
    server = await fakeServer(() => undefined);
    const client = await connectClient(server.path);
    const call = client.call('system.ping', {});
    client.close();
    await expect(call).rejects.toMatchObject({ code: 'connection_closed', data: { sent: false } });
  });

  it('C7: gives up after the stated time on a yard that accepts and never answers', async () => {
    server = await fakeServer(() => undefined);
    const client = await connectClient(server.path);
    const started = Date.now();
    await expect(client.call('system.ping', {}, { timeoutMs: 200 })).rejects.toMatchObject({
      code: 'timeout',
      message: expect.stringContaining(`No answer from ${server.path} within 200 ms`),
    });
    expect(Date.now() - started).toBeLessThan(1000);
    client.close();
  });

  it('ends a call when its signal aborts, and takes no notice of the late reply', async () => {
    const late: (() => void)[] = [];
    server = await fakeServer((request, socket) => {
      if (request.method === 'slow.one') late.push(() => echo(request, socket));
      else echo(request, socket);
    });
    const client = await connectClient(server.path);
    const withdrawn = new AbortController();
    const call = client.callNamed('slow.one', {}, { signal: withdrawn.signal });
    await waitFor('it was sent', () => late.length > 0);
    withdrawn.abort();
    await expect(call).rejects.toMatchObject({ code: 'cancelled' });
    await expect(client.callNamed('no.matter', {}, { signal: withdrawn.signal })).rejects.toMatchObject({
      code: 'cancelled',
    });
    for (const send of late) send();
    expect(await client.callNamed('other.one', { a: 1 })).toEqual({ a: 1 });
    client.close();
  });

  it('hands pushed events to whoever listens', async () => {
    server = await fakeServer((request, socket) => {
      reply(socket, { event: 'output', text: 'hi' });
      echo(request, socket);
    });
    const client = await connectClient(server.path);
    const events: unknown[] = [];
    const forget = client.onEvent((event) => events.push(event));
    await client.callNamed('any.thing', {});
    forget();
    await client.callNamed('any.thing', {});
    expect(events).toEqual([{ event: 'output', text: 'hi' }]);
    client.close();
  });

  it('closes when the peer does not speak the protocol', async () => {
    server = await fakeServer((_request, socket) => socket.write('HTTP/1.1 400 Bad Request\n'));
    const client = await connectClient(server.path);
    await expect(client.call('system.ping', {})).rejects.toMatchObject({ code: 'connection_closed' });
    await client.closed;
  });

  it('passes on a refusal of the whole connection', async () => {
    const error = { code: 'overloaded', message: 'too many' };
    server = await fakeServer((_request, socket) => reply(socket, { id: null, ok: false, error }));
    const client = await connectClient(server.path);
    await expect(client.call('system.ping', {})).rejects.toMatchObject(error);
    client.close();
  });
});

describe('connecting', () => {
  const dir = tempDir('sy-connect');
  afterEach(() => dir.remove());

  it('says that no yard runs when there is no socket', async () => {
    const path = join(dir.path, 'none.sock');
    await expect(connectClient(path)).rejects.toMatchObject({
      code: 'service_unavailable',
      message: `No yard is running: there is no socket at ${path}`,
    });
  });

  it('says that nobody listens when only the file is left', async () => {
    const { path, remove } = tempDir('sy-stale');
    writeFileSync(join(path, 's.sock'), '');
    await expect(connectClient(join(path, 's.sock'))).rejects.toMatchObject({
      code: 'service_unavailable',
      message: expect.stringContaining('nobody listens'),
    });
    remove();
  });

  it('C7: gives up in time on a listener whose queue is full', async () => {
    const { path, remove } = tempDir('sy-full');
    const socket = join(path, 's.sock');
    const deaf = await startDeafListener(socket);
    const started = Date.now();
    await expect(connectClient(socket, { timeoutMs: 300 })).rejects.toMatchObject({ code: 'timeout' });
    expect(Date.now() - started).toBeLessThan(1000);
    await deaf.stop();
    remove();
  });
});
