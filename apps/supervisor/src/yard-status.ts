import type { YardPaths } from '@switchyard/config';
import type { Result } from '@switchyard/protocol';
import { ownVersion } from '@switchyard/service/version';
import { residentBytes } from './adapters/process-info.js';
import type { ManagedProcess } from './managed-process.js';

export type YardStatus = Result<'yard.status'>;
export type ProcessStatus = YardStatus['processes'][number];

export interface StatusFacts {
  readonly paths: YardPaths;
  /** Which broker carries the bus. */
  readonly bus: string;
  /** Unix milliseconds. */
  readonly startedAt: number;
  readonly processes: readonly ManagedProcess[];
  readonly upgrade: YardStatus['upgrade'];
}

export function yardStatus({ paths, bus, startedAt, processes, upgrade }: StatusFacts): YardStatus {
  return {
    processes: processes.map(processStatus),
    supervisor: {
      pid: process.pid,
      uptime_ms: Date.now() - startedAt,
      rss_bytes: residentBytes(process.pid),
      version: ownVersion(),
    },
    yard: {
      name: paths.yard,
      socket_path: paths.gatewaySocket,
      runtime_dir: paths.runtimeDir,
      state_dir: paths.stateDir,
      bus,
    },
    upgrade,
  };
}

export function processStatus(process: ManagedProcess): ProcessStatus {
  const { spec, pid, state, uptimeMs, restarts, version } = process;
  return {
    name: spec.name,
    pid: pid ?? null,
    state,
    uptime_ms: uptimeMs,
    restarts,
    rss_bytes: pid === undefined ? null : residentBytes(pid),
    version: pid === undefined ? null : (version ?? null),
  };
}
