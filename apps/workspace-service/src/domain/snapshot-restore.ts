import { wrapInWorkspace } from './creating.js';
import type { ExitInfo, Id, RefKind, SurfaceRecord, WorkspaceRecord } from './entities.js';
import type { Model } from './model.js';
import type { Topology } from './snapshot.js';
import { leaves, type SplitNode } from './split-tree.js';

/** A surface that a restore brought. */
export interface Restored {
  readonly id: Id;
  /** Its id in the snapshot. */
  readonly was: Id;
  /** Its program runs, or is to be started; otherwise it is readable at best and can be started anew. */
  readonly wanted: 'running' | 'start' | 'ended';
}

export interface RestoreResult {
  readonly surfaces: readonly Restored[];
  /** Surfaces that the snapshot does not know; they stay. */
  readonly kept: readonly Id[];
  readonly windowIds: readonly Id[];
}

/** Limits of the peer (programa-api §8.4): a file that was tampered with must not start thousands of shells. */
const MOST_WINDOWS = 12;
const MOST_WORKSPACES = 128;
const MOST_SURFACES = 512;

/** An empty one would only be another name for losing everything. */
export const isRestorable = ({ windows, surfaces }: Topology): boolean => windows.length > 0 && surfaces.length > 0;

/** How a program counts that nobody has started again. */
export const notStarted = (at: number): ExitInfo => ({ exit_code: null, signal: null, offset: 0, at, reason: 'lost' });

/**
 * Adds the windows of a topology to those that are there. Everything gets new ids and refs; shells are to be started,
 * programs and agents are not.
 */
export function addWindows(model: Model, topology: Topology): RestoreResult {
  const fresh = new Map<Id, Id>();
  const idOf = (was: Id): Id => {
    const known = fresh.get(was) ?? model.newId();
    fresh.set(was, known);
    return known;
  };
  const rows = indexed(topology);
  const surfaces: Restored[] = [];
  const windowIds = topology.windowIds.slice(0, MOST_WINDOWS);
  for (const windowId of windowIds) {
    const window = rows.window(windowId);
    const workspaces = window.workspaceIds.slice(0, MOST_WORKSPACES).map((id) => rows.workspace(id));
    const selected = workspaces.find(({ id }) => id === window.selectedId) ?? workspaces[0];
    if (selected === undefined) continue;
    model.windows.put({
      id: idOf(windowId),
      ref: model.nextRef('window'),
      workspaceIds: workspaces.map(({ id }) => idOf(id)),
      selectedId: idOf(selected.id),
      history: [],
    });
    for (const workspace of workspaces) surfaces.push(...addWorkspace(model, workspace, rows, idOf));
  }
  const added = windowIds.map(idOf).filter((id) => model.windows.has(id));
  model.patchYard({ windowIds: [...model.yard.windowIds, ...added] });
  return { surfaces, kept: [], windowIds: added };
}

type Rows = ReturnType<typeof indexed>;

function addWorkspace(model: Model, workspace: WorkspaceRecord, rows: Rows, idOf: (was: Id) => Id): Restored[] {
  const panes = leaves(workspace.tree).map((id) => rows.pane(id));
  const count = panes.reduce((sum, { surfaceIds }) => sum + surfaceIds.length, 0);
  if (count > MOST_SURFACES) throw new Error(`a workspace of the snapshot has ${count} surfaces`);
  model.workspaces.put({
    ...workspace,
    id: idOf(workspace.id),
    ref: model.nextRef('workspace'),
    windowId: idOf(workspace.windowId),
    tree: withIds(workspace.tree, idOf),
    focusedPaneId: idOf(workspace.focusedPaneId),
    agentPids: [],
    unread: false,
  });
  return panes.flatMap((pane) => {
    const id = idOf(pane.id);
    const surfaceIds = pane.surfaceIds.map(idOf);
    const selectedId = idOf(pane.selectedId);
    model.panes.put({ id, ref: model.nextRef('pane'), workspaceId: idOf(workspace.id), surfaceIds, selectedId });
    return pane.surfaceIds.map((was) => {
      const place = { id: idOf(was), ref: model.nextRef('surface'), paneId: id };
      return putAnew(model, rows.surface(was), place, idOf);
    });
  });
}

/** A surface whose terminal is gone. */
function putAnew(
  model: Model,
  was: SurfaceRecord,
  place: Pick<SurfaceRecord, 'id' | 'ref' | 'paneId'>,
  idOf: (was: Id) => Id,
): Restored {
  const isShell = was.type === 'terminal' && was.launch.argv === null;
  const isReview = was.type === 'review';
  const { review } = was;
  model.surfaces.put({
    ...was,
    ...place,
    launch: { ...was.launch, cwd: was.cwd ?? was.launch.cwd },
    cwd: null,
    exit: isShell || isReview ? null : notStarted(model.now()),
    size: null,
    unread: false,
    startedAt: model.now(),
    unstarted: isShell,
    stopped: !isShell && !isReview,
    typedDue: null,
    ...(review === undefined
      ? {}
      : { review: { ...review, source: { ...review.source, id: idOf(review.source.id) } } }),
  });
  if (isReview) return { id: place.id, was: was.id, wanted: 'running' };
  return { id: place.id, was: was.id, wanted: isShell ? 'start' : 'ended' };
}

