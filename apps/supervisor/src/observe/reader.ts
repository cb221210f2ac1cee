import { spawnSync } from 'node:child_process';
import type { Bus } from '@switchyard/bus';
import type { Result } from '@switchyard/protocol';
import { bytesMoved, descriptorLimit, openDescriptors, readProcesses } from '@switchyard/service/processes';
import type { Reading, ServiceReading, SurfaceNames, SurfaceReading } from '../domain/top.js';
import type { ProcessSet } from '../process-set.js';

/** A pty-host reads a process table: tens of milliseconds. One that hangs must not hang those who ask how it is. */
const ASK_MS = 3000;

export interface ReaderParts {
  readonly processes: ProcessSet;
  /** undefined while there is none. */
  readonly bus: () => Bus | undefined;
}

/** Reads the counters of everything at one moment. */
export async function takeReading({ processes, bus }: ReaderParts): Promise<Reading> {
  const hosts = processes.all.filter(({ spec }) => spec.service === 'pty-host').map(({ spec }) => spec);
  const asked = await Promise.all(
    hosts.map(async ({ address, host }) => ({ address, host, terminals: await usageAt(bus(), address) })),
  );
  return {
    at: performance.now(),
    services: serviceReadings(processes),
    surfaces: asked.flatMap(({ host, terminals }) => (terminals ?? []).map((usage) => surfaceReading(host, usage))),
    unreachable: asked.filter(({ terminals }) => terminals === undefined).map(({ address }) => address),
  };
}

type Usage = Result<'terminal.usage'>['terminals'];

/** Whoever does not answer is told of, and the others are shown. */
async function usageAt(bus: Bus | undefined, address: string): Promise<Usage | undefined> {
  try {
    return (await bus?.call('terminal.usage', {}, { address, timeoutMs: ASK_MS }))?.terminals;
  } catch {
    return undefined;
  }
}

/** What the surfaces are called and where they are; empty while workspace-service does not answer. */
export async function readNames(bus: Bus | undefined): Promise<ReadonlyMap<string, SurfaceNames>> {
  const names = new Map<string, SurfaceNames>();
  try {
    const tree = await bus?.call('system.tree', { all_windows: true }, { timeoutMs: ASK_MS });
    for (const workspace of tree?.windows.flatMap(({ workspaces }) => workspaces) ?? []) {
      const place = { workspace_id: workspace.id, workspace_ref: workspace.ref };
      for (const { id, ref, title } of workspace.panes.flatMap(({ surfaces }) => surfaces)) {
        names.set(id, { surface_ref: ref, title, ...place });
      }
    }
  } catch {
    // Names are a service to people; what is used is known without.
  }
  return names;
}

function serviceReadings(processes: ProcessSet): ServiceReading[] {
  const named = [
    { name: 'supervisor', pid: process.pid },
    ...processes.all.map(({ spec, pid }) => ({ name: spec.name, pid })),
  ];
  const reading = readProcesses(
    runProgram,
    named.flatMap(({ pid }) => pid ?? []),
  );
  const found = new Map(reading.all.map((process) => [process.pid, process]));
  return named.flatMap(({ name, pid }) => {
    const seen = pid === undefined ? undefined : found.get(pid);
    if (pid === undefined || seen === undefined) return [];
    return {
      name,
      pid,
      use: seen,
      rssBytes: reading.rssBytes(pid),
      descriptors: openDescriptors(pid),
      descriptorLimit: descriptorLimit(pid),
      moved: bytesMoved(pid),
    };
  });
}

function surfaceReading(host: string, usage: Usage[number]): SurfaceReading {
  return {
    surfaceId: usage.surface_id,
    host,
    pid: usage.pid,
    outputBytes: usage.output_bytes,
    inputBytes: usage.input_bytes,
    inputWaiting: usage.input_waiting,
    processes: usage.processes.map((one) => ({
      pid: one.pid,
      parent: one.parent,
      start: one.start,
      cpuMs: one.cpu_ms,
      childrenCpuMs: one.children_cpu_ms,
      rssBytes: one.rss_bytes,
    })),
  };
}

/** For systems without /proc. Its status only says whether it found any. */
function runProgram(command: string, args: readonly string[]): string {
  return spawnSync(command, args, { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C' } }).stdout ?? '';
}
