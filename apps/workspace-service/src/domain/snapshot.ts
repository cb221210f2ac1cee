import type { Id, PaneRecord, RefKind, SurfaceRecord, WindowRecord, WorkspaceRecord } from './entities.js';
import type { Model } from './model.js';
import { leaves } from './split-tree.js';

/** Why a snapshot was taken. */
export const SNAPSHOT_REASONS = ['manual', 'auto', 'start', 'stop', 'before_restore'] as const;
export type SnapshotReason = (typeof SNAPSHOT_REASONS)[number];

/** What is kept of the agent in a surface, beside the conversations that stand in the surface itself. */
export interface SnapshotAgent {
  readonly surfaceId: Id;
  /** Id of the agent that ran there; null: it had a name only. */
  readonly agent: string | null;
  readonly name: string | null;
}

/** Everything about how a yard is arranged, enough to arrange it so again. */
export interface Topology {
  readonly windowIds: readonly Id[];
  readonly activeWindowId: Id | null;
  readonly counters: Readonly<Record<RefKind, number>>;
  readonly windows: readonly WindowRecord[];
  readonly workspaces: readonly WorkspaceRecord[];
  readonly panes: readonly PaneRecord[];
  readonly surfaces: readonly SurfaceRecord[];
  readonly agents: readonly SnapshotAgent[];
}

/** A generation: one file. */
export interface Snapshot {
  readonly format: typeof SNAPSHOT_FORMAT;
  readonly version: typeof SNAPSHOT_VERSION;
  readonly id: string;
  /** Unix milliseconds. */
  readonly savedAt: number;
  readonly reason: SnapshotReason;
  /** Whether the service stopped in order after it; null: it was taken while it ran. */
  readonly cleanShutdown: boolean | null;
  readonly topology: Topology;
}

/** Text of terminals, the latest lines, by surface. Kept in a file of its own: most readers do not want it. */
export type Scrollback = Readonly<Record<Id, string>>;

export const SNAPSHOT_FORMAT = 'switchyard-snapshot';
export const SNAPSHOT_VERSION = 1;

export interface SnapshotCounts {
  readonly windows: number;
  readonly workspaces: number;
  readonly panels: number;
}

/** A file that holds no snapshot that can be used. */
export class SnapshotProblem extends Error {
  readonly kind: 'version' | 'shape';

  constructor(message: string, kind: SnapshotProblem['kind'] = 'shape') {
    super(message);
    this.name = 'SnapshotProblem';
    this.kind = kind;
  }
}

/** @param agentOf what runs in a surface, by its name if it has one */
export function topologyOf(model: Model, agentOf: (id: Id) => Omit<SnapshotAgent, 'surfaceId'>): Topology {
  const { windowIds, activeWindowId, counters } = model.yard;
  const surfaces = [...model.surfaces.values()];
  const agents = surfaces
    .map(({ id }) => ({ surfaceId: id, ...agentOf(id) }))
    .filter(({ agent, name }) => agent !== null || name !== null);
  return {
    windowIds,
    activeWindowId,
    counters,
    windows: [...model.windows.values()],
    workspaces: [...model.workspaces.values()],
    panes: [...model.panes.values()],
    surfaces,
    agents,
  };
}

export const countsOf = ({ windows, workspaces, surfaces }: Topology): SnapshotCounts => ({
  windows: windows.length,
  workspaces: workspaces.length,
  panels: surfaces.length,
});

/**
 * Equal for topologies between which a person would see no difference worth a generation: what is selected, and what
 * programs say of themselves, does not count.
 */
