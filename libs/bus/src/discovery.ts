import { encode } from './codec.js';
import type { Link } from './link.js';
import { discoverySubjects, discoveryVerb, QUEUE } from './subjects.js';
import type { Gauges } from './types.js';
import { VERSION } from './version.js';

/** What a service tells about itself. */
export interface Tally {
  requests: number;
  errors: number;
  lastError: string;
  /** Of all handlers, in milliseconds, awaiting included. */
  busyMs: number;
}

export interface Described {
  readonly name: string;
  readonly id: string;
  readonly address: string;
  readonly subject: string;
  readonly methods: number;
  /** Unix milliseconds. */
  readonly startedAt: number;
  readonly tally: Tally;
  /** Requests in its hands. */
  readonly inFlight: () => number;
  readonly gauges: Gauges;
}

const NS_PER_MS = 1e6;

/**
 * Answers the discovery requests of NATS' own tools (`nats micro ls`, `info`, `stats`; ADR-32 of NATS), so that they
 * see our services.
 *
 * @returns ends it
 */
export function answerDiscovery(link: Link, service: Described): () => void {
  const subscriptions = discoverySubjects(service.name, service.id).map((subject) =>
    link.subscribe(subject, (message) => {
      const answer = answerTo(discoveryVerb(message.subject), service);
      if (answer !== undefined && message.reply) link.publish(message.reply, encode(answer));
    }),
  );
  return () => {
    for (const unsubscribe of subscriptions) unsubscribe();
  };
}

function answerTo(verb: string, service: Described): object | undefined {
  const { name, id, address, tally } = service;
  const common = { name, id, version: VERSION, metadata: { address, pid: String(process.pid) } };
  const endpoint = { name: 'methods', subject: service.subject, queue_group: QUEUE };
  if (verb === 'PING') return { type: 'io.nats.micro.v1.ping_response', ...common };
  if (verb === 'INFO') {
    const metadata = { methods: String(service.methods) };
    const description = `Switchyard ${name}`;
    return { type: 'io.nats.micro.v1.info_response', ...common, description, endpoints: [{ ...endpoint, metadata }] };
  }
  if (verb !== 'STATS') return undefined;
  const processing = Math.round(tally.busyMs * NS_PER_MS);
  const stats = {
    ...endpoint,
    num_requests: tally.requests,
    num_errors: tally.errors,
    last_error: tally.lastError,
    processing_time: processing,
    average_processing_time: tally.requests === 0 ? 0 : Math.round(processing / tally.requests),
    data: { in_flight: service.inFlight(), gauges: service.gauges() },
  };
  const started = new Date(service.startedAt).toISOString();
  return { type: 'io.nats.micro.v1.stats_response', ...common, started, endpoints: [stats] };
}