/**
 * Makes the tree what it was. Surfaces that are still there move to their old places and run on; those that are gone come
 * back under their ids, as after a restart; those that came since are kept, as tabs of one more workspace.
 */
export function rollBackTo(model: Model, topology: Topology): RestoreResult {
  const rows = indexed(topology);
  const present = new Map([...model.surfaces.values()].map((surface) => [surface.id, surface]));
  const renamed = new Map<Id, Id>();
  // The terminal of a surface that was closed is being ended under its id.
  for (const { id } of topology.surfaces) {
    const closed = model.closed.get(id);
    if (!present.has(id) && closed && closed.phase !== 'staged') renamed.set(id, model.newId());
  }
  const idOf = (was: Id): Id => renamed.get(was) ?? was;
  clearTree(model);
  for (const window of topology.windows) model.windows.put(window);
  for (const workspace of topology.workspaces) model.workspaces.put(workspace);
  for (const pane of topology.panes) {
    model.panes.put({ ...pane, surfaceIds: pane.surfaceIds.map(idOf), selectedId: idOf(pane.selectedId) });
  }
  const surfaces = topology.surfaces.map((was) => putBack(model, rows.surface(was.id), present.get(was.id), idOf));
  putYard(model, topology);
  return { surfaces, kept: keepOthers(model, [...present.values()], topology), windowIds: topology.windowIds };
}

/**
 * The tree into an empty model, as after the loss of the database: exactly as it was, so that what the keeper still runs
 * finds its surface.
 */
export function recover(model: Model, topology: Topology): void {
  for (const window of topology.windows) model.windows.put(window);
  for (const workspace of topology.workspaces) model.workspaces.put(workspace);
  for (const pane of topology.panes) model.panes.put(pane);
  for (const surface of topology.surfaces) model.surfaces.put(surface);
  putYard(model, topology);
}

function clearTree(model: Model): void {
  for (const { id } of [...model.windows.values()]) model.windows.remove(id);
  for (const { id } of [...model.workspaces.values()]) model.workspaces.remove(id);
  for (const { id } of [...model.panes.values()]) model.panes.remove(id);
  for (const { id } of [...model.surfaces.values()]) model.surfaces.remove(id);
}

function putBack(
  model: Model,
  was: SurfaceRecord,
  present: SurfaceRecord | undefined,
  idOf: (was: Id) => Id,
): Restored {
  const { paneId, customTitle, pinned } = was;
  const staged = model.closed.get(was.id);
  const alive = present ?? (staged?.phase === 'staged' ? staged.surface : undefined);
  if (alive !== undefined) {
    if (present === undefined) model.closed.remove(was.id);
    model.surfaces.put({ ...alive, paneId, customTitle, pinned });
    return { id: was.id, was: was.id, wanted: alive.exit === null ? 'running' : 'ended' };
  }
  const id = idOf(was.id);
  return putAnew(model, was, { id, ref: id === was.id ? was.ref : model.nextRef('surface'), paneId }, idOf);
}

/** Refs are never given out twice, whatever is rolled back. */
function putYard(model: Model, { windowIds, activeWindowId, counters }: Topology): void {
  const kinds = Object.keys(counters) as RefKind[];
  const highest = kinds.map((kind) => [kind, Math.max(counters[kind], model.yard.counters[kind])]);
  model.patchYard({ windowIds, activeWindowId, counters: Object.fromEntries(highest) as Record<RefKind, number> });
}

function keepOthers(model: Model, present: readonly SurfaceRecord[], topology: Topology): Id[] {
  const known = new Set(topology.surfaces.map(({ id }) => id));
  const others = present.filter(({ id }) => !known.has(id));
  // Pinned tabs stay together at the front.
  const [first, ...rest] = [...others.filter(({ pinned }) => pinned), ...others.filter(({ pinned }) => !pinned)];
  const windowId = model.yard.activeWindowId ?? model.yard.windowIds[0];
  if (first === undefined || windowId === undefined) return [];
  const { id: paneId } = wrapInWorkspace(model, windowId, 'end', first);
  for (const surface of rest) {
    model.surfaces.put({ ...surface, paneId });
    model.patchPane(paneId, { surfaceIds: [...model.pane(paneId).surfaceIds, surface.id] });
  }
  return [first, ...rest].map(({ id }) => id);
}

function withIds(node: SplitNode, idOf: (was: Id) => Id): SplitNode {
  if (node.kind === 'leaf') return { kind: 'leaf', paneId: idOf(node.paneId) };
  return { ...node, id: idOf(node.id), first: withIds(node.first, idOf), second: withIds(node.second, idOf) };
}

/** The rows by id. A topology has been checked when it was read: what is named is there. */
function indexed(topology: Topology) {
  const finder = <T extends { readonly id: Id }>(rows: readonly T[]) => {
    const byId = new Map(rows.map((row) => [row.id, row]));
    return (id: Id): T => {
      const row = byId.get(id);
      if (row === undefined) throw new Error(`the snapshot names ${id}, which it has not`);
      return row;
    };
  };
  return {
    window: finder(topology.windows),
    workspace: finder(topology.workspaces),
    pane: finder(topology.panes),
    surface: finder(topology.surfaces),
  };
}
