import type { Declared, Id, Launch, PaneRecord, SurfaceRecord, WindowRecord, WorkspaceRecord } from './entities.js';
import { activateWindow, focusInside } from './focus.js';
import type { Model } from './model.js';
import { insertAt, type NewWorkspacePlace, newTabIndex, newWorkspaceIndex, tabIndex } from './placement.js';
import { type Direction, leaf, leafCount, splitLeaf } from './split-tree.js';

/** What a caller says about a new terminal. */
export interface NewTerminal {
  readonly launch: Launch;
  readonly host: string;
  readonly title?: string | undefined;
  readonly remainOnExit?: boolean | undefined;
  /** What its layout wants in it. */
  readonly declared?: Declared | undefined;
  /** See {@link SurfaceRecord.typedDue}. */
  readonly typedDue?: string | null;
  /** A restart of the service starts it, whatever it is, if nothing else has. */
  readonly unstarted?: boolean | undefined;
}

export interface NewWorkspace {
  readonly title?: string | undefined;
  readonly description?: string | undefined;
}

/** The directory that a terminal opened beside this one starts in (programa-api §6.3). */
export function directoryOf(model: Model, surface: SurfaceRecord): string {
  return surface.cwd ?? surface.launch.cwd ?? model.workspaceOf(surface).directory;
}

/** A window with one workspace with one terminal; it becomes the active window. */
export function createWindow(model: Model, terminal: NewTerminal): { window: WindowRecord; surface: SurfaceRecord } {
  const id = model.newId();
  const { workspace, surface } = newWorkspaceRecords(model, id, 1, {}, terminal);
  const ref = model.nextRef('window');
  model.windows.put({ id, ref, workspaceIds: [workspace.id], selectedId: workspace.id, history: [] });
  model.patchYard({ windowIds: [...model.yard.windowIds, id] });
  activateWindow(model, id);
  return { window: model.window(id), surface };
}

/** An unselected workspace with one terminal (programa-api §6.3). */
export function createWorkspace(
  model: Model,
  windowId: Id,
  place: NewWorkspacePlace,
  given: NewWorkspace,
  terminal: NewTerminal,
): { workspace: WorkspaceRecord; surface: SurfaceRecord } {
  const ordinal = model.window(windowId).workspaceIds.length + 1;
  const created = newWorkspaceRecords(model, windowId, ordinal, given, terminal);
  insertWorkspace(model, windowId, created.workspace.id, newWorkspaceIndex(model, windowId, place));
  return created;
}

/**
 * Terminals that run but belong to no surface, as after the database was lost: they get surfaces with their own ids, as
 * tabs of one new workspace of the active window.
 */
export function adoptTerminals(model: Model, windowId: Id, terminals: readonly (NewTerminal & { id: Id })[]): void {
  const [first, ...rest] = terminals;
  if (!first) return;
  const { id: paneId } = wrapInWorkspace(model, windowId, 'end', surfaceRecord(model, first.id, '', first));
  for (const terminal of rest) {
    const { surfaceIds } = model.pane(paneId);
    model.surfaces.put(surfaceRecord(model, terminal.id, paneId, terminal));
    model.patchPane(paneId, { surfaceIds: [...surfaceIds, terminal.id] });
  }
}

/** A workspace around one surface that exists already (`pane.break`). The surface must have left its pane. */
export function wrapInWorkspace(
  model: Model,
  windowId: Id,
  place: NewWorkspacePlace,
  surface: SurfaceRecord,
): PaneRecord {
  const ordinal = model.window(windowId).workspaceIds.length + 1;
  const workspace = emptyWorkspace(model, windowId, ordinal, directoryHint(surface), {});
  adoptSurface(model, workspace.focusedPaneId, workspace.id, surface);
  insertWorkspace(model, windowId, workspace.id, newWorkspaceIndex(model, windowId, place));
  return model.pane(workspace.focusedPaneId);
}

const directoryHint = (surface: SurfaceRecord): string => surface.cwd ?? surface.launch.cwd;

export function insertWorkspace(model: Model, windowId: Id, workspaceId: Id, index: number): void {
  const { workspaceIds } = model.window(windowId);
  model.patchWindow(windowId, { workspaceIds: insertAt(workspaceIds, index, workspaceId) });
}

/**
 * A new tab right after the pane's selected one. In the focused pane the selection is kept; in another pane the new tab
 * becomes that pane's selected one (programa-api §6.3).
 *
 * @param rightOf put it right of this tab instead
 */