export function fingerprintOf({ windowIds, windows, workspaces, panes, surfaces, agents }: Topology): string {
  return JSON.stringify([
    windowIds,
    sorted(windows).map(({ id, workspaceIds }) => [id, workspaceIds]),
    sorted(workspaces).map(({ id, customTitle, description, color, pinned, directory, tree }) => {
      return [id, customTitle, description, color, pinned, directory, tree];
    }),
    sorted(panes).map(({ id, surfaceIds }) => [id, surfaceIds]),
    sorted(surfaces).map(({ id, customTitle, pinned, launch, cwd, declared, sessions }) => {
      return [id, customTitle, pinned, launch, cwd, declared ?? null, sessions?.current?.sessionId ?? null];
    }),
    [...agents].sort((a, b) => (a.surfaceId < b.surfaceId ? -1 : 1)).map(({ surfaceId, name }) => [surfaceId, name]),
  ]);
}

const sorted = <T extends { readonly id: Id }>(rows: readonly T[]): T[] =>
  [...rows].sort((a, b) => (a.id < b.id ? -1 : 1));

/**
 * @param value the parsed JSON of a file
 * @throws SnapshotProblem for what is no snapshot, or one whose parts do not fit together: half of it must not be taken
 *   for the whole
 */
export function readSnapshot(value: unknown): Snapshot {
  const snapshot = value as Snapshot;
  if (typeof value !== 'object' || value === null || snapshot.format !== SNAPSHOT_FORMAT) {
    throw new SnapshotProblem('it is no snapshot');
  }
  if (snapshot.version !== SNAPSHOT_VERSION) {
    throw new SnapshotProblem(
      `it is of version ${JSON.stringify(snapshot.version)}, not ${SNAPSHOT_VERSION}`,
      'version',
    );
  }
  if (typeof snapshot.id !== 'string' || typeof snapshot.savedAt !== 'number')
    throw new SnapshotProblem('it has no head');
  try {
    checkWhole(snapshot.topology);
  } catch (error) {
    if (error instanceof SnapshotProblem) throw error;
    // A member that is missing or of another type: whatever trips over it first.
    throw new SnapshotProblem(`its parts have not the form they should have (${String(error)})`);
  }
  return snapshot;
}

/** Every id that is named is there, and everything that is there is named once. */
function checkWhole(topology: Topology): void {
  const rows = {
    windows: byId(topology.windows),
    workspaces: byId(topology.workspaces),
    panes: byId(topology.panes),
    surfaces: byId(topology.surfaces),
  };
  const windows = topology.windowIds.map((id) => need(rows.windows, id, 'window'));
  for (const { workspaceIds, selectedId } of windows) checkChosen(workspaceIds, selectedId, 'window');
  const workspaces = windows.flatMap((window) =>
    window.workspaceIds.map((id) => need(rows.workspaces, id, 'workspace')),
  );
  for (const { tree, focusedPaneId } of workspaces) checkChosen(leaves(tree), focusedPaneId, 'workspace');
  const panes = workspaces.flatMap(({ tree }) => leaves(tree).map((id) => need(rows.panes, id, 'pane')));
  for (const { surfaceIds, selectedId } of panes) checkChosen(surfaceIds, selectedId, 'pane');
  const surfaces = panes.flatMap((pane) => pane.surfaceIds.map((id) => need(rows.surfaces, id, 'surface')));
  const named = { windows, workspaces, panes, surfaces };
  for (const kind of ['windows', 'workspaces', 'panes', 'surfaces'] as const) {
    const isOnce = new Set<unknown>(named[kind]).size === named[kind].length;
    if (!isOnce || named[kind].length !== rows[kind].size)
      throw new SnapshotProblem(`its ${kind} are not each in one place`);
  }
}

const byId = <T extends { readonly id: Id }>(rows: readonly T[]): ReadonlyMap<Id, T> =>
  new Map(rows.map((row) => [row.id, row]));

function checkChosen(among: readonly Id[], chosen: Id, kind: string): void {
  if (!among.includes(chosen)) throw new SnapshotProblem(`a ${kind} of it has nothing in front`);
}

function need<T>(rows: ReadonlyMap<Id, T>, id: Id, kind: string): T {
  const row = rows.get(id);
  if (row === undefined) throw new SnapshotProblem(`it names a ${kind} that it has not`);
  return row;
}
