import { writeFileSync } from 'node:fs';
import { connectBus, tryLogin } from '@switchyard/bus';
import { readBusFile } from '@switchyard/service/bus-file';
import { busAddressOf } from '@switchyard/service/host-credentials';
import { freePort, hasNatsServer, startYard, waitFor, type Yard } from '@switchyard/testing';
import { afterAll, expect, it } from 'vitest';

const quiet = { debug() {}, info() {}, warn() {}, error() {} };
let yard: Yard | undefined;

afterAll(() => yard?.stop());

it.skipIf(!hasNatsServer())(
  'a running yard gets a fleet and admits a machine, and its terminals run on (needs nats-server)',
  async () => {
    yard = await startYard({ bus: 'nats-server' });
    const { paths } = yard;
    const pids = async () => (await yard?.processes())?.map(({ name, pid }) => [name, pid]) ?? [];
    const before = await pids();
    writeFileSync(
      paths.configFile,
      `[bus]\nbroker = "nats-server"\n[fleet]\nlisten = "127.0.0.1:${await freePort()}"\n`,
    );
    process.kill((await yard.status()).supervisor.pid, 'SIGKILL');
    expect((await yard.cli('up', '--detach')).code).toBe(0);
    const ready = async () => (await yard?.processes())?.find(({ name }) => name === 'bus-fleet')?.state === 'ready';
    await waitFor('the fleet broker is ready', ready);
    expect((await pids()).filter(([name]) => name !== 'bus-fleet')).toEqual(before);

    const bus = await connectBus({ ...(await readBusFile(paths.busFile)), service: 'workspace-service', log: quiet });
    try {
      const machine = { name: 'm1', pty_hosts: 1, detectors: false };
      const { credentials } = await bus.call('fleet.admit', machine);
      expect(await tryLogin(busAddressOf({ ...credentials, urls: credentials.urls.map(onLoopback) }))).toBe(true);
      expect(await bus.call('fleet.expel', { name: 'm1' })).toEqual({ expelled: true });
      expect(await tryLogin(busAddressOf({ ...credentials, urls: credentials.urls.map(onLoopback) }))).toBe(false);
    } finally {
      await bus.close();
    }
  },
);

/** This machine's own name need not lead to it here. */
const onLoopback = (url: string) => `tls://127.0.0.1:${new URL(url).port}`;
