import { setTimeout as delay } from 'node:timers/promises';
import { decode } from './codec.js';
import type { Link } from './link.js';
import { servicesOf, surveySubject } from './subjects.js';
import type { ServiceReport, SurveyOptions } from './types.js';

/** What `$SRV.STATS` is answered with; see discovery.ts. */
interface Stats {
  readonly name: string;
  readonly metadata: { readonly address: string; readonly pid: string };
  readonly endpoints: readonly {
    readonly subject: string;
    readonly num_requests: number;
    readonly num_errors: number;
    readonly processing_time: number;
    readonly data: { readonly in_flight: number; readonly gauges: Readonly<Record<string, number>> };
  }[];
}

const NS_PER_MS = 1e6;

/**
 * Asks every service of this yard how it is, all at once.
 *
 * @param to where their answers go: a subject that nobody else has
 * @returns those that answered in time; none while the broker is away
 */
export async function survey(link: Link, to: string, options: SurveyOptions): Promise<ServiceReport[]> {
  const reports: ServiceReport[] = [];
  const enough = new AbortController();
  const started = performance.now();
  const end = link.subscribe(to, (message) => {
    const report = reportOf(decode(message.data) as Stats, servicesOf(link.site), performance.now() - started);
    if (report === undefined) return;
    reports.push(report);
    if (options.enough(reports)) enough.abort();
  });
  try {
    const sent = link.publish(surveySubject(), EMPTY, { reply: to });
    if (sent) await delay(options.timeoutMs, undefined, { signal: enough.signal }).catch(() => undefined);
  } finally {
    end();
  }
  return reports;
}

const EMPTY = new Uint8Array(0);

/** @returns undefined for a service of another yard on the same broker */
function reportOf({ name, metadata, endpoints }: Stats, ours: string, answersMs: number): ServiceReport | undefined {
  const endpoint = endpoints.find(({ subject }) => subject.startsWith(ours));
  if (endpoint === undefined) return undefined;
  return {
    service: name,
    address: metadata.address,
    pid: Number(metadata.pid),
    answersMs,
    requests: endpoint.num_requests,
    errors: endpoint.num_errors,
    busyMs: endpoint.processing_time / NS_PER_MS,
    inFlight: endpoint.data.in_flight,
    gauges: endpoint.data.gauges,
  };
}
