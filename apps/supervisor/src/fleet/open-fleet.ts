import type { Settings } from '@switchyard/config';
import type { BrokerChoice } from '../domain/choose-broker.js';
import { Fleet, type FleetDeps } from './fleet.js';

/** Why no other machine can join, and what to do about it. */
export function fleetAbsent({ kind }: BrokerChoice): string {
  if (kind === 'nats-server') {
    return 'No other machine can join this yard: set fleet.listen in its settings, for example to "0.0.0.0:7422", and start it again.';
  }
  return `Other machines can join only a yard whose bus a nats-server of its own carries; ${NOW[kind]}`;
}

const NOW = {
  embedded: 'this one has the embedded broker: install nats-server (2.9 or later) and start the yard again.',
  external: 'the broker of this one is run by somebody else: set bus.broker to "nats-server" and start the yard again.',
};

/**
 * @param isRunning the yard runs already, with the broker that it has: then it goes on without a fleet rather than unwatched
 * @returns undefined when other machines cannot join
 * @throws Error for a yard that is to have a fleet and cannot
 */
export async function openFleet(
  settings: Settings['fleet'],
  broker: BrokerChoice,
  isRunning: boolean,
  deps: Omit<FleetDeps, 'settings'>,
): Promise<Fleet | undefined> {
  if (settings.listen === '') return undefined;
  if (broker.kind === 'nats-server') return Fleet.open({ ...deps, settings });
  const why = `fleet_not_configured: fleet.listen is set. ${fleetAbsent(broker)}`;
  if (!isRunning) throw new Error(why);
  deps.log.error({ broker: broker.kind }, why);
  return undefined;
}
