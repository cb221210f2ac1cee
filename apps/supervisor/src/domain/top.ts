import type { Result } from '@switchyard/protocol';

/** What a process has used so far, as the system counts it. */
export interface ProcessCpu {
  readonly pid: number;
  readonly parent: number;
  readonly start: string;
  readonly cpuMs: number;
  readonly childrenCpuMs: number;
}

export interface ServiceReading {
  readonly name: string;
  readonly pid: number;
  readonly use: ProcessCpu;
  readonly rssBytes: number;
  readonly descriptors: number | null;
  readonly descriptorLimit: number | null;
  readonly moved: { readonly read: number; readonly written: number } | null;
}

export interface SurfaceReading {
  readonly surfaceId: string;
  readonly host: string;
  readonly pid: number;
  readonly processes: readonly (ProcessCpu & { readonly rssBytes: number })[];
  readonly outputBytes: number;
  readonly inputBytes: number;
  readonly inputWaiting: number;
}

/** All counters at one moment. */
export interface Reading {
  /** Milliseconds that only rise. */
  readonly at: number;
  readonly services: readonly ServiceReading[];
  readonly surfaces: readonly SurfaceReading[];
  /** Addresses of pty-hosts that did not answer. */
  readonly unreachable: readonly string[];
}

/** What people call a surface, and where it is. */
export type SurfaceNames = Pick<
  Result<'system.top'>['surfaces'][number],
  'surface_ref' | 'workspace_id' | 'workspace_ref' | 'title'
>;

/** CPU milliseconds that some processes have used between two readings. */
export type UsedBetween = (before: readonly ProcessCpu[], after: readonly ProcessCpu[]) => number;

export interface TopFacts {
  readonly usedBetween: UsedBetween;
  readonly names: ReadonlyMap<string, SurfaceNames>;
}

type Top = Pick<Result<'system.top'>, 'interval_ms' | 'services' | 'surfaces' | 'unreachable'>;

/** These have waited for the programs of terminals and for other services, whose time is not theirs. */
const WAITS_FOR_OTHERS: ReadonlySet<string> = new Set(['keeper', 'supervisor']);
const NAMELESS: SurfaceNames = { surface_ref: null, workspace_id: null, workspace_ref: null, title: null };

/** What was used between two readings. What was not there at the first one has used all of its time since. */
export function topBetween(before: Reading, after: Reading, { usedBetween, names }: TopFacts): Top {
  const interval_ms = Math.max(1, after.at - before.at);
  const percent = (ms: number) => Math.round((ms / interval_ms) * 1000) / 10;
  const rate = (bytes: number) => Math.round((Math.max(0, bytes) / interval_ms) * 1000);
  const servicesThen = new Map(before.services.map((service) => [service.name, service]));
  const surfacesThen = new Map(before.surfaces.map((surface) => [surface.surfaceId, surface]));
  return {
    interval_ms,
    services: after.services.map((service) => {
      const then = sameRun(servicesThen.get(service.name), service);
      const own = (use: ProcessCpu) => (WAITS_FOR_OTHERS.has(service.name) ? withoutChildren(use) : use);
      const { moved } = service;
      const movedThen = then?.moved ?? { read: 0, written: 0 };
      return {
        name: service.name,
        pid: service.pid,
        cpu_percent: percent(usedBetween(then === undefined ? [] : [own(then.use)], [own(service.use)])),
        rss_bytes: service.rssBytes,
        descriptors: service.descriptors,
        descriptor_limit: service.descriptorLimit,
        read_rate: moved && rate(moved.read - movedThen.read),
        write_rate: moved && rate(moved.written - movedThen.written),
      };
    }),
    surfaces: after.surfaces.map((surface) => {
      const then = surfacesThen.get(surface.surfaceId);
      const inputThen = then?.pid === surface.pid ? then.inputBytes : 0;
      return {
        surface_id: surface.surfaceId,
        ...(names.get(surface.surfaceId) ?? NAMELESS),
        host: surface.host,
        pid: surface.pid,
        processes: surface.processes.length,
        cpu_percent: percent(usedBetween(then?.processes ?? [], surface.processes)),
        rss_bytes: surface.processes.reduce((sum, { rssBytes }) => sum + rssBytes, 0),
        output_rate: rate(surface.outputBytes - (then?.outputBytes ?? 0)),
        input_rate: rate(surface.inputBytes - inputThen),
        output_bytes: surface.outputBytes,
        input_bytes: surface.inputBytes,
        input_waiting: surface.inputWaiting,
      };
    }),
    unreachable: [...after.unreachable],
  };
}

function sameRun(then: ServiceReading | undefined, now: ServiceReading): ServiceReading | undefined {
  return then?.use.pid === now.use.pid && then.use.start === now.use.start ? then : undefined;
}

const withoutChildren = (use: ProcessCpu): ProcessCpu => ({ ...use, childrenCpuMs: 0 });
