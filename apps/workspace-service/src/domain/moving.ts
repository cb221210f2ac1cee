import { fail } from '@switchyard/protocol';
import { detachSurface, detachWorkspace, isLastInWorkspace } from './closing.js';
import { insertWorkspace, splitPane, wrapInWorkspace } from './creating.js';
import type { Id, PaneRecord, SurfaceRecord, WorkspaceRecord } from './entities.js';
import { focusInside } from './focus.js';
import type { Model } from './model.js';
import {
  type Anchor,
  anchorIndex,
  insertAt,
  type NewWorkspacePlace,
  newTabIndex,
  newWorkspaceIndex,
  tabIndex,
  without,
  workspaceIndex,
} from './placement.js';
import type { Direction } from './split-tree.js';

/** What a move left behind: a workspace that lost its last surface goes, and with it perhaps its window. */
export interface Left {
  readonly workspaceId: Id | null;
  readonly windowId: Id | null;
}
const NOTHING_LEFT: Left = { workspaceId: null, windowId: null };

/**
 * Moves a tab to a pane anywhere, keeping its id and process. Inside its workspace it becomes selected and its pane
 * focused (programa-api §6.2); elsewhere the rule for a new tab holds.
 *
 * @param index place among the target's tabs without the moved one; default: right after the selected one
 */
export function moveSurface(model: Model, surfaceId: Id, targetPaneId: Id, index?: number): Left {
  const surface = model.surface(surfaceId);
  const target = model.pane(targetPaneId);
  if (surface.paneId === targetPaneId) {
    reorderSurface(model, surface, { index: index ?? target.surfaceIds.indexOf(surfaceId) });
    return NOTHING_LEFT;
  }
  const from = model.workspaceOf(surface);
  const left = leavePane(model, surface);
  insertTab(model, { ...surface, paneId: targetPaneId }, index);
  if (from.id === target.workspaceId) focusInside(model, surfaceId);
  return left;
}

/** Moves a tab inside its pane and selects it; pinned ones stay in front. */
export function reorderSurface(model: Model, surface: SurfaceRecord, anchor: Anchor): void {
  const pane = model.pane(surface.paneId);
  const others = without(pane.surfaceIds, surface.id);
  const index = tabIndex(model, others, anchorIndex(others, anchor), surface.pinned);
  model.patchPane(pane.id, { surfaceIds: insertAt(others, index, surface.id) });
  focusInside(model, surface.id);
}

/** Moves a workspace inside its window's list; answers its new index. */
export function reorderWorkspace(model: Model, workspace: WorkspaceRecord, anchor: Anchor): number {
  const others = without(model.window(workspace.windowId).workspaceIds, workspace.id);
  const index = workspaceIndex(model, others, anchorIndex(others, anchor), workspace.pinned);
  model.patchWindow(workspace.windowId, { workspaceIds: insertAt(others, index, workspace.id) });
  return index;
}

/**
 * Moves a workspace to another window, where it is not selected. Its old window must keep another one: the caller puts
 * a fresh one there first if this is its only one (programa-api §5.3).
 */
export function moveWorkspaceToWindow(model: Model, workspaceId: Id, windowId: Id, place: NewWorkspacePlace): void {
  const workspace = model.workspace(workspaceId);
  if (workspace.windowId === windowId) return;
  detachWorkspace(model, workspace);
  const index = newWorkspaceIndex(model, windowId, place, workspace.pinned);
  model.patchWorkspace(workspaceId, { windowId });
  insertWorkspace(model, windowId, workspaceId, index);
}

/**
 * Moves a tab to a new pane beside its own and focuses it. The pane must keep a tab: the caller puts a replacement
 * there first if this is its only one (programa-api §5.4).
 */
export function dragToSplit(model: Model, surface: SurfaceRecord, direction: Direction): PaneRecord {
  const source = surface.paneId;
  detachSurface(model, surface);
  const pane = splitPane(model, source, direction);
  model.panes.put({ ...pane, surfaceIds: [surface.id], selectedId: surface.id });
  model.patchSurface(surface.id, { paneId: pane.id });
  focusInside(model, surface.id);
  return model.pane(pane.id);
}

/** Exchanges the selected tabs of two panes of one workspace; the focused pane stays the same one. */
export function swapPanes(
  model: Model,
  a: PaneRecord,
  b: PaneRecord,
): { source: SurfaceRecord; target: SurfaceRecord } {
  const source = model.surface(a.selectedId);
  const target = model.surface(b.selectedId);
  putInPlaceOf(model, a, source.id, target);
  putInPlaceOf(model, b, target.id, source);
  return { source: model.surface(source.id), target: model.surface(target.id) };
}

/** Moves a tab into a workspace of its own, which is not selected. @throws `invalid_state` if it is alone already */
export function breakOut(model: Model, surface: SurfaceRecord, place: NewWorkspacePlace): PaneRecord {
  if (isLastInWorkspace(model, surface)) {
    return fail('invalid_state', 'The surface is the only one of its workspace', { surface_id: surface.id });
  }
  const { windowId } = model.workspaceOf(surface);
  detachSurface(model, surface);
  return wrapInWorkspace(model, windowId, place, surface);
}

function putInPlaceOf(model: Model, pane: PaneRecord, old: Id, arriving: SurfaceRecord): void {
  const surfaceIds = pane.surfaceIds.map((id) => (id === old ? arriving.id : id));
  model.panes.put({ ...pane, surfaceIds, selectedId: arriving.id });
  model.patchSurface(arriving.id, { paneId: pane.id });
  const others = without(surfaceIds, arriving.id);
  const index = tabIndex(model, others, surfaceIds.indexOf(arriving.id), arriving.pinned);
  model.patchPane(pane.id, { surfaceIds: insertAt(others, index, arriving.id) });
}

/** Takes the surface out of its pane, and its workspace and window out with it if it was their last. */
function leavePane(model: Model, surface: SurfaceRecord): Left {
  if (!isLastInWorkspace(model, surface)) {
    detachSurface(model, surface);
    return NOTHING_LEFT;
  }
  const workspace = model.workspaceOf(surface);
  model.panes.remove(surface.paneId);
  model.workspaces.remove(workspace.id);
  const windowGone = detachWorkspace(model, workspace);
  return { workspaceId: workspace.id, windowId: windowGone ? workspace.windowId : null };
}

function insertTab(model: Model, surface: SurfaceRecord, index: number | undefined): void {
  const pane = model.pane(surface.paneId);
  const at =
    index === undefined
      ? newTabIndex(model, pane, surface.pinned)
      : tabIndex(model, pane.surfaceIds, Math.min(index, pane.surfaceIds.length), surface.pinned);
  const focused = model.workspace(pane.workspaceId).focusedPaneId === pane.id;
  model.surfaces.put(surface);
  const surfaceIds = insertAt(pane.surfaceIds, at, surface.id);
  model.patchPane(pane.id, { surfaceIds, selectedId: focused ? pane.selectedId : surface.id });
}
