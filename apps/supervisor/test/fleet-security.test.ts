import { readdirSync, statSync } from 'node:fs';
import { connect as dial } from 'node:net';
import { join } from 'node:path';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { busEvents, contract, HOST_EVENTS, SERVICES } from '@switchyard/protocol';
import type { HostCredentials } from '@switchyard/service/host-credentials';
import { hasNatsServer, tempDir, waitFor, within } from '@switchyard/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { serverCertificate } from '../src/fleet/certificates.js';
import { FleetScene } from './fleet-scene.js';

const LIMIT_MS = 15_000;
const methods = Object.entries(contract);

describe.skipIf(!hasNatsServer())(
  'a machine of the fleet, whatever it tries on the real broker (needs nats-server),',
  () => {
    const scene = new FleetScene();
    const admitted: Record<string, HostCredentials> = {};
    const credentials = (name: string): HostCredentials => admitted[name] ?? expect.fail(`${name} is not admitted`);

    beforeAll(async () => {
      await scene.begin();
      for (const [name, detectors] of [
        ['m1', false],
        ['m2', true],
        ['m3', false],
      ] as const) {
        admitted[name] = await scene.parts.fleet.admit({ name, pty_hosts: 1, detectors });
      }
    });
    afterEach(() => scene.clear());
    afterAll(() => scene.end());

    /** Something that m1 and m2 may say and the yard hears. */
    const sign = (name: string) => `sy.e.${scene.space}.${name}.terminal.output`;

    /** @returns which of the subjects arrive in the yard, on a connection that hears everything */
    async function arriving(name: string, subjects: readonly string[]): Promise<string[]> {
      const heard = new Set<string>();
      const marks = new Set<string>();
      const yard = await scene.listener();
      yard.subscribe('>', {
        callback: (_, message) => {
          if (message.data.length > 0) marks.add(message.string());
          else heard.add(message.subject);
        },
      });
      await yard.flush();
      const machine = await scene.stranger(credentials(name));
      const untilHeard = (mark: string) =>
        waitFor(`the yard hears the ${mark}`, () => {
          machine.publish(sign(name), mark);
          return marks.has(mark);
        });
      await untilHeard('beginning');
      for (const subject of subjects) machine.publish(subject);
      await untilHeard('end');
      const tried = new Set(subjects);
      return [...heard].filter((subject) => tried.has(subject)).sort();
    }

    it.each([
      ['m1', [true]],
      ['m2', [true, 'detectors']],
    ])('%s, calls what is open to it, in its own name, and no other method or service', async (name, may) => {
      const subject =
        (to: string, from: string) =>
        ([method, { owner }]: (typeof methods)[number]) =>
          `sy.m.${scene.space}.${owner}.${to}.${from}.${method}`;
      const tried = ['m1', 'm2', 'm3', 'local'].flatMap((from) =>
        ['_', 'm1-0', 'm3-0', 'local-0'].flatMap((to) => methods.map(subject(to, from))),
      );
      const open = methods.filter(([, { fromHosts }]) => (may as unknown[]).includes(fromHosts));
      expect(open.length).toBeGreaterThan(2);
      expect(await arriving(name, tried)).toEqual(open.map(subject('_', name)).sort());
    });

    it('answers only the yard, tells only of itself, and takes back only its own calls', async () => {
      const { space } = scene;
      const at = (kind: string, host: string) => `sy.${kind}.${space}.${host}.inst.1`;
      const hosts = ['m1', 'm2', 'm3', 'local'];
      const answers = hosts.flatMap((host) => ['r', 'b', 'p', 'a', 's'].map((kind) => at(kind, host)));
      const events = hosts.flatMap((host) => Object.keys(busEvents).map((event) => `sy.e.${space}.${host}.${event}`));
      const cancels = hosts.flatMap((host) => SERVICES.map((service) => `sy.c.${space}.${service}._.${host}`));
      const others = [
        '$SYS.REQ.SERVER.PING',
        '$JS.API.INFO',
        '$SRV.STATS',
        '_INBOX.x',
        'x',
        `sy.m.other.notifier._.m1.x`,
      ];
      const owners = new Set(methods.flatMap(([, { fromHosts, owner }]) => (fromHosts === true ? [owner] : [])));
      const allowed = [
        ...['m1', 'local'].flatMap((host) => ['r', 'b', 'p', 'a'].map((kind) => at(kind, host))),
        at('s', 'local'),
        // Pieces of a large question to m2, which has detectors.
        ...['p', 'a'].map((kind) => at(kind, 'm2')),
        ...HOST_EVENTS.map((event) => `sy.e.${space}.m1.${event}`),
        ...[...owners].map((owner) => `sy.c.${space}.${owner}._.m1`),
      ];
      expect(await arriving('m1', [...answers, ...events, ...cancels, ...others])).toEqual(allowed.sort());
    });

    it('hears nothing of other machines, of the clients of the gateway, or of what services are asked', async () => {
      const { space } = scene;
      const secrets = [
        ...['r', 'b', 'p', 'a', 's'].flatMap((kind) =>
          ['m3', 'local'].map((host) => `sy.${kind}.${space}.${host}.inst.1`),
        ),
        ...methods.flatMap(([name, { owner }]) =>
          ['m3', 'local'].map((from) => `sy.m.${space}.${owner}._.${from}.${name}`),
        ),
        ...['m3-0', 'local-0'].map((to) => `sy.m.${space}.pty-host.${to}.local.terminal.input`),
        ...SERVICES.map((service) => `sy.c.${space}.${service}._.local`),
        ...Object.keys(busEvents)
          .filter((event) => !event.startsWith('service.'))
          .flatMap((event) => ['m3', 'local'].map((host) => `sy.e.${space}.${host}.${event}`)),
        '_INBOX.x',
      ];
      const wide = ['>', '*.>', 'sy.>', 'sy.*.>', 'sy.m.>', `sy.m.${space}.>`, `sy.m.${space}.pty-host.>`, 'sy.r.>'];
      const wider = [
        `sy.m.${space}.pty-host.*.>`,
        `sy.m.${space}.*.m1-0.>`,
        `sy.r.${space}.*.>`,
        `sy.r.${space}.*.*.*`,
      ];
      const widest = [
        `sy.e.${space}.>`,
        `sy.e.${space}.*.service.ready`,
        `sy.c.${space}.pty-host.*.*`,
        '$SYS.>',
        '$JS.>',
      ];
      // A copy of its own requests beside its pty-host, and a share of the detectors', would be too much as well.
      const own = [`sy.m.${space}.pty-host.m1-0.>`, `sy.m.${space}.detector._.>`];
      const asked = [...secrets, ...wide, ...wider, ...widest, ...own];
      const heard: string[] = [];
      const refused: string[] = [];
      const machine = await scene.stranger(credentials('m1'));
      for (const subject of asked) {
        machine.subscribe(subject, {
          callback: (error, message) => void (error ? refused.push(subject) : heard.push(message.subject)),
        });
      }
      const queue = 'sy';
      machine.subscribe(`sy.m.${space}.detector._.>`, {
        queue,
        callback: (error) => void (error && refused.push('as a detector')),
      });
      const served = new Promise((resolve) => {
        machine.subscribe(`sy.m.${space}.pty-host.m1-0.>`, {
          queue,
          callback: (error, { subject }) => resolve(error ?? subject),
        });
      });
      await machine.flush();
      expect(new Set(refused)).toEqual(new Set([...asked, 'as a detector']));
      const yard = await scene.listener();
      for (const subject of secrets) yard.publish(subject);
      const request = `sy.m.${space}.pty-host.m1-0.local.terminal.get`;
      yard.publish(request);
      expect(await within(LIMIT_MS, 'a request of its own', served)).toBe(request);
      expect(heard).toEqual([]);
    });

    it('gets no service to write where it cannot write itself', async () => {
      const { space } = scene;
      let called = 0;
      await scene.service('workspace-service', { 'surface.observe': () => ({ called: ++called }) });
      const yard = await scene.listener();
      const heard: string[] = [];
      yard.subscribe('>', { callback: (_, { subject }) => void heard.push(subject) });
      await yard.flush();
      const machine = await scene.stranger(credentials('m1'));
      const subject = `sy.m.${space}.workspace-service._.m1.surface.observe`;
      const places = [
        `sy.r.${space}.m3.inst.1`,
        `sy.r.${space}.local.inst.1`,
        `sy.m.${space}.gateway._.local.x`,
        '_INBOX.x',
      ];
      for (const reply of places) machine.publish(subject, '{}', { reply });
      const host = await scene.hostBus(credentials('m1'));
      expect(await host.callNamed('surface.observe', {})).toEqual({ called: 1 });
      expect(heard.filter((each) => places.includes(each))).toEqual([]);
    });

    it('is cut off when it is expelled, cannot return, and disturbs nobody by it', async () => {
      const { fleet } = scene.parts;
      const first = await fleet.admit({ name: 'm9', pty_hosts: 1, detectors: false });
      const other = await scene.stranger(credentials('m3'));
      const one = await scene.stranger(first);
      // Another key for it: the first is void.
      const second = await fleet.admit({ name: 'm9', pty_hosts: 1, detectors: false });
      await within(LIMIT_MS, 'the old key is cut off', one.closed());
      await expect(scene.stranger(first)).rejects.toThrow(/authorization/i);
      const two = await scene.stranger(second);
      expect(await fleet.expel('m9')).toBe(true);
      await within(LIMIT_MS, 'it is cut off', two.closed());
      await expect(scene.stranger(second)).rejects.toThrow(/authorization/i);
      expect(await fleet.expel('m9')).toBe(false);
      await other.flush();
      expect(other.isClosed()).toBe(false);
    });

    it('must have a key of its own, encryption, and the right yard before it', async () => {
      const { port, address } = scene.parts;
      const servers = `127.0.0.1:${port}`;
      const { ca } = credentials('m1');
      const tries: (() => Promise<NatsConnection>)[] = [
        () => connect({ servers, tls: { ca }, reconnect: false }),
        () => connect({ servers, tls: { ca }, reconnect: false, token: address.token }),
        () => connect({ servers, tls: { ca }, reconnect: false, user: 'fleet', pass: address.leaf?.password ?? '' }),
      ];
      for (const attempt of tries) await expect(attempt()).rejects.toThrow(/authorization/i);
      const stranger = tempDir('sy-ca');
      try {
        const foreign = await serverCertificate(stranger.path, ['127.0.0.1']);
        await expect(scene.stranger({ ...credentials('m1'), ca: foreign.ca })).rejects.toThrow(/certificate/i);
      } finally {
        stranger.remove();
      }
      expect(await answerInPlain(port)).toMatch(/^INFO .*"tls_required":true.*\r\n$/);
    });

    it('finds secrets in no file that others can read', () => {
      const { runtimeDir, stateDir } = scene.paths;
      const files = [runtimeDir, join(stateDir, 'fleet')].flatMap((dir) =>
        readdirSync(dir).map((name) => join(dir, name)),
      );
      const open = files.filter((file) => statSync(file).isFile() && (statSync(file).mode & 0o077) !== 0);
      expect([files.length > 5, open]).toEqual([true, []]);
    });
  },
);

describe('the certificate of the fleet broker', () => {
  it('is kept as long as its names are the same; the authority, which every credentials file holds, always', async () => {
    const dir = tempDir('sy-ca');
    try {
      const first = await serverCertificate(dir.path, ['hub', '10.0.0.5', '::1']);
      const again = await serverCertificate(dir.path, ['hub', '10.0.0.5', '::1']);
      const fewer = await serverCertificate(dir.path, ['hub', '::1']);
      const other = await serverCertificate(dir.path, ['hub', '::1', 'hub.example']);
      expect([first, again, fewer, other].map(({ isNew }) => isNew)).toEqual([true, false, true, true]);
      expect(new Set([first, again, fewer, other].map(({ ca }) => ca)).size).toBe(1);
    } finally {
      dir.remove();
    }
  });
});

/** All that the broker says to somebody who does not encrypt, until it hangs up. */
function answerInPlain(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = '';
    const socket = dial(port, '127.0.0.1', () => socket.write('CONNECT {"verbose":true}\r\nPING\r\n'));
    socket.on('data', (data) => {
      said += data.toString('latin1');
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(said));
  });
}
