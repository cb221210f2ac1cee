import type { Result } from '@switchyard/protocol';
import type { WindowRecord, WorkspaceRecord } from './entities.js';
import { gitFieldsOf } from './git-views.js';
import { readHandle } from './handles.js';
import type { Model } from './model.js';
import { at, type SurfacePlace } from './resolve.js';
import { telemetryOf } from './telemetry.js';
import { surfaceTitle, workspaceTitle } from './titles.js';
import { ids, noIds, paneHead, placed, self, surfaceHead } from './views.js';

type Tree = Result<'system.tree'>;
type WindowNode = Tree['windows'][number];
type WorkspaceNode = WindowNode['workspaces'][number];
type PaneNode = WorkspaceNode['panes'][number];
type IdentityPlace = NonNullable<Result<'system.identify'>['focused']>;

/** What a caller says of itself. */
export interface CallerClaim {
  readonly workspace_id?: string | undefined;
  readonly surface_id?: string | undefined;
}

/** The surface in front: of the selected workspace of the active window. */
export function frontSurface(model: Model): SurfacePlace | undefined {
  const { activeWindowId } = model.yard;
  if (activeWindowId === null) return undefined;
  return at(model, model.focusedSurface(model.workspace(model.window(activeWindowId).selectedId)).id);
}

export function identityOf(place: SurfacePlace): IdentityPlace {
  return {
    ...placed(place),
    ...ids('tab', place.surface),
    surface_type: place.surface.type,
    is_browser_surface: false,
  };
}

/** Where the caller is (programa-api §5.1): null when even its workspace is unknown. */
export function callerPlace(model: Model, claim: CallerClaim | undefined): IdentityPlace | null {
  if (!claim) return null;
  const surface = readHandle(model, 'surface', claim.surface_id);
  const workspace = readHandle(model, 'workspace', claim.workspace_id);
  const found = surface.is === 'known' ? at(model, surface.id) : undefined;
  if (found && (workspace.is !== 'known' || found.workspace.id === workspace.id)) return identityOf(found);
  if (workspace.is !== 'known') return null;
  const record = model.workspace(workspace.id);
  return {
    ...ids('window', model.window(record.windowId)),
    ...ids('workspace', record),
    ...noIds('pane'),
    ...noIds('surface'),
    ...noIds('tab'),
    surface_type: null,
    is_browser_surface: null,
  };
}

/** Answers the device of a surface's terminal, if it runs. */
export type TtyOf = (surfaceId: string) => string | null;

/** A window with the given ones of its workspaces (programa-api §5.13). */
export function windowNode(model: Model, window: WindowRecord, shown: readonly string[], ttyOf: TtyOf): WindowNode {
  return {
    ...self('window', window),
    index: model.yard.windowIds.indexOf(window.id),
    key: model.yard.activeWindowId === window.id,
    visible: true,
    workspace_count: shown.length,
    ...ids('selected_workspace', model.workspace(window.selectedId)),
    workspaces: shown.map((id) => workspaceNode(model, window, model.workspace(id), ttyOf)),
  };
}

function workspaceNode(model: Model, window: WindowRecord, workspace: WorkspaceRecord, ttyOf: TtyOf): WorkspaceNode {
  return {
    ...self('workspace', workspace),
    index: window.workspaceIds.indexOf(workspace.id),
    title: workspaceTitle(model, workspace),
    description: workspace.description,
    selected: window.selectedId === workspace.id,
    pinned: workspace.pinned,
    ...gitFieldsOf(model, model.focusedSurface(workspace)),
    panes: paneNodes(model, workspace, ttyOf),
  };
}

function paneNodes(model: Model, workspace: WorkspaceRecord, ttyOf: TtyOf): PaneNode[] {
  const focusedId = model.focusedSurface(workspace).id;
  let index = 0;
  return model.panesIn(workspace).map((pane, paneIndex) => ({
    ...paneHead(model, workspace, pane, paneIndex),
    surfaces: pane.surfaceIds.map((id, index_in_pane) => {
      const surface = model.surface(id);
      return {
        ...surfaceHead(surface, index++),
        title: surfaceTitle(surface),
        focused: id === focusedId,
        selected: pane.selectedId === id,
        selected_in_pane: pane.selectedId === id,
        ...ids('pane', pane),
        index_in_pane,
        tty: telemetryOf(surface).tty ?? ttyOf(id),
        url: null,
      };
    }),
  }));
}
