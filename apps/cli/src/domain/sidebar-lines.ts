import type { Result } from '@switchyard/protocol';
import { cleanText } from './clean-text.js';

type State = Result<'workspace.sidebar_state'>;
type LogEntry = Pick<State['recent_log_entries'][number], 'level' | 'message' | 'source' | 'timestamp'>;
export interface Sidebar extends State {
  readonly progress_entries: Result<'metadata.list_progress'>['entries'];
}

/** What is shown beside a workspace, as lines of text. */
export function sidebarLines(state: Sidebar): string[] {
  const { workspace_ref, focused_cwd, ports, status_entries, metadata_blocks, recent_log_entries, log_count } = state;
  return [
    `${workspace_ref} ${cleanText(focused_cwd)}`,
    ...branchLine(state),
    ...pullRequestLine(state),
    ...(ports.length > 0 ? [`ports ${ports.join(' ')}`] : []),
    ...state.progress_entries.map(progressLine),
    ...status_entries.map(
      ({ key, value, url }) => `${cleanText(key)}: ${indented(value)}${url === null ? '' : ` <${url}>`}`,
    ),
    ...metadata_blocks.flatMap(({ key, markdown }) => [`--- ${cleanText(key)}`, ...cleanLines(markdown)]),
    ...(log_count > recent_log_entries.length ? [`log, the last of ${log_count}:`] : []),
    ...logLines(recent_log_entries),
  ];
}

export function logLines(entries: readonly LogEntry[]): string[] {
  return entries.map(({ level, message, source, timestamp }) => {
    const time = new Date(timestamp).toISOString().slice(0, 19);
    return `${time}Z ${level}${source === null ? '' : ` ${source}`}: ${indented(message)}`;
  });
}

function branchLine({ git_branch }: State): string[] {
  return git_branch === null ? [] : [`branch ${cleanText(git_branch.branch)}${git_branch.dirty ? ' *' : ''}`];
}

function pullRequestLine({ pull_request }: State): string[] {
  if (pull_request === null) return [];
  const { label, number, state, checks, url } = pull_request;
  return [cleanText(`${label} ${number} ${state}${checks === null ? '' : `, checks ${checks}`} <${url}>`)];
}

function progressLine({ key, label, value, total }: Sidebar['progress_entries'][number]): string {
  const whole = total ?? 1;
  const percent = Math.round((100 * Math.min(whole, Math.max(0, value))) / whole);
  const count = total === null || total === 1 || total === 100 ? '' : ` (${value}/${total})`;
  return `${percent}%${count}${label === 'main' && key === 'main' ? '' : ` ${cleanText(label)}`}`;
}

const cleanLines = (text: string): string[] => text.split('\n').map((line) => cleanText(line));
const indented = (text: string): string => cleanLines(text).join('\n  ');
