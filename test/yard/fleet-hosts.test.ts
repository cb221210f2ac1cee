import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@switchyard/client';
import { hasNatsServer, isAlive, waitFor, type Yard } from '@switchyard/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { JoinedHost, startHub } from './joined-host.js';

const LONG_MS = 60_000;
const LINES = 400;

let yard: Yard;
let attic: JoinedHost;
let client: Client;

const why = hasNatsServer() ? '' : ' (skipped: nats-server is not on PATH)';

describe.skipIf(why !== '')(`a yard of two machines${why}`, () => {
  beforeAll(async () => {
    yard = await startHub();
    attic = new JoinedHost('attic');
    await attic.invite(yard, '--label', 'upstairs');
    const joined = await attic.join();
    expect(joined, joined.stderr).toMatchObject({ code: 0 });
    await attic.untilState(yard, 'online');
    client = await yard.client();
  }, LONG_MS);
  afterEach(({ task }) => {
    if (task.result?.state === 'fail') yard.keep();
  });
  afterAll(async () => {
    await attic?.stop();
    await yard?.stop();
  });

  const open = async (host: string, script?: string) => {
    const argv = script === undefined ? {} : { argv: ['/bin/sh', '-c', script] };
    return (await client.call('surface.create', { host, remain_on_exit: true, ...argv })).surface_id;
  };
  const text = async (surface_id: string) => (await client.call('surface.read_text', { surface_id })).text;
  const waitText = (surface_id: string, pattern: string) =>
    client.call('surface.wait', { surface_id, pattern, timeout_ms: 30_000 });

  // The same for every machine: nothing in here may ask which it is.
  describe.each(['local', 'attic'])('a terminal on %s', (host) => {
    it('runs a shell that reads, writes, and knows its size', async () => {
      const surface_id = await open(host);
      await client.call('surface.send_text', { surface_id, text: 'echo sum $((40+2))\n' });
      await waitText(surface_id, 'sum 42');
      await client.call('surface.resize', { surface_id, cols: 91, rows: 17 });
      await client.call('surface.send_text', { surface_id, text: 'stty size\n' });
      await waitText(surface_id, '17 91');
      await client.call('surface.close', { surface_id });
    });

    it('tells the exit and every byte before it', async () => {
      const surface_id = await open(host, `seq -f 'line %.0f' ${LINES}; exit 7`);
      await client.call('surface.wait', { surface_id, exit: true, timeout_ms: 30_000 });
      const { data } = await client.call('surface.read_output', { surface_id, offset: 0 });
      const expected = Array.from({ length: LINES }, (_, i) => `line ${i + 1}\r\n`).join('');
      expect(Buffer.from(data, 'base64').toString()).toBe(expected);
      const { surfaces } = await client.call('surface.list', { surface_id });
      expect(surfaces.find(({ id }) => id === surface_id)).toMatchObject({ host, exit: { exit_code: 7 } });
    });

    it('has the directory and the variables it was given, and tells where it is', async () => {
      const made = await client.call('surface.create', { host, cwd: '/usr', env: { COLOUR: 'blue' } });
      const { surface_id } = made;
      const told = 'echo "$COLOUR in $(pwd), $SWITCHYARD_SURFACE_REF"\n';
      await client.call('surface.send_text', { surface_id, text: told });
      await waitText(surface_id, `blue in /usr, ${made.surface_ref}`);
    });

    it('takes keys and pastes, sets its title, and is started anew', async () => {
      const surface_id = await open(host, "printf '\\033]2;at work\\007'; read x; echo got $x; exit 3");
      const rows = async () => (await client.call('surface.list', { surface_id })).surfaces;
      await waitFor('the title', async () => (await rows()).some(({ title }) => title === 'at work'));
      await client.call('surface.send_text', { surface_id, text: 'typed' });
      await client.call('surface.send_key', { surface_id, key: 'enter' });
      await waitText(surface_id, 'got typed');
      await client.call('surface.wait', { surface_id, exit: true, timeout_ms: 30_000 });
      await client.call('surface.respawn', { surface_id, argv: ['/bin/sh', '-c', 'echo again; sleep 60'] });
      await waitText(surface_id, 'again');
      await client.call('surface.close', { surface_id });
    });

    it('says of a program that is not there the same error', async () => {
      const asked = client.call('surface.create', { host, argv: ['/no/such/program'] });
      await expect(asked).rejects.toMatchObject({ code: 'command_not_found' });
    });

    it('keeps its program over SIGKILL of its pty-host', async () => {
      const surface_id = await open(host, 'i=0; while read x; do i=$((i+1)); echo "$x $i"; done');
      await client.call('surface.send_text', { surface_id, text: 'before\n' });
      await waitText(surface_id, 'before 1');
      process.kill(await (host === 'local' ? yard : attic).pidOf('pty-host'), 'SIGKILL');
      // With an id it is typed once, also where the pty-host died with it in its hands.
      const typed = { surface_id, text: 'after\n', request_id: `after on ${host}` };
      await client.call('surface.send_text', typed);
      await waitText(surface_id, 'after 2');
    });
  });

  it('starts a shell of the other machine in the home folder there', async () => {
    const surface_id = await open('any:upstairs');
    await client.call('surface.send_text', { surface_id, text: 'pwd > here\n' });
    await waitFor('it was written', () => existsSync(join(attic.home, 'here')));
    await waitFor('it is whole', () => readFileSync(join(attic.home, 'here'), 'utf8') === `${attic.home}\n`);
  });

  it('runs on while the link is cut, answers at once that it is cut, and goes on exactly where it was', async () => {
    const surface_id = await open('attic', `i=0; while read x; do i=$((i+1)); echo "$x $i"; done`);
    const flood = await open('attic', `i=0; while [ $i -lt 3000 ]; do i=$((i+1)); echo line $i; sleep 0.003; done`);
    const link = await yard.pidOf('bus-fleet');
    process.kill(link, 'SIGSTOP');
    try {
      await attic.untilState(yard, 'unreachable');
      const asked = client.call('surface.send_text', { surface_id, text: 'lost\n' });
      await expect(asked).rejects.toMatchObject({ code: 'host_unreachable' });
      await expect(open('attic')).rejects.toMatchObject({ code: 'host_unreachable' });
      expect((await client.call('surface.list', { surface_id })).surfaces.some(({ id }) => id === flood)).toBe(true);
    } finally {
      process.kill(link, 'SIGCONT');
    }
    await attic.untilState(yard, 'online');
    await client.call('surface.send_text', { surface_id, text: 'back\n' });
    await waitText(surface_id, 'back 1');
    await client.call('surface.wait', { surface_id: flood, exit: true, timeout_ms: LONG_MS });
    const { data } = await client.call('surface.read_output', { surface_id: flood, offset: 0 });
    const expected = Array.from({ length: 3000 }, (_, i) => `line ${i + 1}\r\n`).join('');
    expect(Buffer.from(data, 'base64').toString()).toBe(expected);
  });

  it('comes back by itself after SIGKILL of the broker for machines, and of its own supervisor', async () => {
    const surface_id = await open('attic', 'while read x; do echo "got $x"; done');
    await yard.untilRestarted('bus-fleet', await yard.kill('bus-fleet'));
    await client.call('surface.send_text', { surface_id, text: 'one\n' }, { timeoutMs: LONG_MS });
    await waitText(surface_id, 'got one');
    const { pid } = (await attic.status()).supervisor;
    process.kill(pid, 'SIGKILL');
    await waitFor('it is gone', () => !isAlive(pid));
    await attic.untilState(yard, 'unreachable');
    expect(await attic.join()).toMatchObject({ code: 0 });
    await attic.untilState(yard, 'online');
    await client.call('surface.send_text', { surface_id, text: 'two\n' });
    await waitText(surface_id, 'got two');
    expect(await text(surface_id)).toContain('got one');
  });

  it('lets in nobody else with the same credentials, nor the same machine with void ones', async () => {
    const other = new JoinedHost('attic');
    try {
      const joined = await other.join(attic.credentials);
      expect(joined.code).not.toBe(0);
      expect(joined.stderr).toContain('is online on another machine');
      expect(await client.call('host.get', { host: 'attic' })).toMatchObject({
        state: 'online',
        refused: { code: 'host_name_taken' },
      });
    } finally {
      await other.stop();
    }
  });

  it('is removed when nothing of it is used any more, and its programs end', async () => {
    const refused = await yard.cli('host', 'remove', 'attic');
    expect(refused.stderr).toContain('host_in_use');
    expect(await client.call('host.remove', { host: 'attic', force: true }, { timeoutMs: LONG_MS })).toEqual({
      removed: true,
    });
    const { hosts } = await client.call('host.list', {});
    expect(hosts.map(({ host }) => host)).toEqual(['local']);
  });
});
