import type { AgentStatus } from '@switchyard/agents';
import type { Result } from '@switchyard/protocol';
import type { AgentSession } from './agent-sessions.js';
import { directoryOf } from './creating.js';
import type { CellSize, Id, PaneRecord, SurfaceRecord, WindowRecord, WorkspaceRecord } from './entities.js';
import { CELL_HEIGHT_PX, CELL_WIDTH_PX, cellsOf, containerFrame, paneFrames } from './geometry.js';
import { gitFieldsOf } from './git-views.js';
import { formatRef } from './handles.js';
import type { Model } from './model.js';
import type { Place, SurfacePlace } from './resolve.js';
import { portsIn, portsOf, telemetryOf } from './telemetry.js';
import { surfaceTitle, workspaceTitle } from './titles.js';

type Referable = { readonly id: Id; readonly ref: number };
type Pair<K extends string> = Record<`${K}_id` | `${K}_ref`, string>;

const refKind = (key: string): 'window' | 'workspace' | 'pane' | 'surface' | 'tab' => {
  const last = key.slice(key.lastIndexOf('_') + 1);
  return last as 'window' | 'workspace' | 'pane' | 'surface' | 'tab';
};

/** `ids('pane', pane)` is `{pane_id, pane_ref}`; `ids('target_pane', pane)` names them so. */
export function ids<K extends string>(key: K, row: Referable): Pair<K> {
  return { [`${key}_id`]: row.id, [`${key}_ref`]: formatRef(refKind(key), row.ref) } as Pair<K>;
}

export function noIds<K extends string>(key: K): Record<`${K}_id` | `${K}_ref`, null> {
  return { [`${key}_id`]: null, [`${key}_ref`]: null } as Record<`${K}_id` | `${K}_ref`, null>;
}

export const self = (kind: 'window' | 'workspace' | 'pane' | 'surface', row: Referable) => ({
  id: row.id,
  ref: formatRef(kind, row.ref),
});

/** Window and workspace, in nearly every result. */
export const where = (place: Place) => ({ ...ids('window', place.window), ...ids('workspace', place.workspace) });

/** Window, workspace, pane and surface. */
export const placed = (place: SurfacePlace) => ({
  ...where(place),
  ...ids('pane', place.pane),
  ...ids('surface', place.surface),
});

export type WorkspaceRow = Result<'workspace.current'>['workspace'];
export type SurfaceRow = Result<'surface.list'>['surfaces'][number];
export type PaneRow = Result<'pane.list'>['panes'][number];
export type WindowRow = Result<'window.list'>['windows'][number];

/** This server reaches other machines in another way; clients of the peer want the object all the same. */
const NO_REMOTE = { enabled: false, state: 'disconnected', connected: false };

export function workspaceRow(model: Model, window: WindowRecord, workspace: WorkspaceRecord): WorkspaceRow {
  return {
    ...self('workspace', workspace),
    index: window.workspaceIds.indexOf(workspace.id),
    title: workspaceTitle(model, workspace),
    description: workspace.description,
    selected: window.selectedId === workspace.id,
    pinned: workspace.pinned,
    listening_ports: portsIn(model, workspace),
    remote: NO_REMOTE,
    current_directory: directoryOf(model, model.focusedSurface(workspace)),
    custom_color: workspace.color,
    ...gitFieldsOf(model, model.focusedSurface(workspace)),
  };
}

export function windowRow(model: Model, window: WindowRecord): WindowRow {
  return {
    ...self('window', window),
    index: model.yard.windowIds.indexOf(window.id),
    key: model.yard.activeWindowId === window.id,
    visible: true,
    workspace_count: window.workspaceIds.length,
    ...ids('selected_workspace', model.workspace(window.selectedId)),
  };
}

/** @param statusOf what is known of the agent in a surface */
export function surfaceRows(model: Model, workspace: WorkspaceRecord, statusOf: (id: Id) => AgentStatus): SurfaceRow[] {
  const focusedId = model.focusedSurface(workspace).id;
  const rows: SurfaceRow[] = [];
  for (const pane of model.panesIn(workspace)) {
    for (const [index_in_pane, id] of pane.surfaceIds.entries()) {
      const surface = model.surface(id);
      const { agent, state, source, activity, question, since } = statusOf(id);
      rows.push({
        ...surfaceHead(surface, rows.length),
        title: surfaceTitle(surface),
        custom_title: surface.customTitle,
        focused: id === focusedId,
        ...ids('pane', pane),
        index_in_pane,
        selected_in_pane: pane.selectedId === id,
        pinned: surface.pinned,
        agent_state: state,
        agent_state_source: source,
        agent,
        agent_activity: activity,
        agent_question: question,
        agent_since: state === null ? null : since,
        agent_session_id: surface.sessions?.current?.sessionId ?? null,
        host: surface.host,
        cwd: surface.cwd ?? surface.launch.cwd,
        git: model.git.of(directoryOf(model, surface)),
        listening_ports: portsOf(surface),
        shell_state: telemetryOf(surface).shellState,
        exit: surface.exit,
      });
    }
  }
  return rows;
}

export const sessionRow = (session: AgentSession): NonNullable<Result<'agent.sessions'>['current']> => ({
  agent: session.agent,
  session_id: session.sessionId,
  transcript_path: session.transcriptPath,
  start_reason: session.startReason,
  parent_session_id: session.parentId,
  pid: session.pid,
  since: session.since,
});

export const surfaceHead = (surface: SurfaceRecord, index: number) => ({
  ...self('surface', surface),
  index,
  type: surface.type,
});

export function paneRows(model: Model, workspace: WorkspaceRecord, cells: CellSize): PaneRow[] {
  const container = containerFrame(cells);
  const frames = paneFrames(workspace.tree, container);
  return model.panesIn(workspace).map((pane, index) => {
    const pixel_frame = frames.get(pane.id) ?? container;
    const { cols, rows } = cellsOf(pixel_frame);
    return {
      ...paneHead(model, workspace, pane, index),
      pixel_frame,
      columns: cols,
      rows,
      cell_width_px: CELL_WIDTH_PX,
      cell_height_px: CELL_HEIGHT_PX,
    };
  });
}

export function paneHead(model: Model, workspace: WorkspaceRecord, pane: PaneRecord, index: number) {
  return {
    ...self('pane', pane),
    index,
    focused: workspace.focusedPaneId === pane.id,
    surface_ids: [...pane.surfaceIds],
    surface_refs: pane.surfaceIds.map((id) => formatRef('surface', model.surface(id).ref)),
    ...ids('selected_surface', model.surface(pane.selectedId)),
    surface_count: pane.surfaceIds.length,
  };
}

export function tabRows(model: Model, pane: PaneRecord): Result<'pane.surfaces'>['surfaces'] {
  return pane.surfaceIds.map((id, index) => {
    const surface = model.surface(id);
    return {
      ...surfaceHead(surface, index),
      title: surfaceTitle(surface),
      selected: pane.selectedId === id,
    };
  });
}
