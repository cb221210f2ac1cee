import type { ClosedRecord, Departed, Id, SurfaceRecord, WorkspaceRecord } from './entities.js';
import { activateWindow } from './focus.js';
import type { Model } from './model.js';
import { without } from './placement.js';
import { leaves, removeLeaf } from './split-tree.js';

/** What went with a removal, so that terminals can be ended and events told. */
export interface Removed {
  readonly departed: readonly Departed[];
  readonly workspaceIds: readonly Id[];
  readonly windowIds: readonly Id[];
}

/** The one that moves into the place of a closed one, else the last: its index stays (programa-api §6.4). */
const successor = (left: readonly Id[], index: number): Id | undefined => left[index] ?? left.at(-1);

/** Whether the surface is all that its workspace has. */
export function isLastInWorkspace(model: Model, surface: SurfaceRecord): boolean {
  const pane = model.pane(surface.paneId);
  return pane.surfaceIds.length === 1 && model.workspace(pane.workspaceId).tree.kind === 'leaf';
}

/**
 * Takes a surface out of its pane; an empty pane goes and its focus passes to the first leaf of the sibling subtree.
 * The surface's record stays. Must not be the workspace's last one: see {@link removeSurface}.
 */
export function detachSurface(model: Model, surface: SurfaceRecord): void {
  const pane = model.pane(surface.paneId);
  const index = pane.surfaceIds.indexOf(surface.id);
  const left = without(pane.surfaceIds, surface.id);
  if (left.length > 0) {
    const selectedId = pane.selectedId === surface.id ? (successor(left, index) ?? pane.selectedId) : pane.selectedId;
    model.patchPane(pane.id, { surfaceIds: left, selectedId });
    return;
  }
  const workspace = model.workspace(pane.workspaceId);
  const { tree, heir } = removeLeaf(workspace.tree, pane.id);
  if (tree === null || heir === null) throw new Error('the last surface of a workspace goes with the workspace');
  model.panes.remove(pane.id);
  const focusedPaneId = workspace.focusedPaneId === pane.id ? heir : workspace.focusedPaneId;
  model.patchWorkspace(workspace.id, { tree, focusedPaneId });
}

/** Removes a surface and whatever is empty without it: its pane, its workspace, its window (programa-api §6.4). */
export function removeSurface(model: Model, surface: SurfaceRecord): Removed {
  if (isLastInWorkspace(model, surface)) return removeWorkspace(model, model.workspaceOf(surface));
  const departed = departure(model, surface);
  detachSurface(model, surface);
  model.surfaces.remove(surface.id);
  return { departed: [departed], workspaceIds: [], windowIds: [] };
}

/** Removes a workspace with all in it; the window goes too if it was the only one. */
export function removeWorkspace(model: Model, workspace: WorkspaceRecord): Removed {
  const departed = model.surfacesIn(workspace).map((surface) => departure(model, surface));
  for (const paneId of leaves(workspace.tree)) model.panes.remove(paneId);
  for (const { surface } of departed) model.surfaces.remove(surface.id);
  model.workspaces.remove(workspace.id);
  const windowGone = detachWorkspace(model, workspace);
  return { departed, workspaceIds: [workspace.id], windowIds: windowGone ? [workspace.windowId] : [] };
}

/** Takes a workspace out of its window's list and selection; answers whether the window went with it. */
export function detachWorkspace(model: Model, workspace: WorkspaceRecord): boolean {
  const window = model.window(workspace.windowId);
  const index = window.workspaceIds.indexOf(workspace.id);
  const workspaceIds = without(window.workspaceIds, workspace.id);
  const next = successor(workspaceIds, index);
  if (next === undefined) {
    dropWindow(model, window.id);
    return true;
  }
  const selectedId = window.selectedId === workspace.id ? next : window.selectedId;
  model.patchWindow(window.id, { workspaceIds, selectedId, history: without(window.history, workspace.id) });
  return false;
}

/** Removes a window with all in it. */
export function removeWindow(model: Model, windowId: Id): Removed {
  const { workspaceIds } = model.window(windowId);
  const removed = workspaceIds.map((id) => removeWorkspace(model, model.workspace(id)));
  return { departed: removed.flatMap((one) => one.departed), workspaceIds, windowIds: [windowId] };
}

function dropWindow(model: Model, windowId: Id): void {
  const { windowIds, activeWindowId } = model.yard;
  const left = without(windowIds, windowId);
  model.windows.remove(windowId);
  model.patchYard({ windowIds: left });
  if (activeWindowId !== windowId) return;
  const next = successor(left, windowIds.indexOf(windowId));
  if (next === undefined) model.patchYard({ activeWindowId: null });
  else activateWindow(model, next);
}

function departure(model: Model, surface: SurfaceRecord): Departed {
  const { surfaceIds } = model.pane(surface.paneId);
  const { id, ref, windowId } = model.workspaceOf(surface);
  const window = model.window(windowId);
  return {
    surface,
    window: { id: windowId, ref: window.ref },
    workspace: { id, ref },
    index: surfaceIds.indexOf(surface.id),
  };
}

/** Remembers a removed surface: while `staged` it can come back, later its output, if it has any, can still be read. */
export function rememberClosed(model: Model, departed: Departed, phase: ClosedRecord['phase'], undoMs = 0): void {
  if (departed.surface.type === 'review' && phase !== 'staged') return;
  const closedAt = model.now();
  model.closed.put({ ...departed, id: departed.surface.id, closedAt, dueAt: closedAt + undoMs, phase });
}
