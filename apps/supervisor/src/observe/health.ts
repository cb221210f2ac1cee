import { accessSync, constants, statfsSync } from 'node:fs';
import { freemem, totalmem } from 'node:os';
import type { ServiceReport } from '@switchyard/bus';
import type { YardPaths } from '@switchyard/config';
import { SERVICES } from '@switchyard/protocol';
import { descriptorLimit, isSuspended, openDescriptors, pseudoTerminals } from '@switchyard/service/processes';
import { ownVersion } from '@switchyard/service/version';
import { residentBytes } from '../adapters/process-info.js';
import { type Health, type HealthFacts, judge } from '../domain/health.js';
import type { ManagedProcess } from '../managed-process.js';
import type { ProcessSet } from '../process-set.js';
import type { YardBus } from '../serve-on-bus.js';

/** A service that takes this long to say how it is does not do its work either. */
const ANSWER_MS = 1500;

export interface HealthParts {
  readonly paths: YardPaths;
  readonly processes: ProcessSet;
  readonly onBus: () => YardBus | undefined;
  /** Which broker carries the bus. */
  readonly broker: string;
}

/** How the yard is, looked at now. */
export async function readHealth(parts: HealthParts): Promise<Health> {
  const { processes, paths, broker } = parts;
  const link = parts.onBus();
  const reports = await ask(parts);
  const answers = new Map(reports.map((report) => [report.pid, report]));
  const facts: HealthFacts = {
    bus: { broker, connected: link?.bus?.connected ?? false },
    version: ownVersion(),
    services: processes.all.map((process) => serviceHealth(process, answers)),
    disk: [spaceOf('state', paths.stateDir), spaceOf('runtime', paths.runtimeDir)],
    // Elsewhere the number leaves out what the system would give up at once, and would always alarm.
    memory: process.platform === 'linux' ? { free_bytes: freemem(), total_bytes: totalmem() } : null,
    terminals: pseudoTerminals(),
    events_waiting: link?.eventsWaiting ?? 0,
  };
  return { ...judge(facts), at: Date.now(), ...facts };
}

async function ask({ processes, onBus }: HealthParts): Promise<ServiceReport[]> {
  const running = processes.all.filter(({ spec, state }) => isOnBus(spec.service) && state === 'ready');
  // Workers on other machines answer as well, and sooner than a busy one of ours may; their pids mean nothing here.
  const ours = (report: ServiceReport) =>
    running.some(({ spec, pid }) => pid === report.pid && spec.service === report.service);
  const enough = (reports: readonly ServiceReport[]) => reports.filter(ours).length >= running.length;
  return ((await onBus()?.bus?.survey({ enough, timeoutMs: ANSWER_MS })) ?? []).filter(ours);
}

const isOnBus = (service: string) => (SERVICES as readonly string[]).includes(service);

function serviceHealth(
  { spec, state, pid, version, restarts, crashes }: ManagedProcess,
  answers: ReadonlyMap<number, ServiceReport>,
): Health['services'][number] {
  const report = pid === undefined ? undefined : answers.get(pid);
  return {
    name: spec.name,
    state,
    pid: pid ?? null,
    version: pid === undefined ? null : (version ?? null),
    suspended: pid === undefined ? null : isSuspended(pid),
    restarts,
    crashes,
    rss_bytes: pid === undefined ? null : residentBytes(pid),
    descriptors: pid === undefined ? null : openDescriptors(pid),
    descriptor_limit: pid === undefined ? null : descriptorLimit(pid),
    answers_ms: report === undefined ? null : Math.round(report.answersMs * 10) / 10,
    requests: report?.requests ?? null,
    errors: report?.errors ?? null,
    in_flight: report?.inFlight ?? null,
    gauges: { ...report?.gauges },
  };
}

function spaceOf(folder: 'state' | 'runtime', path: string): Health['disk'][number] {
  const { bsize, bavail, blocks, ffree, files } = statfsSync(path);
  const hasFiles = files > 0;
  return {
    folder,
    path,
    free_bytes: bavail * bsize,
    total_bytes: blocks * bsize,
    free_files: hasFiles ? ffree : null,
    total_files: hasFiles ? files : null,
    writable: isWritable(path),
  };
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
