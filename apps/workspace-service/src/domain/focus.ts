import { fail } from '@switchyard/protocol';
import type { Id, WorkspaceRecord } from './entities.js';
import type { Model } from './model.js';

/** As many steps back as `workspace.last` can take (programa-api §5.3). */
const HISTORY_LIMIT = 50;

/** Makes a window the one that requests without a window mean (programa-api §2.6). */
export function activateWindow(model: Model, windowId: Id): void {
  if (model.yard.activeWindowId !== windowId) model.patchYard({ activeWindowId: windowId });
}

/** Selects a workspace in its window and brings the window to the front. */
export function selectWorkspace(model: Model, workspaceId: Id): void {
  const { windowId } = model.workspace(workspaceId);
  const window = model.window(windowId);
  if (window.selectedId !== workspaceId) {
    const history = [...window.history, window.selectedId].slice(-HISTORY_LIMIT);
    model.patchWindow(windowId, { selectedId: workspaceId, history });
  }
  activateWindow(model, windowId);
  markRead(model, workspaceId);
}

/** The neighbour of the selected workspace, wrapping round. */
export function neighbour(model: Model, windowId: Id, step: 1 | -1): WorkspaceRecord {
  const { workspaceIds, selectedId } = model.window(windowId);
  const index = (workspaceIds.indexOf(selectedId) + step + workspaceIds.length) % workspaceIds.length;
  return model.workspace(workspaceIds[index] ?? selectedId);
}

/**
 * One step back in the history of selections: not a toggle, the step is not itself recorded, and closed workspaces are
 * skipped.
 *
 * @throws `not_found` at the start of the history
 */
export function selectLast(model: Model, windowId: Id): WorkspaceRecord {
  const window = model.window(windowId);
  const history = [...window.history];
  for (let id = history.pop(); id !== undefined; id = history.pop()) {
    if (id === window.selectedId || model.workspaces.get(id)?.windowId !== windowId) continue;
    model.patchWindow(windowId, { selectedId: id, history });
    activateWindow(model, windowId);
    markRead(model, id);
    return model.workspace(id);
  }
  return fail('not_found', 'No earlier workspace in the history', { window_id: windowId });
}

/** Focuses a pane inside its workspace; the workspace's own selection is untouched. */
export function focusPaneInside(model: Model, paneId: Id): void {
  const { workspaceId } = model.pane(paneId);
  if (model.workspace(workspaceId).focusedPaneId !== paneId)
    model.patchWorkspace(workspaceId, { focusedPaneId: paneId });
}

/** Selects a tab and focuses its pane inside the workspace; the workspace's own selection is untouched. */
export function focusInside(model: Model, surfaceId: Id): void {
  const { paneId } = model.surface(surfaceId);
  if (model.pane(paneId).selectedId !== surfaceId) model.patchPane(paneId, { selectedId: surfaceId });
  focusPaneInside(model, paneId);
}

/** What `surface.focus` does: the tab, its pane, its workspace and its window. */
export function focusSurface(model: Model, surfaceId: Id): void {
  focusInside(model, surfaceId);
  selectWorkspace(model, model.workspaceOf(model.surface(surfaceId)).id);
}

/** Seeing a workspace marks it and the surface in front as read. */
function markRead(model: Model, workspaceId: Id): void {
  const workspace = model.workspace(workspaceId);
  if (workspace.unread) model.patchWorkspace(workspaceId, { unread: false });
  const focused = model.focusedSurface(model.workspace(workspaceId));
  if (focused.unread) model.patchSurface(focused.id, { unread: false });
}
