import type { Result } from '@switchyard/protocol';

export type Health = Result<'system.health'>;
type Reason = Health['reasons'][number];
/** What the verdict is made of. */
export type HealthFacts = Omit<Health, 'verdict' | 'reasons' | 'at'>;

const MiB = 1024 * 1024;
/** Without one of these nobody can work; the others are missed by some. */
const ESSENTIAL = /^(bus|keeper|gateway|workspace-service|pty-host(-\d+)?)$/;
/** Logs, databases and byte logs grow by such steps between two looks of a person. */
const DISK = { low: { bytes: 1024 * MiB, share: 0.05 }, out: { bytes: 64 * MiB, share: 0.005 } };
/** One page of a database, one piece of output: with less nothing of any size can be stored. */
const DISK_NOTHING_BYTES = 64 * 1024;
/** Each terminal needs some files, each snapshot one. */
const FILES = { low: { files: 10_000, share: 0.05 }, out: { files: 500, share: 0.005 } };
/** Below this the system begins to end processes. */
const MEMORY_FREE_SHARE = 0.03;
/** A service of a large yard has a tenth of it. */
const SERVICE_MEMORY_BYTES = 1536 * MiB;
/** Of a limit; what is above this is a leak or soon in the way. */
const NEAR = 0.8;
const AT = 0.95;
/** A tenth of what the bus lets one service have in its hands. */
const MANY_REQUESTS = 400;
/** What happens while workspace-service restarts stays far below. */
const MANY_EVENTS = 100;
/** A process that ended once and is back has been told of by an event; a second time is worth a look. */
const CRASHES_WORTH_A_LOOK = 2;

/** Every alarm that the facts raise, the gravest first, and the one verdict they come to. */
export function judge(facts: HealthFacts): Pick<Health, 'verdict' | 'reasons'> {
  const reasons = [
    ...facts.services.flatMap(processReasons),
    ...facts.services.flatMap((service) => versionReasons(service, facts.version)),
    ...(facts.bus.connected ? facts.services.flatMap(serviceReasons) : [busDown(facts.bus.broker)]),
    ...facts.disk.flatMap(folderReasons),
    ...machineReasons(facts),
    ...facts.services.flatMap(useReasons),
    ...facts.services.flatMap(gaugeReasons),
  ].sort((a, b) => rank(b.verdict) - rank(a.verdict));
  return { verdict: reasons[0]?.verdict ?? 'ok', reasons };
}

const rank = (verdict: Health['verdict']) => ['ok', 'degraded', 'failing'].indexOf(verdict);
const reason = (
  alarm: Reason['alarm'],
  verdict: Reason['verdict'],
  subject: string | null,
  message: string,
): Reason => ({ alarm, verdict, subject, message });
/** They carry it, or live without it. */
const NOT_ON_THE_BUS: ReadonlySet<string> = new Set(['bus', 'bus-fleet', 'keeper']);
const gravity = (name: string) => (ESSENTIAL.test(name) ? 'failing' : 'degraded');

function processReasons({ name, state, crashes, pid, suspended }: Health['services'][number]): Reason[] {
  if (state === 'failed') {
    const message = `${name} ends again and again (${crashes} times); see: sy logs ${name}`;
    return [reason('process_failed', gravity(name), name, message)];
  }
  if (state !== 'ready') return [reason('process_down', gravity(name), name, `${name} is ${state}.`)];
  if (suspended) {
    const message = `${name} is suspended by a signal; it goes on with: kill -CONT ${pid}`;
    return [reason('process_suspended', gravity(name), name, message)];
  }
  if (crashes < CRASHES_WORTH_A_LOOK) return [];
  return [reason('process_crashed', 'degraded', name, `${name} has ended by itself ${crashes} times lately.`)];
}

/** It works, and what it does not know of the newer version is missed by nobody but who looks for it. */
function versionReasons({ name, version }: Health['services'][number], yard: string): Reason[] {
  if (version === null || version === yard) return [];
  const how = name === 'keeper' ? 'sy upgrade' : `sy upgrade, or: sy restart ${name}`;
  const message = `${name} runs version ${version}, the supervisor ${yard}; replaced by: ${how}`;
  return [reason('version_mixed', 'degraded', name, message)];
}

function busDown(broker: string): Reason {
  return reason('bus_down', 'failing', 'bus', `The supervisor has no connection to the bus (${broker}).`);
}

