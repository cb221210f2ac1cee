import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { waitFor } from '@switchyard/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { appleArgv, notifySendArgv } from '../src/delivery/desktop.js';
import { signature } from '../src/delivery/webhook.js';
import type { Message } from '../src/domain/message.js';
import { TestNotifier } from './support/notifier.js';

let notifier: TestNotifier;
const path = (name: string) => join(notifier.dir.path, name);
const create = (surface_id: string, title: string, body = '') =>
  notifier.bus.call('notification.create_for_surface', { surface_id, title, body });
const states = async () => (await notifier.deliveries()).map(({ adapter, state }) => `${adapter} ${state}`);
const linesIn = (name: string) =>
  existsSync(path(name))
    ? readFileSync(path(name), 'utf8')
        .split('\n')
        .flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))
    : [];

beforeEach(() => {
  notifier = new TestNotifier();
});
afterEach(() => notifier.end());

describe('a delivery', () => {
  it('goes to each adapter, cleaned, with what it is about and what to do', async () => {
    const command = [
      '/bin/sh',
      '-c',
      'cat >> "$0"; printf "%s" "$SWITCHYARD_NOTIFICATION_TITLE" > "$0.title"',
      path('got'),
    ];
    await notifier.start({ file: path('file'), command });
    await create('S1', 'Build\x1b[31m done', 'two\nlines');
    await waitFor('both have it', async () => (await states()).every((state) => state.endsWith(' delivered')));
    expect((await states()).sort()).toEqual(['command delivered', 'file delivered']);
    const about = { title: 'Build done', body: 'two lines', reason: 'request', workspace: { title: 'api' } };
    const next = { surface: { ref: 'surface:1' }, action: { command: 'sy attach surface:1' }, attempt: 1 };
    for (const name of ['file', 'got']) expect(linesIn(name)).toMatchObject([{ ...about, ...next }]);
    expect(readFileSync(path('got.title'), 'utf8')).toBe('Build done');
  });

  it('that fails is tried again later and said so; what waits for a broken adapter holds up no other', async () => {
    await notifier.start({ file: path('file'), command: ['/bin/sh', '-c', 'echo no such friend >&2; exit 3'] });
    await create('S1', 'one');
    await create('S2', 'two');
    await waitFor('the file has both', () => linesIn('file').length === 2);
    await waitFor('one has failed', async () => (await notifier.deliveries()).some(({ attempts }) => attempts > 0));
    const failing = (await notifier.deliveries()).find(
      ({ adapter, attempts }) => adapter === 'command' && attempts > 0,
    );
    expect(failing).toMatchObject({ state: 'pending', error: '/bin/sh ended with 3: no such friend' });
    expect(failing?.next_at).toBeGreaterThan(Date.now());
  });

  it('that was not made before the notifier ended is made by the next, once', async () => {
    const gate = path('gate');
    const command = ['/bin/sh', '-c', 'test -e "$0" || exit 1; cat >> "$0.got"', gate];
    await notifier.start({ command });
    await create('S1', 'over a restart');
    await waitFor('it was tried', async () => ((await notifier.deliveries())[0]?.attempts ?? 0) > 0);
    writeFileSync(gate, '');
    await notifier.restart();
    await waitFor('it is delivered', async () => (await states())[0] === 'command delivered');
    expect(linesIn('gate.got')).toMatchObject([{ title: 'over a restart' }]);
  });

  it('is not made of what is quiet, seen by a person, too much, or a bell', async () => {
    await notifier.start({ file: path('file') });
    await notifier.bus.call('notification.attend', { surface_id: 'S1' });
    await create('S1', 'seen');
    await notifier.bus.call('notification.attend', { surface_id: 'S1', for_ms: 0 });
    for (let i = 0; i < 8; i++) await create('S2', `many ${i}`);
    await notifier.bus.call('notification.set_level', { workspace_id: 'workspace:1', level: 'quiet' });
    await create('S1', 'quiet');
    await notifier.bus.call('notification.hear', { surface_id: 'S1', signals: [{ offset: 1, kind: 'bell' }] });
    const listed = (await notifier.list()).map(({ title, suppressed }) => [title, suppressed]);
    expect(listed).toEqual([
      ['quiet', 'quiet'],
      ['many 7', 'rate_limited'],
    ]);
    await waitFor('the first are delivered', () => linesIn('file').length === 5);
    expect(linesIn('file').map(({ title }) => title)).toEqual(['many 0', 'many 1', 'many 2', 'many 3', 'many 4']);
    const created = notifier.told.filter(({ kind }) => kind === 'notification.created');
    expect(created[0]?.data).toMatchObject({ title: 'seen', suppressed: 'present' });
  });

  it('of a bell is made where all is wanted, and once until it is read', async () => {
    await notifier.start({ file: path('file'), level: 'all' });
    const ring = (offset: number) =>
      notifier.bus.call('notification.hear', { surface_id: 'S1', signals: [{ offset, kind: 'bell' }] });
    await ring(1);
    await ring(2);
    await notifier.bus.call('notification.mark_read', {});
    await ring(3);
    await waitFor('two rang', () => linesIn('file').length === 2);
    expect((await notifier.list()).map(({ reason, excerpt }) => [reason, excerpt])).toEqual([['bell', 'title S1']]);
  });

  it('of a text that is only shown leaves no notification, and is bounded', async () => {
    await notifier.start({ file: path('file') });
    const show = () => notifier.bus.call('notification.show', { title: 'look' });
    const answers = await Promise.all(Array.from({ length: 6 }, show));
    expect(answers.filter(({ shown }) => shown)).toHaveLength(5);
    expect(answers.at(-1)).toEqual({ shown: false, reason: 'rate_limited' });
    await waitFor('they are delivered', () => linesIn('file').length === 5);
    expect(await notifier.list()).toEqual([]);
  });
});

