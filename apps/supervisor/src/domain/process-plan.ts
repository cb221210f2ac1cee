import type { ServiceEnv, Settings } from '@switchyard/config';

/** Who carries the bus: a process of ours, a nats-server that we start, or one that somebody else runs. */
export type BrokerKind = 'embedded' | 'nats-server' | 'external';

/** The part of the yard's description that differs from process to process. */
export type ProcessSpec = Pick<ServiceEnv, 'name' | 'service' | 'address' | 'host' | 'shard' | 'shards'>;

const ANY = '_';
const LOCAL = 'local';

/**
 * Groups that start one after the other, each when the former is ready. The gateway starts with the services it needs and
 * opens its socket, by itself, after they answer: so a client that can connect can work, and the start is not longer.
 */
const START: readonly (readonly ServiceEnv['service'][])[] = [
  ['broker', 'keeper'],
  ['pty-host', 'workspace-service', 'gateway', 'git-service', 'detector', 'notifier', 'fleet-broker'],
];

/** The reverse, the gateway first, except that the keeper outlives everything that may still want to read or write a terminal. */
const STOP: readonly (readonly ServiceEnv['service'][])[] = [
  ['gateway'],
  ['pty-host', 'workspace-service', 'git-service', 'detector', 'notifier'],
  ['fleet-broker'],
  ['broker'],
  ['keeper'],
];

/** In which they are replaced by others: first the one that is hardest to replace, last the one that clients see. */
const REPLACE: readonly ServiceEnv['service'][] = [
  'keeper',
  'broker',
  'detector',
  'notifier',
  'git-service',
  'workspace-service',
  'pty-host',
  'gateway',
];

/** Which processes a yard has. The first of a kind is named after it; further ones are `detector-2`, `detector-3` … */
export function planProcesses(services: Settings['services'], broker: BrokerKind, hasFleet = false): ProcessSpec[] {
  const shards = services.pty_hosts;
  const single = on(LOCAL);
  return [
    ...(broker === 'external' ? [] : [single('broker', 'bus')]),
    ...(hasFleet ? [single('fleet-broker', 'bus-fleet')] : []),
    single('keeper'),
    ...followers(LOCAL, shards),
    single('workspace-service'),
    single('git-service'),
    ...times(services.detectors, (i) => single('detector', nth('detector', i))),
    single('notifier'),
    single('gateway'),
  ];
}

/** Whether its successor can load what it needs while it still runs. The keeper is the only parent of its terminals. */
export function canStandBy({ service }: Pick<ProcessSpec, 'service'>, broker: BrokerKind): boolean {
  return service === 'broker' ? broker === 'embedded' : service !== 'keeper' && service !== 'fleet-broker';
}

/** Whether it speaks with the others as the protocol of the bus says; the keeper has a protocol of its own, a broker NATS. */
export function speaksOnBus({ service }: Pick<ProcessSpec, 'service'>): boolean {
  return service !== 'keeper' && service !== 'broker' && service !== 'fleet-broker';
}

/** Which processes a machine of the fleet has. The others of the yard are where the yard is. */
export function planHostProcesses(
  { name: host, pty_hosts: shards, detectors }: { name: string; pty_hosts: number; detectors: boolean },
  services: Pick<Settings['services'], 'detectors'>,
): ProcessSpec[] {
  const detectorAt = (i: number) => on(host)('detector', nth('detector', i));
  return [on(host)('keeper'), ...followers(host, shards), ...(detectors ? times(services.detectors, detectorAt) : [])];
}

export function startOrder<T extends Pick<ProcessSpec, 'service'>>(specs: readonly T[]): T[][] {
  return START.map((group) => specs.filter((spec) => group.includes(spec.service)));
}

export function stopOrder<T extends Pick<ProcessSpec, 'service'>>(specs: readonly T[]): T[][] {
  return STOP.map((group) => specs.filter((spec) => group.includes(spec.service)));
}

export function replaceOrder<T extends { readonly spec: Pick<ProcessSpec, 'service'> }>(processes: readonly T[]): T[] {
  return REPLACE.flatMap((service) => processes.filter(({ spec }) => spec.service === service));
}

/** One of its kind on a machine. */
const on =
  (host: string) =>
  (service: ServiceEnv['service'], name: string = service): ProcessSpec => ({
    ...{ name, service, host },
    address: ANY,
    shard: 0,
    shards: 1,
  });

/** The pty-hosts of a machine, each with its part of the terminals. */
function followers(host: string, shards: number): ProcessSpec[] {
  return times(shards, (shard) => ({
    ...on(host)('pty-host', nth('pty-host', shard)),
    address: `${host}-${shard}`,
    shard,
    shards,
  }));
}

function nth(kind: string, index: number): string {
  return index === 0 ? kind : `${kind}-${index + 1}`;
}

function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}
