import { fail } from '@switchyard/protocol';
import type { Id, PaneRecord, SurfaceRecord, WindowRecord, WorkspaceRecord } from './entities.js';
import { readHandle } from './handles.js';
import type { Model } from './model.js';

/** The parameters that name a place, as sent. */
export interface Context {
  readonly window_id?: string | undefined;
  readonly workspace_id?: string | undefined;
  readonly surface_id?: string | undefined;
  readonly tab_id?: string | undefined;
}

export interface Place {
  readonly window: WindowRecord;
  readonly workspace: WorkspaceRecord;
}
export interface SurfacePlace extends Place {
  readonly pane: PaneRecord;
  readonly surface: SurfaceRecord;
}

const surfaceText = (context: Context): string | undefined => context.surface_id ?? context.tab_id;

/** Workspace that holds the surface named by the context, if it names a live one. */
function workspaceOfSurface(model: Model, context: Context): WorkspaceRecord | undefined {
  const handle = readHandle(model, 'surface', surfaceText(context));
  return handle.is === 'known' ? model.workspaceOf(model.surface(handle.id)) : undefined;
}

/**
 * Which window is meant (programa-api §2.6): the one named, else the one that owns the workspace, else the one that owns
 * the surface, else the active one.
 *
 * @throws `unavailable` when a window is named that does not exist, or there is none
 */
export function resolveWindow(model: Model, context: Context): WindowRecord {
  const named = readHandle(model, 'window', context.window_id);
  if (named.is === 'known') return model.window(named.id);
  if (named.is === 'unknown') return fail('unavailable', 'No such window', { window_id: context.window_id });
  const workspace = readHandle(model, 'workspace', context.workspace_id);
  if (workspace.is === 'known') return model.window(model.workspace(workspace.id).windowId);
  const holder = workspaceOfSurface(model, context);
  if (holder) return model.window(holder.windowId);
  const active = model.yard.activeWindowId;
  return active === null ? fail('unavailable', 'There is no window') : model.window(active);
}

/**
 * Which workspace is meant (programa-api §2.6): the one named, inside the resolved window; else the one that holds the
 * surface; else the window's selected one.
 *
 * @throws `unavailable` as {@link resolveWindow}, `not_found` when the workspace does not exist in that window, or when
 *   only a surface is named and that does not exist
 */
export function resolvePlace(model: Model, context: Context): Place {
  const window = resolveWindow(model, context);
  const named = readHandle(model, 'workspace', context.workspace_id);
  if (named.is === 'unknown') return noWorkspace(context);
  if (named.is === 'known') {
    const workspace = model.workspace(named.id);
    return workspace.windowId === window.id ? { window, workspace } : noWorkspace(context);
  }
  const surface = readHandle(model, 'surface', surfaceText(context));
  if (surface.is === 'unknown') return noSurface(context);
  const holder = workspaceOfSurface(model, context);
  if (holder && holder.windowId === window.id) return { window, workspace: holder };
  return { window, workspace: model.workspace(window.selectedId) };
}

function noWorkspace(context: Context): never {
  return fail('not_found', 'Workspace not found', { workspace_id: context.workspace_id });
}

/** What an unreadable surface handle means for a method (programa-api §2.4). */
export type Unreadable = 'absent' | 'not_found';

/**
 * Which surface is meant: the one named, which must be in the resolved workspace; else that workspace's focused one.
 *
 * @throws `not_found` for a surface that does not exist there, and as {@link resolvePlace}
 */
export function resolveSurface(model: Model, context: Context, unreadable: Unreadable = 'absent'): SurfacePlace {
  const place = resolvePlace(model, context);
  const handle = readHandle(model, 'surface', surfaceText(context));
  if (handle.is === 'unknown' || (handle.is === 'unreadable' && unreadable === 'not_found')) return noSurface(context);
  if (handle.is !== 'known') return at(model, model.focusedSurface(place.workspace).id);
  const found = at(model, handle.id);
  return found.workspace.id === place.workspace.id ? found : noSurface(context);
}

/** As {@link resolveSurface}, but an unknown surface means the focused one: only `surface.split` (decision 8). */
export function resolveSurfaceOrFocused(model: Model, context: Context): SurfacePlace {
  const handle = readHandle(model, 'surface', surfaceText(context));
  const isKnown = handle.is === 'known';
  const place = resolvePlace(model, isKnown ? context : { ...context, surface_id: undefined, tab_id: undefined });
  if (isKnown) {
    const found = at(model, handle.id);
    if (found.workspace.id === place.workspace.id) return found;
  }
  return at(model, model.focusedSurface(place.workspace).id);
}

/** A live surface with all that holds it. @throws `not_found` */
export function at(model: Model, surfaceId: Id): SurfacePlace {
  const surface = model.surface(surfaceId);
  const pane = model.pane(surface.paneId);
  const workspace = model.workspace(pane.workspaceId);
  return { window: model.window(workspace.windowId), workspace, pane, surface };
}

function noSurface(context: Context): never {
  return fail('not_found', 'Surface not found', { surface_id: surfaceText(context) });
}
