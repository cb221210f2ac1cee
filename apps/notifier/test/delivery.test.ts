import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { waitFor } from '@switchyard/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { appleArgv, notifySendArgv } from '../src/delivery/desktop.js';
import type { Message } from '../src/domain/message.js';
import { TestNotifier } from './support/notifier.js';

let notifier: TestNotifier;
beforeEach(() => {
  notifier = new TestNotifier();
});
afterEach(() => notifier.end());

const inDir = (name: string) => join(notifier.dir.path, name);
const create = (title: string, surface_id = 'S1', body = '') =>
  notifier.bus.call('notification.create_for_surface', { surface_id, title, body });
const linesOf = (file: string) =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line))
    : [];
const suppressed = async () => (await notifier.list()).map((row) => row.suppressed);
const untilDone = (count: number) =>
  waitFor(`${count} deliveries are done`, async () => {
    const all = await notifier.deliveries();
    return all.length === count && all.every(({ state }) => state !== 'pending') ? all : undefined;
  });

describe('a file', () => {
  it('gets each notification as a line of JSON, cleaned', async () => {
    const file = inDir('out/notifications.jsonl');
    await notifier.start({ file });
    await create('Build\u001b[31m', 'S1', 'all\ngreen \u202e');
    await untilDone(1);
    expect(linesOf(file)).toMatchObject([
      {
        ...{ attempt: 1, yard: 'test', reason: 'request', title: 'Build', body: 'all green' },
        workspace: { id: 'WS', ref: 'workspace:1', title: 'api' },
        surface: { id: 'S1', ref: 'surface:1' },
        action: { kind: 'look', command: 'sy attach surface:1' },
      },
    ]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });
});

describe('a command', () => {
  it('gets JSON on its input and texts in its environment; no shell reads them', async () => {
    const file = inDir('seen');
    const script = `cat > ${file}.part; printf '%s' "$SWITCHYARD_NOTIFICATION_TITLE" > ${file}.title; mv ${file}.part ${file}`;
    await notifier.start({ command: ['/bin/sh', '-c', script] });
    await create('$(touch nothing)');
    await untilDone(1);
    expect(linesOf(file)).toMatchObject([{ title: '$(touch nothing)' }]);
    expect(readFileSync(`${file}.title`, 'utf8')).toBe('$(touch nothing)');
  });

  it('that fails is tried again, seen in the deliveries, and holds up no other adapter', async () => {
    const [flag, file] = [inDir('ready'), inDir('out')];
    await notifier.start({ command: ['/bin/sh', '-c', `test -e ${flag} || { echo not yet >&2; exit 3; }`], file });
    await create('one');
    const failing = await waitFor('it has failed once', async () =>
      (await notifier.deliveries()).find(({ adapter, attempts }) => adapter === 'command' && attempts === 1),
    );
    expect(failing).toMatchObject({ state: 'pending', error: '/bin/sh ended with 3: not yet' });
    await waitFor('the file has it', () => linesOf(file).length === 1);
    expect((await notifier.deliveries()).find(({ adapter }) => adapter === 'command')?.state).toBe('pending');
    writeFileSync(flag, '');
    const done = await untilDone(2);
    expect(done.find(({ adapter }) => adapter === 'command')).toMatchObject({ state: 'delivered' });
  });

  it('is not tried again for what was read meanwhile', async () => {
    await notifier.start({ command: ['/bin/sh', '-c', 'exit 1'] });
    await create('one');
    await waitFor('it has failed', async () => (await notifier.deliveries())[0]?.attempts === 1);
    await notifier.bus.call('notification.mark_read', {});
    expect(await untilDone(1)).toMatchObject([{ state: 'dropped', attempts: 1 }]);
  });

  it('is made by the next run of the notifier when this one ends first', async () => {
    const file = inDir('out');
    await notifier.start({ command: ['/bin/sh', '-c', 'exit 1'] });
    await create('one');
    await waitFor('it has failed', async () => (await notifier.deliveries())[0]?.attempts === 1);
    await notifier.restart({ command: ['/bin/sh', '-c', `cat > ${file}`] });
    expect(await untilDone(1)).toMatchObject([{ state: 'delivered', attempts: 2 }]);
  });
});

describe('a webhook', () => {
  let server: Server;
  let answer: number;
  let seen: { headers: IncomingHttpHeaders; body: string }[];
  let url: string;
  beforeEach(async () => {
    answer = 204;
    seen = [];
    server = createServer((request, response) => {
      let body = '';
      request.on('data', (part) => {
        body += part;
      });
      request.on('end', () => {
        seen.push({ headers: request.headers, body });
        response.writeHead(answer).end();
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  it('is signed with a secret that nobody else can read, over time and body', async () => {
    await notifier.start({ webhook_url: url });
    await create('Build');
    const [done] = await untilDone(1);
    const secretFile = inDir('state/webhook.secret');
    expect(statSync(secretFile).mode & 0o777).toBe(0o600);
    const [request] = seen;
    const signed = `${request?.headers['x-switchyard-timestamp']}.${request?.body}`;
    const mac = createHmac('sha256', readFileSync(secretFile, 'utf8').trim()).update(signed).digest('hex');
    expect(request?.headers['x-switchyard-signature']).toBe(`v1=${mac}`);
    expect(request?.headers['x-switchyard-delivery']).toBe(done?.id);
    expect(JSON.parse(request?.body ?? '')).toMatchObject({ title: 'Build', delivery_id: done?.id });
  });

  it('that refuses is given up at once and told of; one that is out of order is tried again', async () => {
    answer = 401;
    await notifier.start({ webhook_url: url });
    await create('one');
    expect(await untilDone(1)).toMatchObject([{ state: 'failed', attempts: 1, error: 'it answered 401' }]);
    await waitFor('the journal is told', () => notifier.kinds().includes('notification.delivery_failed'));
    answer = 503;
    await create('two');
    await waitFor('it was tried', async () => (await notifier.deliveries())[0]?.attempts === 1);
    answer = 200;
    expect((await untilDone(2))[0]).toMatchObject({ state: 'delivered', attempts: 2 });
  });

  it('is not sent with a secret that others can read', async () => {
    const secret = inDir('secret');
    writeFileSync(secret, 'known to all\n');
    chmodSync(secret, 0o644);
    await notifier.start({ webhook_url: url, webhook_secret_file: secret });
    await create('one');
    expect((await untilDone(1))[0]).toMatchObject({ state: 'failed', error: expect.stringContaining('chmod 600') });
    expect(seen).toEqual([]);
  });
});

describe('what is not delivered', () => {
  it('belongs to a quiet workspace', async () => {
    await notifier.start({ file: inDir('out') });
    const quiet = await notifier.bus.call('notification.set_level', { workspace_id: 'workspace:1', level: 'quiet' });
    expect(quiet).toEqual({ workspace_id: 'WS', workspace_ref: 'workspace:1', level: 'quiet' });
    await create('one');
    expect([await suppressed(), await notifier.deliveries()]).toEqual([['quiet'], []]);
    expect((await notifier.bus.call('notification.rules', {})).rules).toMatchObject([{ level: 'quiet', title: 'api' }]);
    await notifier.restart();
    await notifier.bus.call('notification.set_level', { workspace_id: 'WS', level: 'default' });
    await create('two');
    expect(await suppressed()).toEqual([null]);
  });

  it('is what a person looks at, says the client before which one sits', async () => {
    await notifier.start({ file: inDir('out') });
    const person = { caller: { kind: 'client', name: 'ui' } } as const;
    const attend = (params: object, options: object = person) =>
      notifier.bus.call('notification.attend', params, options);
    await create('before');
    expect(await attend({ surface_id: 'S1' })).toMatchObject({ attending: true });
    expect((await notifier.list())[0]?.is_read).toBe(true);
    await create('while');
    await create('elsewhere', 'S2');
    expect(await suppressed()).toEqual([null, 'present']);
    await attend({ for_ms: 0 });
    await create('after');
    expect((await suppressed())[0]).toBeNull();
    await attend({});
    await create('in front');
    expect((await suppressed())[0]).toBe('present');
    notifier.override = false;
    await create('pretended');
    expect((await suppressed())[0]).toBeNull();
  });

  it('is not decided by agents: what runs in the terminal of one is no person', async () => {
    await notifier.start({ file: inDir('out') });
    notifier.surfaces.set('S2', { has_agent_state: true });
    const within = (surface_id: string) => ({ caller: { kind: 'client', name: 'x', surface_id } }) as const;
    const refused = { code: 'forbidden', data: { missing: ['person'] } };
    await expect(notifier.bus.call('notification.attend', { surface_id: 'S1' }, within('S2'))).rejects.toMatchObject(
      refused,
    );
    await expect(notifier.bus.call('notification.attend', { surface_id: 'S1' }, within('S1'))).rejects.toMatchObject(
      refused,
    );
    await create('one');
    expect(await suppressed()).toEqual([null]);
  });

  it('is too much in a row, and all of it is listed', async () => {
    await notifier.start({ file: inDir('out') });
    for (let i = 0; i < 8; i++) await create(`n${i}`);
    expect(await suppressed()).toEqual(['rate_limited']);
    await untilDone(5);
    await create('other', 'S2');
    expect((await suppressed())[0]).toBeNull();
  });
});

describe('a text that is only shown', () => {
  const show = (params: object) => notifier.bus.call('notification.show', params as never);

  it('goes to the adapters, flattened and cut, and is kept nowhere', async () => {
    const file = inDir('out');
    await notifier.start({ file });
    expect(await show({ title: `Build\n${'x'.repeat(100)}`, body: 'y'.repeat(300) })).toEqual({
      shown: true,
      reason: 'shown',
    });
    await untilDone(1);
    const [line] = linesOf(file);
    expect([[...line.title].length, [...line.body].length, line.reason]).toEqual([80, 240, 'shown']);
    expect(await notifier.list()).toEqual([]);
    await waitFor('clients are told', () => notifier.kinds().includes('notification.shown'));
    for (let i = 0; i < 4; i++) await show({ title: 'again' });
    expect(await show({ title: 'again' })).toEqual({ shown: false, reason: 'rate_limited' });
    await expect(async () => show({ title: ' \u202e' })).rejects.toMatchObject({ code: 'invalid_params' });
  });

  it('says when nobody gets it', async () => {
    await notifier.start({});
    expect(await show({ title: 'x' })).toEqual({ shown: false, reason: 'no_foreground_client' });
    await notifier.bus.call('notification.attend', {});
    expect(await show({ title: 'x' })).toEqual({ shown: true, reason: 'shown' });
    await notifier.restart({ level: 'quiet' });
    expect(await show({ title: 'x' })).toEqual({ shown: false, reason: 'disabled' });
  });
});

it('the desktop gets texts as arguments, never as a script or as markup', () => {
  const message = { title: '-x', subtitle: 'api', body: '<b>&"', reason: 'agent_blocked' } as Message;
  expect(notifySendArgv(message)).toEqual([
    'notify-send',
    '--app-name=Switchyard',
    '--urgency=critical',
    '--',
    '-x',
    'api\n&lt;b&gt;&amp;"',
  ]);
  expect(appleArgv(message).slice(-3)).toEqual(['-x', '<b>&"', 'api']);
});
