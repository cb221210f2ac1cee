import type { Result } from '@switchyard/protocol';
import type { Id, SurfaceRecord, WorkspaceRecord } from './entities.js';
import type { Model } from './model.js';

export type FoundPort = Result<'terminal.ports'>['ports'][number];
type Reported<M extends 'surface.report_pr' | 'surface.report_git_branch', K extends keyof Result<M>> = Readonly<
  Pick<Result<M>, K>
>;
export type ReportedBranch = Reported<'surface.report_git_branch', 'branch' | 'dirty'>;
export type ReportedPullRequest = Reported<
  'surface.report_pr',
  'number' | 'label' | 'url' | 'state' | 'branch' | 'checks'
>;

/** What was reported of the program in a terminal, and found out about it. */
export interface Telemetry {
  /** `startedAt` of that program: of another one it says nothing. */
  readonly startedAt: number;
  readonly tty: string | null;
  readonly shellState: 'prompt' | 'running' | null;
  readonly branch: ReportedBranch | null;
  readonly pullRequest: ReportedPullRequest | null;
  /** Sorted, each once. */
  readonly reportedPorts: readonly number[];
  readonly foundPorts: readonly FoundPort[];
}

export type TelemetryFacts = Omit<Telemetry, 'startedAt'>;

const NOTHING: TelemetryFacts = {
  tty: null,
  shellState: null,
  branch: null,
  pullRequest: null,
  reportedPorts: [],
  foundPorts: [],
};

export function telemetryOf({ telemetry, startedAt }: SurfaceRecord): TelemetryFacts {
  return telemetry?.startedAt === startedAt ? telemetry : NOTHING;
}

/** Ports on which something listens for a terminal; one that has ended has none. */
export function portsOf(surface: SurfaceRecord): number[] {
  if (surface.exit !== null) return [];
  const { reportedPorts, foundPorts } = telemetryOf(surface);
  return sortedPorts([...reportedPorts, ...foundPorts.map(({ port }) => port)]);
}

export const portsIn = (model: Model, workspace: WorkspaceRecord): number[] =>
  sortedPorts(model.surfacesIn(workspace).flatMap(portsOf));

export const sortedPorts = (ports: Iterable<number>): number[] => [...new Set(ports)].sort((a, b) => a - b);

/**
 * Part of a change: takes over what is news of a terminal, and tells of it.
 *
 * @returns whether anything was
 */
export function noteTelemetry(model: Model, id: Id, change: Partial<TelemetryFacts>): boolean {
  const surface = model.surface(id);
  const before = telemetryOf(surface);
  const now = { ...before, ...change };
  if (isSame(before, now)) return false;
  model.patchSurface(id, { telemetry: { ...now, startedAt: surface.startedAt } });
  tell(model, id, before, now);
  const ports = portsOf(model.surface(id));
  if (!isSame(portsOf(surface), ports)) {
    model.note({ kind: 'metadata.ports_changed', ...placeOf(model, id), data: { ports } });
  }
  return true;
}

/** Part of a change: what was reported of a terminal is taken back; what is found stays. */
export function clearReports(model: Model, id: Id): void {
  const { foundPorts } = telemetryOf(model.surface(id));
  noteTelemetry(model, id, { ...NOTHING, foundPorts });
}

function tell(model: Model, id: Id, before: TelemetryFacts, now: TelemetryFacts): void {
  const place = placeOf(model, id);
  const { branch, pullRequest, shellState, tty } = now;
  if (!isSame(before.branch, branch)) {
    const data = { branch: branch?.branch ?? null, dirty: branch?.dirty ?? null };
    model.note({ kind: 'metadata.branch_reported', ...place, data });
  }
  if (!isSame(before.pullRequest, pullRequest)) {
    const { number = null, url = null, state = null, checks = null } = pullRequest ?? {};
    model.note({ kind: 'metadata.pull_request_reported', ...place, data: { number, url, state, checks } });
  }
  if (before.shellState !== shellState) {
    model.note({ kind: 'metadata.shell_state_changed', ...place, data: { state: shellState } });
  }
  if (before.tty !== tty && tty !== null) {
    model.note({ kind: 'metadata.tty_reported', ...place, data: { tty_name: tty } });
  }
}

function placeOf(model: Model, id: Id) {
  return { workspace_id: model.workspaceOf(model.surface(id)).id, surface_id: id };
}

/** Small plain data, always built in the same order. */
const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
