import { fail } from '@switchyard/protocol';
import { type Removed, removeSurface } from './closing.js';
import type { ClosedRecord, Id, SurfaceRecord } from './entities.js';
import { activateWindow, focusInside, focusPaneInside } from './focus.js';
import type { Model } from './model.js';
import { insertAt, newTabIndex, tabIndex } from './placement.js';

/** The staged surface that was closed last, or the one named. @throws `not_found` when there is none */
export function stagedSurface(model: Model, id?: Id): ClosedRecord {
  if (id !== undefined) {
    const record = model.closed.get(id);
    if (record?.phase === 'staged') return record;
    return fail('not_found', 'This surface can not be reopened (any more)', { surface_id: id });
  }
  let latest: ClosedRecord | undefined;
  for (const record of model.closed.values()) {
    if (record.phase === 'staged' && (latest === undefined || record.closedAt >= latest.closedAt)) latest = record;
  }
  return latest ?? fail('not_found', 'No closed terminal can be reopened');
}

/**
 * Brings a staged surface back with its id and its process: into its old pane and index, else the focused pane of its
 * workspace, else that of the selected workspace (programa-api §6.4). It gets the focus inside its workspace.
 */
export function reopenSurface(model: Model, record: ClosedRecord): SurfaceRecord {
  const old = model.panes.get(record.surface.paneId);
  const pane = old ?? model.pane(fallbackWorkspace(model, record).focusedPaneId);
  const { id, pinned } = record.surface;
  const index = old ? tabIndex(model, pane.surfaceIds, record.index, pinned) : newTabIndex(model, pane, pinned);
  model.closed.remove(id);
  model.surfaces.put({ ...record.surface, paneId: pane.id });
  model.patchPane(pane.id, { surfaceIds: insertAt(pane.surfaceIds, index, id) });
  focusInside(model, id);
  return model.surface(id);
}

function fallbackWorkspace(model: Model, record: ClosedRecord) {
  const own = model.workspaces.get(record.workspace.id);
  if (own) return own;
  const windowId = model.windows.has(record.window.id) ? record.window.id : model.yard.activeWindowId;
  if (windowId === null) return fail('unavailable', 'There is no window');
  return model.workspace(model.window(windowId).selectedId);
}

/** Who had the focus before something was created. */
export interface FocusMark {
  readonly activeWindowId: Id | null;
  readonly focusedPaneId: Id | null;
  readonly paneId: Id | null;
  readonly selectedId: Id | null;
}

/** @param paneId the pane in whose workspace a surface is about to be created; null: elsewhere */
export function markFocus(model: Model, paneId: Id | null): FocusMark {
  const { activeWindowId } = model.yard;
  if (paneId === null) return { activeWindowId, focusedPaneId: null, paneId, selectedId: null };
  const pane = model.pane(paneId);
  const { focusedPaneId } = model.workspace(pane.workspaceId);
  return { activeWindowId, focusedPaneId, paneId, selectedId: pane.selectedId };
}

/**
 * Takes back a creation whose program could not be started, with the workspace or window made for it, and gives the
 * focus back where the new surface had taken it. What others changed meanwhile stays.
 */
export function undoCreation(model: Model, surface: SurfaceRecord, mark: FocusMark): Removed {
  const workspace = model.workspaceOf(surface);
  const tookActive = model.yard.activeWindowId === workspace.windowId;
  const tookPane = workspace.focusedPaneId === surface.paneId;
  const tookTab = model.pane(surface.paneId).selectedId === surface.id;
  const removed = removeSurface(model, surface);
  if (tookTab) reselect(model, mark);
  if (tookPane && mark.focusedPaneId !== null && model.panes.has(mark.focusedPaneId)) {
    focusPaneInside(model, mark.focusedPaneId);
  }
  if (tookActive && mark.activeWindowId !== null && model.windows.has(mark.activeWindowId)) {
    activateWindow(model, mark.activeWindowId);
  }
  return removed;
}

function reselect(model: Model, { paneId, selectedId }: FocusMark): void {
  const pane = paneId === null ? undefined : model.panes.get(paneId);
  if (pane && selectedId !== null && pane.surfaceIds.includes(selectedId)) model.patchPane(pane.id, { selectedId });
}
