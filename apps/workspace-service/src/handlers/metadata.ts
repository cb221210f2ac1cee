import type { HandlersIn, Result } from '@switchyard/protocol';
import { directoryOf } from '../domain/creating.js';
import { gitFieldsOf } from '../domain/git-views.js';
import {
  addToLog,
  clearEntries,
  clearEntry,
  clearLog,
  entriesOf,
  type KeyedRecord,
  type ProgressRecord,
  type StatusRecord,
  setProgress,
  setStatus,
} from '../domain/metadata.js';
import { at, type Context, type Place, resolvePlace } from '../domain/resolve.js';
import { logRow } from '../domain/sidebar-views.js';
import { portsIn } from '../domain/telemetry.js';
import { workspaceTitle } from '../domain/titles.js';
import { ids, self, where } from '../domain/views.js';
import type { Services } from '../services.js';
import type { Call } from '../yard-state.js';
import { rowOf } from './agent-targets.js';
import { cleanLines, lineOrNull, statusLooks } from './sidebar.js';

type Metadata = HandlersIn<'metadata', 'workspace-service', Call>;

/** What is shown beside a workspace, as ForkTTY spells it. */
export function metadataHandlers(services: Services): Metadata {
  return { ...statuses(services), ...progresses(services), ...logs(services) };
}

function statuses({
  model,
  state,
}: Services): Pick<Metadata, 'metadata.set_status' | 'metadata.list_status' | 'metadata.clear_status'> {
  return {
    'metadata.set_status': (params) => {
      const place = resolvePlace(model, params);
      const { key } = params;
      const label = lineOrNull('label', params.label);
      const value = cleanLines('value', params.value);
      const looks = statusLooks(params);
      state.change(() => setStatus(model, place.workspace.id, { key, label, value, ...looks }));
      return { ...where(place), key, label: label ?? key, value, color: looks.color };
    },
    'metadata.list_status': (params) => {
      const place = resolvePlace(model, params);
      return { ...where(place), entries: entriesOf(model, place.workspace.id, 'status').map(statusRow) };
    },
    'metadata.clear_status': (params) => cleared({ model, state }, params, 'status'),
  };
}

function progresses({
  model,
  state,
}: Services): Pick<Metadata, 'metadata.set_progress' | 'metadata.list_progress' | 'metadata.clear_progress'> {
  return {
    'metadata.set_progress': (params) => {
      const place = resolvePlace(model, params);
      const { key, total = null } = params;
      const label = lineOrNull('label', params.label);
      const value = total === null ? params.value : Math.min(total, Math.max(0, params.value));
      state.change(() => setProgress(model, place.workspace.id, { key, label, value, total }));
      return { ...where(place), key, label: label ?? key, value, total };
    },
    'metadata.list_progress': (params) => {
      const place = resolvePlace(model, params);
      return { ...where(place), entries: entriesOf(model, place.workspace.id, 'progress').map(progressRow) };
    },
    'metadata.clear_progress': (params) => cleared({ model, state }, params, 'progress'),
  };
}

function logs({
  model,
  state,
  config,
}: Services): Pick<Metadata, 'metadata.log' | 'metadata.list_logs' | 'metadata.clear_logs'> {
  return {
    'metadata.log': (params) => {
      const place = resolvePlace(model, params);
      const { level = 'info' } = params;
      const message = cleanLines('message', params.message);
      const source = lineOrNull('source', params.source);
      const given = { message, level, source, at: model.now() };
      const entry = state.change(() => addToLog(model, place.workspace.id, given, config().rules.logEntries));
      return { ...where(place), ...logRow(entry) };
    },
    'metadata.list_logs': (params) => {
      const place = resolvePlace(model, params);
      return { ...where(place), entries: entriesOf(model, place.workspace.id, 'log').map(logRow) };
    },
    'metadata.clear_logs': (params) => {
      const place = resolvePlace(model, params);
      state.change(() => clearLog(model, place.workspace.id));
      return { ...where(place), cleared: true };
    },
  };
}

function cleared(
  { model, state }: Pick<Services, 'model' | 'state'>,
  { key, ...context }: Context & { readonly key?: string },
  kind: KeyedRecord['kind'],
): Result<'metadata.clear_status'> {
  const place = resolvePlace(model, context);
  const { id } = place.workspace;
  state.change(() => {
    if (key === undefined) clearEntries(model, id, kind);
    else clearEntry(model, id, kind, key);
  });
  return { ...where(place), cleared: true };
}

/** `status.summary`: a workspace in one answer. */
export function summaryHandlers(services: Services): HandlersIn<'status', 'workspace-service', Call> {
  const { model } = services;
  return {
    'status.summary': (params) => {
      const place = resolvePlace(model, params);
      const { id } = place.workspace;
      return {
        ...where(place),
        workspace: summaryRow(services, place),
        agents: agentsIn(services, place),
        status: entriesOf(model, id, 'status').map(statusRow),
        progress: entriesOf(model, id, 'progress').map(progressRow),
      };
    },
  };
}

function summaryRow({ model }: Services, { workspace }: Place): Result<'status.summary'>['workspace'] {
  const focused = model.focusedSurface(workspace);
  const { git, git_branch } = gitFieldsOf(model, focused);
  return {
    ...self('workspace', workspace),
    name: workspaceTitle(model, workspace),
    working_dir: directoryOf(model, focused),
    git_branch: git_branch?.branch ?? null,
    worktree_name: git === null ? null : (git.root.split('/').at(-1) ?? null),
    ...ids('focused_surface', focused),
    surfaces: model.surfacesIn(workspace).length,
    ports: portsIn(model, workspace),
  };
}

function agentsIn(services: Services, { workspace }: Place): Result<'status.summary'>['agents'] {
  const { model, agents } = services;
  const known = model.surfacesIn(workspace).filter(({ id }) => {
    const { agent, state } = agents.statusOf(id);
    return agent !== null || state !== null;
  });
  return known.map(({ id }) => rowOf(services, at(model, id)));
}

const statusRow = ({ key, label, value, color }: StatusRecord) => ({ key, label: label ?? key, value, color });
const progressRow = ({ key, label, value, total }: ProgressRecord) => ({ key, label: label ?? key, value, total });
