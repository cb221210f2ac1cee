import type { JournalNote } from '@switchyard/protocol';
import type {
  ClosedRecord,
  ExitInfo,
  Id,
  PaneRecord,
  SurfaceRecord,
  WindowRecord,
  WorkspaceRecord,
} from './entities.js';
import { frontSurface } from './identity.js';
import type { Model } from './model.js';
import { leaves } from './split-tree.js';
import type { Image } from './table.js';
import { surfaceTitle, workspaceTitle } from './titles.js';

/**
 * What a change of the model means to those who watch it, read off the records that it touched: so no method can forget
 * to tell, and what changes nothing tells nothing. From the outside in for what was made, from the inside out for what
 * is gone. In what was made, the first of several is not what it shows for sure: that is told as well.
 *
 * @param front the surface that was in front before the change
 */
export function notesOfChange(model: Model, front: Id | undefined): JournalNote[] {
  const windows = model.windows.images();
  const workspaces = model.workspaces.images();
  const panes = model.panes.images();
  const surfaces = model.surfaces.images();
  const closed = model.closed.images();
  const paneBefore = new Map(panes.flatMap(({ id, before }) => (before === undefined ? [] : [[id, before] as const])));
  return [
    ...windows.flatMap(windowMade),
    ...workspaces.flatMap((image) => workspaceMade(model, image)),
    ...panes.flatMap(paneMade),
    ...surfaces.flatMap((image) => surfaceMade(model, image, closed)),
    ...windows.flatMap(windowChanged),
    ...workspaces.flatMap((image) => workspaceChanged(model, image)),
    ...panes.flatMap((image) => paneChanged(model, image)),
    ...surfaces.flatMap((image) => surfaceChanged(model, image)),
    ...closed.flatMap((image) => closedChanged(image, surfaces)),
    ...surfaces.flatMap((image) => surfaceGone(model, image, paneBefore)),
    ...panes.flatMap(paneGone),
    ...workspaces.flatMap(workspaceGone),
    ...windows.flatMap(windowGone),
    ...activated(model),
    ...focused(model, front),
  ];
}

const NOWHERE = { workspace_id: null, surface_id: null } as const;
const inWorkspace = (workspace_id: Id) => ({ workspace_id, surface_id: null }) as const;

function windowMade({ before, after }: Image<WindowRecord>): JournalNote[] {
  if (before !== undefined || after === undefined) return [];
  return [{ kind: 'window.created', ...NOWHERE, data: { window_id: after.id } }];
}

function windowGone({ before, after }: Image<WindowRecord>): JournalNote[] {
  if (before === undefined || after !== undefined) return [];
  return [{ kind: 'window.closed', ...NOWHERE, data: { window_id: before.id } }];
}

function windowChanged({ before, after }: Image<WindowRecord>): JournalNote[] {
  if (after === undefined) return [];
  const { id: window_id, workspaceIds, selectedId } = after;
  const selected = { kind: 'workspace.selected', ...inWorkspace(selectedId), data: { window_id } } as const;
  if (before === undefined) return workspaceIds.length > 1 ? [selected] : [];
  const notes: JournalNote[] = [];
  if (isOtherOrder(before.workspaceIds, workspaceIds)) {
    notes.push({ kind: 'workspace.reordered', ...NOWHERE, data: { window_id, workspace_ids: [...workspaceIds] } });
  }
  if (before.selectedId !== selectedId) notes.push(selected);
  return notes;
}

function workspaceMade(model: Model, { before, after }: Image<WorkspaceRecord>): JournalNote[] {
  if (before !== undefined || after === undefined) return [];
  const data = { window_id: after.windowId, title: workspaceTitle(model, after) };
  return [{ kind: 'workspace.created', ...inWorkspace(after.id), data }];
}

function workspaceGone({ before, after }: Image<WorkspaceRecord>): JournalNote[] {
  if (before === undefined || after !== undefined) return [];
  const data = { window_id: before.windowId, custom_title: before.customTitle };
  return [{ kind: 'workspace.closed', ...inWorkspace(before.id), data }];
}

function workspaceChanged(model: Model, { before, after }: Image<WorkspaceRecord>): JournalNote[] {
  if (after === undefined) return [];
  const place = inWorkspace(after.id);
  const focused = { kind: 'pane.focused', ...place, data: { pane_id: after.focusedPaneId } } as const;
  if (before === undefined) return leaves(after.tree).length > 1 ? [focused] : [];
  const notes: JournalNote[] = [];
  if (before.windowId !== after.windowId) {
    const data = { window_id: after.windowId, from_window_id: before.windowId };
    notes.push({ kind: 'workspace.moved', ...place, data });
  }
  if (before.customTitle !== after.customTitle) {
    const data = { title: workspaceTitle(model, after), custom_title: after.customTitle };
    notes.push({ kind: 'workspace.renamed', ...place, data });
  }
  if (before.tree !== after.tree) {
    notes.push({ kind: 'layout.changed', ...place, data: { pane_ids: leaves(after.tree) } });
  }
  if (before.focusedPaneId !== after.focusedPaneId) notes.push(focused);
  if (WORKSPACE_MARKS.some((mark) => before[mark] !== after[mark])) {
    const { pinned, unread, color, description, directory } = after;
    notes.push({ kind: 'workspace.updated', ...place, data: { pinned, unread, color, description, directory } });
  }
  return notes;
}

const WORKSPACE_MARKS = ['pinned', 'unread', 'color', 'description', 'directory'] as const;

function paneMade({ before, after }: Image<PaneRecord>): JournalNote[] {
  if (before !== undefined || after === undefined) return [];
  return [{ kind: 'pane.created', ...inWorkspace(after.workspaceId), data: { pane_id: after.id } }];
}

