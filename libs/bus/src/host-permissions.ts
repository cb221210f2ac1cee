import { contract, HOST_EVENTS, type MethodName } from '@switchyard/protocol';
import {
  addressAt,
  cancelSubject,
  cancelsSubject,
  checkToken,
  eventSubject,
  LOCAL_HOST,
  QUEUE,
  requestSubject,
  type Site,
  servedSubject,
} from './subjects.js';
import { DEFAULT_ADDRESS } from './types.js';

/** A machine of the fleet, as far as it concerns what it may say and hear. */
export interface FleetHost {
  readonly name: string;
  readonly ptyHosts: number;
  /** It may run detectors: these see every screen and answer every machine. */
  readonly detectors: boolean;
}

/** Subjects as nats-server takes them: wildcards, and after a blank the only queue group to be in. */
export interface BusPermissions {
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
}

/** What the yard tells the machines of its fleet. */
const HEARD = ['service.ready', 'service.stopped'] as const;

/**
 * What a machine may say and hear on the bus: its own subjects, answers to the yard, and the methods that are marked
 * `fromHosts`. Everything else is forbidden, also all that is not Switchyard's.
 *
 * @param space of the yard
 * @param fleet all machines, this one among them or not
 */
export function hostPermissions(space: string, host: FleetHost, fleet: readonly FleetHost[]): BusPermissions {
  checkToken('host', host.name);
  const here: Site = { space, host: host.name };
  const own = ['r', 'b', 'p', 'a'].map((kind) => `sy.${kind}.${space}.${host.name}.>`);
  const toYard = ['r', 'b', 'p', 'a', 's'].map((kind) => `sy.${kind}.${space}.${LOCAL_HOST}.>`);
  const addresses = Array.from({ length: host.ptyHosts }, (_, shard) => addressAt(host.name, shard));
  return {
    publish: [
      ...requests(here, host.detectors),
      ...own,
      ...toYard,
      ...(host.detectors ? [`sy.r.${space}.*.>`, `sy.b.${space}.*.>`, `sy.p.${space}.*.>`, `sy.a.${space}.*.>`] : []),
      // Large questions to a detector elsewhere, and large answers of it, go in pieces that it asks for and hears of.
      ...fleet
        .filter((other) => other.detectors)
        .flatMap(({ name }) => [`sy.p.${space}.${name}.>`, `sy.a.${space}.${name}.>`]),
      ...HOST_EVENTS.map((event) => eventSubject(here, event)),
    ],
    subscribe: [
      ...addresses.flatMap((address) => served(here, 'pty-host', address)),
      ...(host.detectors ? served(here, 'detector', DEFAULT_ADDRESS) : []),
      ...own,
      eventSubject(here, '>'),
      ...HEARD.map((event) => eventSubject({ space, host: LOCAL_HOST }, event)),
      '$SRV.>',
    ],
  };
}

function requests(here: Site, detectors: boolean): string[] {
  const open = (Object.keys(contract) as MethodName[]).filter((name) => {
    const { fromHosts } = contract[name];
    return fromHosts === true || (fromHosts === 'detectors' && detectors);
  });
  const owners = new Set(open.map((name) => contract[name].owner));
  return [
    ...open.map((name) => requestSubject(here, contract[name].owner, DEFAULT_ADDRESS, name)),
    ...[...owners].map((owner) => cancelSubject(here, owner, DEFAULT_ADDRESS)),
  ];
}

/** Requests only as a member of the queue group: never a copy of what others answer. */
function served(here: Site, service: string, address: string): string[] {
  return [`${servedSubject(here, service, address)} ${QUEUE}`, cancelsSubject(here, service, address)];
}