describe('a webhook', () => {
  let server: Server;
  const requests: { headers: Record<string, unknown>; body: string }[] = [];
  const answers: number[] = [];
  beforeEach(async () => {
    requests.length = 0;
    server = createServer(async (request, response) => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part as Buffer);
      requests.push({ headers: request.headers, body: Buffer.concat(parts).toString() });
      response.writeHead(answers.shift() ?? 204).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  });
  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;

  it('is signed with a secret of its own, and sent again when the other side is ill', async () => {
    answers.push(503);
    await notifier.start({ webhook_url: url() });
    await create('S1', 'signed');
    await waitFor('it is delivered', async () => (await states())[0] === 'webhook delivered');
    const secret = readFileSync(path('state/webhook.secret'), 'utf8').trim();
    expect(requests).toHaveLength(2);
    for (const { headers, body } of requests) {
      const stamp = String(headers['x-switchyard-timestamp']);
      expect(headers['x-switchyard-signature']).toBe(signature(secret, stamp, body));
    }
    expect(requests.map(({ body }) => JSON.parse(body).attempt)).toEqual([1, 2]);
    expect(new Set(requests.map(({ headers }) => headers['x-switchyard-delivery'])).size).toBe(1);
  });

  it('is given up at once where it is refused, and told so', async () => {
    answers.push(401);
    await notifier.start({ webhook_url: url() });
    await create('S1', 'refused');
    await waitFor('it is given up', async () => (await states())[0] === 'webhook failed');
    expect(await notifier.deliveries()).toMatchObject([{ attempts: 1, error: 'it answered 401', next_at: null }]);
    await waitFor('it is told', () => notifier.kinds().includes('notification.delivery_failed'));
  });

  it('is not signed with a secret that others can read', async () => {
    writeFileSync(path('secret'), 'open\n');
    chmodSync(path('secret'), 0o644);
    await notifier.start({ webhook_url: url(), webhook_secret_file: path('secret') });
    await create('S1', 'never sent');
    await waitFor('it is given up', async () => (await states())[0] === 'webhook failed');
    expect(requests).toEqual([]);
  });
});

describe('the desktop', () => {
  const message = { title: '-x <b>', subtitle: 'api', body: 'a & b', reason: 'agent_blocked' } as Message;

  it('takes texts as texts: no options, no markup, no script', () => {
    expect(notifySendArgv(message)).toEqual([
      'notify-send',
      '--app-name=Switchyard',
      '--urgency=critical',
      '--',
      '-x <b>',
      'api\na &amp; b',
    ]);
    expect(appleArgv(message).slice(-3)).toEqual(['-x <b>', 'a & b', 'api']);
  });
});
