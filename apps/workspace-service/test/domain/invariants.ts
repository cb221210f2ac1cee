import type { Model } from '../../src/domain/model.js';
import { leaves } from '../../src/domain/split-tree.js';

/** What holds of every model at every moment; answers the breaches in words. */
export function breaches(model: Model, paneCap: number): string[] {
  const found: string[] = [];
  const must = (holds: boolean, what: string) => {
    if (!holds) found.push(what);
  };
  const { windowIds, activeWindowId } = model.yard;
  must(new Set(windowIds).size === windowIds.length && windowIds.length === model.windows.size, 'windows listed once');
  must(windowIds.length === 0 ? activeWindowId === null : windowIds.includes(activeWindowId ?? ''), 'an active window');
  const seen = { workspaces: new Set<string>(), panes: new Set<string>(), surfaces: new Set<string>() };
  for (const window of model.windows.values()) {
    must(window.workspaceIds.includes(window.selectedId), `${window.id} selects one of its workspaces`);
    must(window.history.length <= 50, `${window.id} has a bounded history`);
    must(isPinnedFirst(window.workspaceIds.map((id) => model.workspace(id))), `${window.id} has pinned ones first`);
    for (const id of window.workspaceIds) {
      must(!seen.workspaces.has(id), `${id} is in one window`);
      must(model.workspace(id).windowId === window.id, `${id} knows its window`);
      seen.workspaces.add(id);
    }
  }
  for (const workspace of model.workspaces.values()) {
    const panes = leaves(workspace.tree);
    must(panes.length <= paneCap, `${workspace.id} has at most ${paneCap} panes`);
    must(panes.includes(workspace.focusedPaneId), `${workspace.id} focuses one of its panes`);
    for (const id of panes) {
      must(!seen.panes.has(id), `${id} is in one tree`);
      must(model.pane(id).workspaceId === workspace.id, `${id} knows its workspace`);
      seen.panes.add(id);
    }
  }
  for (const pane of model.panes.values()) {
    must(pane.surfaceIds.length > 0, `${pane.id} has a tab`);
    must(pane.surfaceIds.includes(pane.selectedId), `${pane.id} selects one of its tabs`);
    must(isPinnedFirst(pane.surfaceIds.map((id) => model.surface(id))), `${pane.id} has pinned ones first`);
    for (const id of pane.surfaceIds) {
      must(!seen.surfaces.has(id), `${id} is in one pane`);
      must(model.surface(id).paneId === pane.id, `${id} knows its pane`);
      seen.surfaces.add(id);
    }
  }
  must(seen.workspaces.size === model.workspaces.size, 'every workspace is in a window');
  must(seen.panes.size === model.panes.size, 'every pane is in a tree');
  must(seen.surfaces.size === model.surfaces.size, 'every surface is in a pane');
  return found;
}

function isPinnedFirst(rows: readonly { readonly pinned: boolean }[]): boolean {
  const firstLoose = rows.findIndex(({ pinned }) => !pinned);
  return firstLoose === -1 || rows.slice(firstLoose).every(({ pinned }) => !pinned);
}
