import type { Result } from '@switchyard/protocol';
import { directoryOf } from './creating.js';
import { gitFieldsOf } from './git-views.js';
import {
  type BlockRecord,
  entriesOf,
  type LogRecord,
  MAIN_PROGRESS,
  type ProgressRecord,
  type StatusRecord,
} from './metadata.js';
import type { Model } from './model.js';
import type { Place } from './resolve.js';
import { portsIn } from './telemetry.js';
import { ids, where } from './views.js';

type State = Result<'workspace.sidebar_state'>;

const RECENT_ENTRIES = 5;

/** Higher priority first, then the newest. No two of one kind are equally new, so their keys need no look. */
export const byPriority = (a: StatusRecord | BlockRecord, b: StatusRecord | BlockRecord): number =>
  b.priority - a.priority || b.n - a.n;

export const statusRow = ({ id: _, workspaceId: __, n: ___, kind: ____, label: _____, ...row }: StatusRecord) => row;

export const blockRow = ({ key, markdown, priority }: BlockRecord) => ({ key, markdown, priority });

export const logRow = ({ message, level, source, at }: LogRecord) => ({ message, level, source, timestamp: at });

/** All that is shown beside a workspace (programa-api §5.6). */
export function sidebarState(model: Model, place: Place): State {
  const { workspace } = place;
  const focused = model.focusedSurface(workspace);
  const log = entriesOf(model, workspace.id, 'log');
  const { git_branch, pull_request } = gitFieldsOf(model, focused);
  return {
    ...where(place),
    color: workspace.color,
    cwd: workspace.directory,
    focused_cwd: directoryOf(model, focused),
    ...ids('focused_surface', focused),
    git_branch,
    pull_request,
    ports: portsIn(model, workspace),
    progress: mainProgress(entriesOf(model, workspace.id, 'progress')),
    status_entries: entriesOf(model, workspace.id, 'status').sort(byPriority).map(statusRow),
    metadata_blocks: entriesOf(model, workspace.id, 'block').sort(byPriority).map(blockRow),
    log_count: log.length,
    recent_log_entries: log.slice(-RECENT_ENTRIES).map(logRow),
  };
}

/** @param all oldest first */
function mainProgress(all: readonly ProgressRecord[]): State['progress'] {
  const shown = all.find(({ key }) => key === MAIN_PROGRESS) ?? all.at(-1);
  if (shown === undefined) return null;
  const { key, label, value, total } = shown;
  const part = Math.min(1, Math.max(0, value / (total ?? 1)));
  return { value: part, label: label ?? (key === MAIN_PROGRESS ? null : key) };
}