export function createTab(model: Model, paneId: Id, terminal: NewTerminal, rightOf?: Id): SurfaceRecord {
  const pane = model.pane(paneId);
  const surface = newSurface(model, paneId, terminal);
  const index =
    rightOf === undefined
      ? newTabIndex(model, pane)
      : tabIndex(model, pane.surfaceIds, pane.surfaceIds.indexOf(rightOf) + 1, false);
  const surfaceIds = insertAt(pane.surfaceIds, index, surface.id);
  const focused = model.workspace(pane.workspaceId).focusedPaneId === paneId;
  model.patchPane(paneId, { surfaceIds, selectedId: focused ? pane.selectedId : surface.id });
  return surface;
}

/** A new terminal in a new pane that takes half of the given one. `focus` moves the focus inside the workspace only. */
export function createSplit(
  model: Model,
  paneId: Id,
  direction: Direction,
  terminal: NewTerminal,
  focus: boolean,
): SurfaceRecord {
  const pane = splitPane(model, paneId, direction);
  const surface = newSurface(model, pane.id, terminal);
  model.panes.put({ ...pane, surfaceIds: [surface.id], selectedId: surface.id });
  if (focus) focusInside(model, surface.id);
  return surface;
}

/** A new pane beside the given one, still without a tab: the caller puts the record with its first tab. */
export function splitPane(model: Model, paneId: Id, direction: Direction): PaneRecord {
  const { workspaceId } = model.pane(paneId);
  const { tree } = model.workspace(workspaceId);
  const pane: PaneRecord = {
    id: model.newId(),
    ref: model.nextRef('pane'),
    workspaceId,
    surfaceIds: [],
    selectedId: '',
  };
  model.patchWorkspace(workspaceId, { tree: splitLeaf(tree, paneId, pane.id, direction, model.newId()) });
  return pane;
}

export const paneCount = (workspace: WorkspaceRecord): number => leafCount(workspace.tree);

/** Puts a surface that has no pane as the first tab of a new pane. */
export function adoptSurface(model: Model, paneId: Id, workspaceId: Id, surface: SurfaceRecord): void {
  const ref = model.panes.get(paneId)?.ref ?? model.nextRef('pane');
  model.surfaces.put({ ...surface, paneId });
  model.panes.put({ id: paneId, ref, workspaceId, surfaceIds: [surface.id], selectedId: surface.id });
}

function newWorkspaceRecords(
  model: Model,
  windowId: Id,
  ordinal: number,
  given: NewWorkspace,
  terminal: NewTerminal,
): { workspace: WorkspaceRecord; surface: SurfaceRecord } {
  const workspace = emptyWorkspace(model, windowId, ordinal, terminal.launch.cwd, given);
  const paneId = workspace.focusedPaneId;
  const surface = newSurface(model, paneId, terminal);
  const ref = model.nextRef('pane');
  model.panes.put({ id: paneId, ref, workspaceId: workspace.id, surfaceIds: [surface.id], selectedId: surface.id });
  return { workspace, surface };
}

function emptyWorkspace(
  model: Model,
  windowId: Id,
  ordinal: number,
  directory: string,
  given: NewWorkspace,
): WorkspaceRecord {
  const paneId = model.newId();
  const workspace: WorkspaceRecord = {
    id: model.newId(),
    ref: model.nextRef('workspace'),
    windowId,
    customTitle: given.title ?? null,
    defaultTitle: `Terminal ${ordinal}`,
    description: given.description ?? null,
    color: null,
    pinned: false,
    unread: false,
    directory,
    tree: leaf(paneId),
    focusedPaneId: paneId,
  };
  model.workspaces.put(workspace);
  return workspace;
}

/** The record of a new terminal of a pane, which the caller puts among the tabs of the pane. */
export function newSurface(model: Model, paneId: Id, terminal: NewTerminal): SurfaceRecord {
  const surface = surfaceRecord(model, model.newId(), paneId, terminal);
  model.surfaces.put(surface);
  return surface;
}

function surfaceRecord(model: Model, id: Id, paneId: Id, terminal: NewTerminal): SurfaceRecord {
  return {
    id,
    ref: model.nextRef('surface'),
    paneId,
    type: 'terminal',
    host: terminal.host,
    customTitle: terminal.title ?? null,
    processTitle: null,
    pinned: false,
    unread: false,
    launch: terminal.launch,
    cwd: null,
    remainOnExit: terminal.remainOnExit ?? false,
    exit: null,
    size: null,
    startedAt: model.now(),
    ...(terminal.declared === undefined ? {} : { declared: terminal.declared }),
    ...(terminal.typedDue == null ? {} : { typedDue: terminal.typedDue }),
    ...(terminal.unstarted === undefined ? {} : { unstarted: terminal.unstarted }),
  };
}
