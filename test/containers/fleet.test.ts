import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@switchyard/client';
import { freePort, hasNatsServer, startYard, waitFor, type Yard } from '@switchyard/testing';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { sizeFrom } from '../yard/use-yard.js';
import { CLI, type TestContainer } from './support/container.js';
import { describeContainers } from './support/ground.js';
import { useNetwork } from './support/network.js';

const HOSTS = ['one', 'two', 'three'];
const PATIENCE_MS = 90_000;
const CREDS = '/run/host.json';
/** How long a cable is pulled: longer than a machine may be silent. */
const CUT_MS = sizeFrom('SWITCHYARD_TEST_CUT_MS', 10_000);
const LINES = 4000;
/** How often a link drops in a row. */
const DROPS = sizeFrom('SWITCHYARD_TEST_DROPS', 4);
/** Somebody looks at the state of a machine this often, whatever its link does. */
const LOOK_MS = 400;

describeContainers('a yard with three machines', () => {
  const network = useNetwork();
  const boxes = new Map<string, TestContainer>();
  let yard: Yard | undefined;
  let client: Client;
  let port = 0;

  beforeAll(async () => {
    if (!hasNatsServer()) throw new Error('nats-server is not on PATH');
    const { gateway } = network();
    port = await freePort();
    const listen = `${gateway}:${port}`;
    yard = await startYard({ bus: 'nats-server', settings: { fleet: { listen, names: [gateway] } } });
    client = await yard.client();
    for (const name of HOSTS) {
      const file = join(yard.dir, `${name}.json`);
      expect((await yard.cli('host', 'invite', name, '--out', file)).code).toBe(0);
      // What is copied in can be read by all: as a person would, the start closes it first.
      const start = `chmod 600 ${CREDS} && exec node ${CLI} host --join tls://${listen} --creds ${CREDS}`;
      const files = { [CREDS]: readFileSync(file, 'utf8') };
      const env = { HOME: '/root', SHELL: '/bin/sh' };
      boxes.set(name, await network().startContainer({ name, command: ['/bin/sh', '-c', start], files, env }));
    }
    for (const name of HOSTS) await untilState(name, 'online');
  });
  afterEach(async ({ task }) => {
    if (task.result?.state !== 'fail') return;
    yard?.keep();
    process.stderr.write(`${(await network().logs()).join('\n')}\n`);
  });
  afterAll(() => yard?.stop());

  it('runs terminals on each, and tells them apart', async () => {
    for (const host of HOSTS) {
      const surface_id = await open(host, 'hostname; read x');
      await client.call('surface.wait', { surface_id, pattern: `^${host}$`, timeout_ms: PATIENCE_MS });
      await client.call('surface.close', { surface_id });
    }
  });

  it('loses no byte of a flood on a machine whose cable is pulled, and the others do not notice', async () => {
    const flood = await open('one', `i=0; while [ $i -lt ${LINES} ]; do i=$((i+1)); echo line $i; sleep 0.002; done`);
    const other = await open('two', 'while read x; do echo "got $x"; done');
    await network().disconnect(box('one'));
    const until = Date.now() + CUT_MS;
    await untilState('one', 'unreachable');
    const asked = client.call('surface.send_text', { surface_id: flood, text: 'x' });
    await expect(asked).rejects.toMatchObject({ code: 'host_unreachable' });
    await client.call('surface.send_text', { surface_id: other, text: 'meanwhile\n' });
    await client.call('surface.wait', { surface_id: other, pattern: 'got meanwhile', timeout_ms: PATIENCE_MS });
    await delay(Math.max(0, until - Date.now()));
    await network().connect(box('one'));
    await untilState('one', 'online');
    await client.call('surface.wait', { surface_id: flood, exit: true, timeout_ms: PATIENCE_MS });
    expect(await outputOf(flood)).toBe(numbered(LINES));
  });

  it('G7, G9: loses nothing over a link that drops again and again while somebody looks, and piles up nothing', async () => {
    const lines = 1500 * DROPS;
    const flood = await open('one', `i=0; while [ $i -lt ${lines} ]; do i=$((i+1)); echo line $i; sleep 0.001; done`);
    const looking = setInterval(() => void client.call('host.get', { host: 'one' }), LOOK_MS);
    try {
      for (let i = 0; i < DROPS; i++) {
        const { offset } = await client.call('surface.read_output', { surface_id: flood, offset: 0, max_bytes: 1 });
        expect(offset).toBe(0);
        await network().disconnect(box('one'));
        await expect(within(client.call('host.status', { host: 'one' }, { timeoutMs: 1500 }))).resolves.toBe('failed');
        await network().connect(box('one'));
        await waitFor('it answers', async () => {
          return (await within(client.call('host.status', { host: 'one' }, { timeoutMs: 5000 }))) === 'done';
        });
      }
    } finally {
      clearInterval(looking);
    }
    await client.call('surface.wait', { surface_id: flood, exit: true, timeout_ms: PATIENCE_MS });
    expect(await outputOf(flood)).toBe(numbered(lines));
    // Its supervisor and its pty-host have one each.
    const connections = () => box('one').exec('ss', '-Htn', 'state', 'established', `( dport = :${port} )`);
    await waitFor('two connections', async () => (await connections()).output.trim().split('\n').length === 2);
  });

  it('keeps the programs of a machine over SIGKILL of its pty-host', async () => {
    const surface_id = await open('two', 'i=0; while read x; do i=$((i+1)); echo "$x $i"; done');
    const say = async (word: string, count: number) => {
      const typed = { surface_id, text: `${word}\n`, request_id: `${word} of two` };
      await client.call('surface.send_text', typed);
      await client.call('surface.wait', { surface_id, pattern: `${word} ${count}`, timeout_ms: PATIENCE_MS });
    };
    await say('before', 1);
    const killed = await box('two').exec('pkill', '-KILL', '-f', 'pty-host/dist/main.js');
    expect(killed).toMatchObject({ code: 0 });
    await say('after', 2);
  });

  it('has what was printed, and a shell again, on a machine whose plug was pulled', async () => {
    const { surface_id } = await client.call('surface.create', { host: 'three' });
    await client.call('surface.send_text', { surface_id, text: 'echo $((40+2)) before the fall\n' });
    await client.call('surface.wait', { surface_id, pattern: '42 before the fall', timeout_ms: PATIENCE_MS });
    await box('three').kill();
    await untilState('three', 'unreachable');
    await box('three').start();
    await untilState('three', 'online');
    // The machine is back before the end of its old shell has been read from the log, and a new one started.
    const typed = { surface_id, text: 'echo $((40+3)) after it\n', request_id: 'after the fall' };
    await waitFor('a shell takes it', async () => (await within(client.call('surface.send_text', typed))) === 'done');
    await client.call('surface.wait', { surface_id, pattern: '43 after it', timeout_ms: PATIENCE_MS });
    const { text } = await client.call('surface.read_text', { surface_id, scrollback: true });
    expect(text).toContain('42 before the fall');
  });

  const box = (name: string): TestContainer => {
    const found = boxes.get(name);
    if (found === undefined) throw new Error(`there is no ${name}`);
    return found;
  };

  async function open(host: string, script: string): Promise<string> {
    const argv = ['/bin/sh', '-c', script];
    return (await client.call('surface.create', { host, argv, remain_on_exit: true })).surface_id;
  }

  async function outputOf(surface_id: string): Promise<string> {
    const pieces: Buffer[] = [];
    for (let offset = 0; ; ) {
      const { data } = await client.call('surface.read_output', { surface_id, offset });
      const piece = Buffer.from(data, 'base64');
      if (piece.length === 0) return Buffer.concat(pieces).toString();
      pieces.push(piece);
      offset += piece.length;
    }
  }

  async function untilState(host: string, state: string): Promise<void> {
    let last: unknown;
    const isSo = async () => {
      last = (await client.call('host.get', { host })).state;
      return last === state;
    };
    await waitFor(`${host} is ${state}`, isSo, { timeoutMs: PATIENCE_MS, seen: () => last });
  }
});

const numbered = (lines: number): string => Array.from({ length: lines }, (_, i) => `line ${i + 1}\r\n`).join('');

/** Whether a call came to an end that is no failure. */
const within = (call: Promise<unknown>): Promise<'done' | 'failed'> =>
  call.then(
    () => 'done',
    () => 'failed',
  );
