import { afterEach, expect, it } from 'vitest';
import { fleetAbsent } from '../src/fleet/open-fleet.js';
import { fleetHandlers } from '../src/handlers/fleet.js';
import { FakeYard } from './fake-yard.js';

let yard: FakeYard | undefined;
afterEach(() => yard?.remove());

it('a yard that is to have a fleet does not start on a broker that cannot carry one, and says what to do', async () => {
  yard = new FakeYard();
  yard.settings('[fleet]\nlisten = "127.0.0.1:7422"\n');
  await expect(yard.supervisor().start()).rejects.toThrow(/^fleet_not_configured: .*install nats-server/);
});

it('a yard without a fleet admits nobody, and says which setting is missing', async () => {
  const handlers = fleetHandlers(undefined, fleetAbsent({ kind: 'nats-server' }));
  const refusal = { code: 'fleet_not_configured', message: expect.stringContaining('fleet.listen') };
  await expect(
    handlers['fleet.admit']({ name: 'm1', pty_hosts: 1, detectors: false }, undefined),
  ).rejects.toMatchObject(refusal);
  await expect(handlers['fleet.expel']({ name: 'm1' }, undefined)).rejects.toMatchObject(refusal);
});
