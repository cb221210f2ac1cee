import type { Id, PaneRecord } from './entities.js';
import type { Model } from './model.js';

/** Where new workspaces go (setting `layout.new_workspace`). */
export type NewWorkspacePlace = 'top' | 'after-current' | 'end';

interface Pinnable {
  readonly pinned: boolean;
}

/** How many pinned ones lead a list: they stay together at its front (programa-api §6.3, §6.4). */
function pinnedCount(ids: readonly Id[], get: (id: Id) => Pinnable): number {
  const index = ids.findIndex((id) => !get(id).pinned);
  return index === -1 ? ids.length : index;
}

/** The nearest allowed index: pinned before unpinned. `ids` does not hold the one that is placed. */
function withinGroup(ids: readonly Id[], index: number, pinned: boolean, get: (id: Id) => Pinnable): number {
  const boundary = pinnedCount(ids, get);
  const [low, high] = pinned ? [0, boundary] : [boundary, ids.length];
  return Math.min(high, Math.max(low, index));
}

export function insertAt(ids: readonly Id[], index: number, id: Id): Id[] {
  return [...ids.slice(0, index), id, ...ids.slice(index)];
}

export const without = (ids: readonly Id[], id: Id): Id[] => ids.filter((other) => other !== id);

/** Index for a workspace that arrives in a window: after the selected one by default (programa-api §6.3). */
export function newWorkspaceIndex(model: Model, windowId: Id, place: NewWorkspacePlace, pinned = false): number {
  const { workspaceIds, selectedId } = model.window(windowId);
  const wanted = { top: 0, 'after-current': workspaceIds.indexOf(selectedId) + 1, end: workspaceIds.length }[place];
  return withinGroup(workspaceIds, wanted, pinned, (id) => model.workspace(id));
}

/** Index for a tab that arrives in a pane: right after the selected one (programa-api §6.3). */
export function newTabIndex(model: Model, pane: PaneRecord, pinned = false): number {
  return tabIndex(model, pane.surfaceIds, pane.surfaceIds.indexOf(pane.selectedId) + 1, pinned);
}

/** The nearest index allowed for a tab among `ids`, which does not hold it. */
export function tabIndex(model: Model, ids: readonly Id[], index: number, pinned: boolean): number {
  return withinGroup(ids, index, pinned, (id) => model.surface(id));
}

/** The nearest index allowed for a workspace among `ids`, which does not hold it. */
export function workspaceIndex(model: Model, ids: readonly Id[], index: number, pinned: boolean): number {
  return withinGroup(ids, index, pinned, (id) => model.workspace(id));
}

/** Where a reorder leads: an index, or before or after another. `ids` does not hold the one that moves. */
export type Anchor = { readonly index: number } | { readonly before: Id } | { readonly after: Id };

export function anchorIndex(ids: readonly Id[], anchor: Anchor): number {
  if ('index' in anchor) return Math.min(ids.length, Math.max(0, anchor.index));
  return 'before' in anchor ? ids.indexOf(anchor.before) : ids.indexOf(anchor.after) + 1;
}