/** `requests` is null for what is not on the bus, or did not answer. */
function serviceReasons({ name, state, requests, in_flight, suspended }: Health['services'][number]): Reason[] {
  // Of one that is suspended that is said.
  if (NOT_ON_THE_BUS.has(name) || state !== 'ready' || suspended) return [];
  if (requests === null) {
    return [reason('service_silent', gravity(name), name, `${name} runs but does not answer on the bus.`)];
  }
  if ((in_flight ?? 0) < MANY_REQUESTS) return [];
  return [reason('requests_high', 'degraded', name, `${name} has ${in_flight} requests in its hands.`)];
}

function folderReasons(space: Health['disk'][number]): Reason[] {
  const { folder, path, free_bytes, total_bytes, free_files, total_files } = space;
  const found: Reason[] = [];
  const below = (low: { bytes: number; share: number }) => free_bytes < Math.min(low.bytes, total_bytes * low.share);
  const left = `${Math.floor(free_bytes / MiB)} MiB of ${Math.floor(total_bytes / MiB)} MiB are free at ${path}.`;
  if (!space.writable) {
    found.push(reason('disk_read_only', 'failing', folder, `${path} cannot be written to: changes are refused.`));
  }
  if (free_bytes < DISK_NOTHING_BYTES) {
    const none = `${free_bytes} bytes are free at ${path}: changes are refused, programs wait.`;
    found.push(reason('disk_full', 'failing', folder, none));
  } else if (below(DISK.out)) found.push(reason('disk_low', 'failing', folder, left));
  else if (below(DISK.low)) found.push(reason('disk_low', 'degraded', folder, left));
  if (free_files === null || total_files === null) return found;
  const fewer = (low: { files: number; share: number }) => free_files < Math.min(low.files, total_files * low.share);
  const files = `${free_files} more files can be made at ${path}.`;
  if (fewer(FILES.out)) found.push(reason('files_low', 'failing', folder, files));
  else if (fewer(FILES.low)) found.push(reason('files_low', 'degraded', folder, files));
  return found;
}

function machineReasons({ memory, terminals, events_waiting }: HealthFacts): Reason[] {
  const found: Reason[] = [];
  if (memory !== null && memory.free_bytes < memory.total_bytes * MEMORY_FREE_SHARE) {
    const message = `${Math.floor(memory.free_bytes / MiB)} MiB of memory are left to this machine.`;
    found.push(reason('memory_low', 'degraded', null, message));
  }
  if (terminals !== null) {
    const message = `${terminals.open} of the ${terminals.limit} pseudo-terminals of this machine are open.`;
    found.push(...share('terminals_high', null, terminals.open, terminals.limit, message));
  }
  if (events_waiting >= MANY_EVENTS) {
    found.push(reason('events_waiting', 'degraded', null, `${events_waiting} events wait for the journal.`));
  }
  return found;
}

function useReasons({ name, rss_bytes, descriptors, descriptor_limit }: Health['services'][number]): Reason[] {
  const found: Reason[] = [];
  if (rss_bytes !== null && rss_bytes > SERVICE_MEMORY_BYTES) {
    found.push(reason('memory_high', 'degraded', name, `${name} has ${Math.floor(rss_bytes / MiB)} MiB of memory.`));
  }
  if (descriptors === null || descriptor_limit === null) return found;
  const message = `${name} has ${descriptors} of ${descriptor_limit} descriptors open.`;
  return [...found, ...share('descriptors_high', name, descriptors, descriptor_limit, message)];
}

function gaugeReasons({ name, gauges }: Health['services'][number]): Reason[] {
  const { connections, connection_limit, keeper_connected } = gauges as Record<string, number | undefined>;
  const refused = [...storageReasons(name, gauges)];
  if (refused.length > 0) return refused;
  if (keeper_connected === 0) {
    return [reason('keeper_away', 'failing', name, `${name} has no connection to the keeper.`)];
  }
  if (connections === undefined || connection_limit === undefined) return [];
  const message = `${connections} of at most ${connection_limit} clients are connected.`;
  return share('connections_high', name, connections, connection_limit, message);
}

function storageReasons(name: string, gauges: Health['services'][number]['gauges']): Reason[] {
  const { storage_full = 0, storage_read_only = 0, terminals_waiting = 0 } = gauges;
  if (terminals_waiting > 0) {
    const message = `The programs in ${terminals_waiting} terminals wait: the disk takes no output.`;
    return [reason('terminals_waiting', 'failing', name, message)];
  }
  if (storage_full + storage_read_only === 0) return [];
  const why = storage_full > 0 ? 'full' : 'read-only';
  return [reason('storage_refused', gravity(name), name, `${name} refuses changes: the disk is ${why}.`)];
}

function share(alarm: Reason['alarm'], subject: string | null, used: number, limit: number, message: string): Reason[] {
  if (used < limit * NEAR) return [];
  return [reason(alarm, used >= limit * AT ? 'failing' : 'degraded', subject, message)];
}