function paneGone({ before, after }: Image<PaneRecord>): JournalNote[] {
  if (before === undefined || after !== undefined) return [];
  return [{ kind: 'pane.closed', ...inWorkspace(before.workspaceId), data: { pane_id: before.id } }];
}

function paneChanged(model: Model, { before, after }: Image<PaneRecord>): JournalNote[] {
  if (after === undefined) return [];
  const { id: pane_id, workspaceId, surfaceIds, selectedId } = after;
  const place = { workspace_id: workspaceId, surface_id: selectedId };
  const selected = { kind: 'surface.selected', ...place, data: { pane_id } } as const;
  if (before === undefined) return surfaceIds.length > 1 ? [selected] : [];
  const notes: JournalNote[] = [];
  if (before.workspaceId !== workspaceId) {
    const data = { pane_id, from_workspace_id: before.workspaceId };
    notes.push({ kind: 'pane.moved', ...inWorkspace(workspaceId), data });
  }
  if (isOtherOrder(before.surfaceIds, surfaceIds)) {
    const data = { pane_id, surface_ids: [...surfaceIds] };
    notes.push({ kind: 'surface.reordered', ...inWorkspace(workspaceId), data });
  }
  if (before.selectedId !== selectedId && model.surfaces.has(selectedId)) notes.push(selected);
  return notes;
}

function surfaceMade(
  model: Model,
  { before, after }: Image<SurfaceRecord>,
  closed: readonly Image<ClosedRecord>[],
): JournalNote[] {
  if (before !== undefined || after === undefined) return [];
  const data = {
    pane_id: after.paneId,
    type: after.type,
    host: after.host,
    title: surfaceTitle(after),
    reopened: closed.some((image) => image.id === after.id),
  };
  return [{ kind: 'surface.created', ...placeOf(model, after), data }];
}

function surfaceGone(
  model: Model,
  { before, after }: Image<SurfaceRecord>,
  paneBefore: ReadonlyMap<Id, PaneRecord>,
): JournalNote[] {
  if (before === undefined || after !== undefined) return [];
  const pane = model.panes.get(before.paneId) ?? paneBefore.get(before.paneId);
  const place = { workspace_id: pane?.workspaceId ?? null, surface_id: before.id };
  return [{ kind: 'surface.closed', ...place, data: { pane_id: before.paneId } }];
}

function surfaceChanged(model: Model, { before, after }: Image<SurfaceRecord>): JournalNote[] {
  if (before === undefined || after === undefined) return [];
  const place = placeOf(model, after);
  const notes: JournalNote[] = [];
  if (before.paneId !== after.paneId) {
    const data = { pane_id: after.paneId, from_pane_id: before.paneId };
    notes.push({ kind: 'surface.moved', ...place, data });
  }
  if (before.startedAt !== after.startedAt) {
    notes.push({ kind: 'surface.started', ...place, data: { host: after.host } });
  }
  if (before.customTitle !== after.customTitle) {
    const data = { title: surfaceTitle(after), custom_title: after.customTitle };
    notes.push({ kind: 'surface.renamed', ...place, data });
  }
  if (before.processTitle !== after.processTitle) {
    notes.push({ kind: 'surface.title_changed', ...place, data: { title: surfaceTitle(after) } });
  }
  if (before.cwd !== after.cwd) notes.push({ kind: 'surface.directory_changed', ...place, data: { cwd: after.cwd } });
  if (before.pinned !== after.pinned || before.unread !== after.unread) {
    notes.push({ kind: 'surface.updated', ...place, data: { pinned: after.pinned, unread: after.unread } });
  }
  if (before.exit === null && after.exit !== null) notes.push(exited(place, after.exit));
  return notes;
}

/** The program of a surface has ended together with it or after it. */
function closedChanged(
  { id, before, after }: Image<ClosedRecord>,
  surfaces: readonly Image<SurfaceRecord>[],
): JournalNote[] {
  const exit = after?.surface.exit;
  if (after === undefined || exit === undefined || exit === null) return [];
  const known = before?.surface ?? surfaces.find((image) => image.id === id)?.before;
  if (known === undefined || known.exit !== null) return [];
  return [exited({ workspace_id: after.workspace.id, surface_id: id }, exit)];
}

function exited(place: { readonly workspace_id: Id; readonly surface_id: Id }, exit: ExitInfo): JournalNote {
  return { kind: 'surface.exited', ...place, data: { exit: { ...exit } } };
}

function activated(model: Model): JournalNote[] {
  return model.yards.images().flatMap(({ before, after }): JournalNote[] => {
    const window_id = after?.activeWindowId ?? null;
    if (window_id === null || window_id === (before?.activeWindowId ?? null)) return [];
    return [{ kind: 'window.activated', ...NOWHERE, data: { window_id } }];
  });
}

function focused(model: Model, before: Id | undefined): JournalNote[] {
  const front = frontSurface(model);
  if (front === undefined || front.surface.id === before) return [];
  const place = { workspace_id: front.workspace.id, surface_id: front.surface.id };
  return [{ kind: 'surface.focused', ...place, data: { pane_id: front.pane.id } }];
}

function placeOf(model: Model, surface: SurfaceRecord) {
  return { workspace_id: model.workspaceOf(surface).id, surface_id: surface.id };
}

/** The same members in another order; a list that gained or lost one is told by what came or went. */
function isOtherOrder(before: readonly Id[], after: readonly Id[]): boolean {
  if (before === after || before.length !== after.length) return false;
  const had = new Set(before);
  return after.some((id, i) => id !== before[i]) && after.every((id) => had.has(id));
}
