import { plainText } from '@switchyard/agents';
import { fail, type HandlersIn, type Params } from '@switchyard/protocol';
import { dropAgentPids, putAgentPid } from '../domain/agent-pids.js';
import type { Id } from '../domain/entities.js';
import {
  addToLog,
  clearEntry,
  clearLog,
  entriesOf,
  MAIN_PROGRESS,
  resetMetadata,
  setBlock,
  setProgress,
  setStatus,
} from '../domain/metadata.js';
import type { Model } from '../domain/model.js';
import { resolvePlace } from '../domain/resolve.js';
import { blockRow, byPriority, logRow, sidebarState, statusRow } from '../domain/sidebar-views.js';
import { where } from '../domain/views.js';
import type { Services } from '../services.js';
import type { Call } from '../yard-state.js';
import { reportedWorkspace } from './reported.js';
import { clean, clearAllReports } from './telemetry.js';

type Workspace = HandlersIn<'workspace', 'workspace-service', Call>;
export type SidebarMethods =
  | 'workspace.set_status'
  | 'workspace.clear_status'
  | 'workspace.list_status'
  | 'workspace.log'
  | 'workspace.list_log'
  | 'workspace.clear_log'
  | 'workspace.set_progress'
  | 'workspace.clear_progress'
  | 'workspace.report_meta_block'
  | 'workspace.clear_meta_block'
  | 'workspace.list_meta_blocks'
  | 'workspace.sidebar_state'
  | 'workspace.reset_sidebar';
type ReadMethods =
  | 'workspace.list_status'
  | 'workspace.list_log'
  | 'workspace.list_meta_blocks'
  | 'workspace.sidebar_state';

/** What is shown beside a workspace, as the peer's clients set and read it. */
export function sidebarHandlers(services: Services): Pick<Workspace, SidebarMethods> {
  return { ...writers(services), ...readers(services) };
}

function writers(services: Services): Pick<Workspace, Exclude<SidebarMethods, ReadMethods>> {
  const { model, state, config } = services;
  /** Changes a workspace that may be gone: then nothing does. */
  const report = <T>(handle: string, fn: (model: Model, id: Id) => T) => {
    const { id, echo } = reportedWorkspace(model, handle);
    return { echo, done: id === undefined ? undefined : state.change((changed) => fn(changed, id)) };
  };
  return {
    'workspace.set_status': (params) => {
      const { workspace_id, key, pid } = params;
      const value = cleanLines('value', params.value);
      const looks = statusLooks(params);
      const { echo } = report(workspace_id, (_, id) => {
        setStatus(model, id, { key, label: null, value, ...looks });
        if (pid !== undefined) putAgentPid(model, id, { key, pid });
      });
      return { ...echo, key, value };
    },
    'workspace.clear_status': ({ workspace_id, key }) => {
      const { echo } = report(workspace_id, (_, id) => {
        clearEntry(model, id, 'status', key);
        dropAgentPids(model, id, key);
      });
      return { ...echo, key };
    },
    'workspace.log': ({ workspace_id, message: text, level = 'info', source: by }) => {
      const message = cleanLines('message', text);
      const source = lineOrNull('source', by);
      const entry = { message, level, source, at: model.now() };
      const { echo } = report(workspace_id, (_, id) => addToLog(model, id, entry, config().rules.logEntries));
      return { ...echo, message, level, source };
    },
    'workspace.clear_log': ({ workspace_id }) => report(workspace_id, clearLog).echo,
    'workspace.set_progress': ({ workspace_id, value: given, label: text }) => {
      const value = Math.min(1, Math.max(0, given));
      const label = lineOrNull('label', text);
      const entry = { key: MAIN_PROGRESS, label, value, total: 1 };
      const { echo } = report(workspace_id, (_, id) => setProgress(model, id, entry));
      return { ...echo, value, label };
    },
    'workspace.clear_progress': ({ workspace_id }) =>
      report(workspace_id, (_, id) => clearEntry(model, id, 'progress', MAIN_PROGRESS)).echo,
    'workspace.report_meta_block': ({ workspace_id, key, markdown: text, priority = 0 }) => {
      const markdown = cleanLines('markdown', text);
      const { echo } = report(workspace_id, (_, id) => setBlock(model, id, { key, markdown, priority }));
      return { ...echo, key, markdown, priority };
    },
    'workspace.clear_meta_block': ({ workspace_id, key }) => {
      const { echo, done } = report(workspace_id, (_, id) => clearEntry(model, id, 'block', key));
      return { ...echo, key, found: done ?? false };
    },
    'workspace.reset_sidebar': ({ workspace_id }) => {
      const { id, echo } = reportedWorkspace(model, workspace_id);
      if (id === undefined) return echo;
      state.change(() => {
        resetMetadata(model, id);
        dropAgentPids(model, id);
      });
      clearAllReports(services, model.surfacesIn(model.workspace(id)));
      return echo;
    },
  };
}

function readers({ model }: Services): Pick<Workspace, ReadMethods> {
  return {
    'workspace.list_status': (params) => {
      const place = resolvePlace(model, params);
      const entries = entriesOf(model, place.workspace.id, 'status').sort(byPriority).map(statusRow);
      return { ...where(place), entries };
    },
    'workspace.list_log': (params) => {
      const place = resolvePlace(model, params);
      const all = entriesOf(model, place.workspace.id, 'log');
      return {
        ...where(place),
        entries: all.slice(all.length - Math.min(params.limit ?? all.length, all.length)).map(logRow),
      };
    },
    'workspace.list_meta_blocks': (params) => {
      const place = resolvePlace(model, params);
      return { ...where(place), blocks: entriesOf(model, place.workspace.id, 'block').sort(byPriority).map(blockRow) };
    },
    'workspace.sidebar_state': (params) => sidebarState(model, resolvePlace(model, params)),
  };
}

export const lineOrNull = (parameter: string, text: string | undefined): string | null =>
  text === undefined ? null : clean(parameter, text);

/** How a line looks, without control sequences. */
export function statusLooks(params: Partial<Params<'metadata.set_status'>>) {
  const { icon, color, url, priority = 0, format = 'plain' as const } = params;
  const looks = { icon: lineOrNull('icon', icon), color: lineOrNull('color', color), url: lineOrNull('url', url) };
  return { ...looks, priority, format };
}

/** Lines without control sequences. @throws `invalid_params` when nothing is left of them */
export function cleanLines(parameter: string, text: string): string {
  const lines = plainText(text);
  if (lines.trim() !== '') return lines;
  return fail('invalid_params', `Missing or invalid ${parameter}`, { path: parameter });
}
