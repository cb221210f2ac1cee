import { AgentQuestion } from '../contract/agent-shapes.js';
import { HOST_STATES } from '../contract/host.js';
import { LogLevel, Port, PR_CHECKS, PR_STATES } from '../contract/metadata-shapes.js';
import { NoticeAction, NoticeAdapter, NoticeLevel, NoticeReason, Suppressed } from '../contract/notification-shapes.js';
import { AgentState, AgentStateSource, nullable, SurfaceType } from '../contract/shapes.js';
import { Exit } from '../contract/terminal.js';
import { SERVICES } from '../define.js';
import { type Static, type TObject, type TSchema, Type } from '../schema.js';

/**
 * The events of the journal: what happened in the yard, each kind with its meaning and the shape of its data. The only
 * such list: the published contract, the docs and what `events.subscribe` accepts are derived from it, so a kind stands
 * here only while something really produces it.
 *
 * How a kind gets into the journal: one that shows in the model is read off its change (`domain/changes.ts` of
 * workspace-service); one that does not is noted as part of the change (`model.note`); another service hands its events
 * in with the internal method `journal.append`.
 *
 * Each event also says where it happened (`workspace_id`, `surface_id`; null where there is none): data does not repeat
 * that. Ids are canonical.
 */
const kind = <P extends Record<string, TSchema>>(description: string, properties: P) =>
  Type.Object(properties, { description });

const id = Type.String();
const ids = Type.Array(id);
const title = Type.String({ description: 'As shown now.' });

const windows = {
  'window.created': kind('A window was made.', { window_id: id }),
  'window.closed': kind('A window is gone, with all in it.', { window_id: id }),
  'window.activated': kind('Requests that name no place act on this window from now on.', { window_id: id }),
} as const;

const workspaces = {
  'workspace.created': kind('A workspace was made.', { window_id: id, title }),
  'workspace.closed': kind('A workspace is gone, with all in it.', { window_id: id, custom_title: nullable(id) }),
  'workspace.renamed': kind('Somebody named it. Titles that follow a program are told by `surface.title_changed`.', {
    title,
    custom_title: nullable(Type.String(), 'null: it shows the title of its focused surface again.'),
  }),
  'workspace.moved': kind('It is in another window.', { window_id: id, from_window_id: id }),
  'workspace.reordered': kind('The workspaces of a window have another order.', { window_id: id, workspace_ids: ids }),
  'workspace.selected': kind('Its window shows this workspace.', { window_id: id }),
  'workspace.updated': kind('A mark, its colour, description or directory has changed.', {
    pinned: Type.Boolean(),
    unread: Type.Boolean(),
    color: nullable(Type.String()),
    description: nullable(Type.String()),
    directory: Type.String(),
  }),
  'layout.changed': kind('The panes of a workspace are others or have other sizes.', { pane_ids: ids }),
} as const;

const panes = {
  'pane.created': kind('A pane was made.', { pane_id: id }),
  'pane.closed': kind('A pane is gone.', { pane_id: id }),
  'pane.moved': kind('It is in another workspace.', { pane_id: id, from_workspace_id: id }),
  'pane.focused': kind('It has the focus in its workspace.', { pane_id: id }),
} as const;

const surfaces = {
  'surface.created': kind('A surface was made, or a closed one is back.', {
    pane_id: id,
    type: SurfaceType,
    host: Type.String(),
    title,
    reopened: Type.Boolean(),
  }),
  'surface.closed': kind('It has left the tree; its program may still run for a moment.', { pane_id: id }),
  'surface.moved': kind('It is in another pane.', { pane_id: id, from_pane_id: id }),
  'surface.reordered': kind('The tabs of a pane have another order.', { pane_id: id, surface_ids: ids }),
  'surface.selected': kind('Its pane shows this tab.', { pane_id: id }),
  'surface.focused': kind('It is the surface in front of the whole yard.', { pane_id: id }),
  'surface.renamed': kind('Somebody named it.', { title, custom_title: nullable(Type.String()) }),
  'surface.title_changed': kind('Its program set another title.', { title }),
  'surface.directory_changed': kind('Its program is in another directory.', { cwd: nullable(Type.String()) }),
  'surface.started': kind('A program was started in it anew.', { host: Type.String() }),
  'surface.exited': kind('Its program has ended; also told of one that was closed before.', { exit: Exit }),
  'surface.updated': kind('A mark has changed.', { pinned: Type.Boolean(), unread: Type.Boolean() }),
} as const;

const agents = {
  'agent.state_changed': kind('What is known of the agent in a surface has changed.', {
    agent: nullable(Type.String()),
    state: nullable(AgentState),
    source: nullable(AgentStateSource),
    activity: Type.Enum(['working', 'idle', 'unknown']),
    question: nullable(AgentQuestion),
    since: Type.Number({ description: 'Unix milliseconds.' }),
    failed: Type.Boolean({ description: 'It has stopped, and says itself that it failed.' }),
    previous: Type.Object({ state: nullable(AgentState), source: nullable(AgentStateSource) }),
  }),
} as const;

const key = Type.String({ description: 'Of the entry.' });
const shown = (what: string) => nullable(Type.String(), `${what} Cut at 256 characters; null: it is gone.`);

/** What is shown beside a workspace, and what is reported of its terminals. The methods have all of it. */
const metadata = {
  'metadata.status_changed': kind('A line beside a workspace was set, or is gone.', {
    key,
    label: nullable(Type.String()),
    value: shown('What it says.'),
    color: nullable(Type.String()),
  }),
  'metadata.progress_changed': kind('Something has come further, or is gone.', {
    key,
    label: nullable(Type.String()),
    value: nullable(Type.Number(), 'null: it is gone.'),
    total: nullable(Type.Number()),
  }),
  'metadata.logged': kind('The log of a workspace has a new entry.', {
    level: LogLevel,
    message: Type.String({ description: 'Cut at 256 characters.' }),
    source: nullable(Type.String()),
  }),
  'metadata.log_cleared': kind('The log of a workspace was emptied.', {}),
  'metadata.block_changed': kind('A block beside a workspace was set, or is gone.', {
    key,
    bytes: nullable(Type.Integer(), 'How long it is; null: it is gone.'),
  }),
  'metadata.reset': kind('All that was shown beside a workspace was taken back.', {}),
  'metadata.ports_changed': kind('A terminal has other ports on which something listens.', { ports: Type.Array(Port) }),
  'metadata.branch_reported': kind('A terminal has reported its git branch.', {
    branch: nullable(Type.String(), 'null: taken back.'),
    dirty: nullable(Type.Boolean()),
  }),
  'metadata.pull_request_reported': kind('A terminal has reported its pull request.', {
    number: nullable(Type.Integer(), 'null: taken back.'),
    url: nullable(Type.String()),
    state: nullable(Type.Enum([...PR_STATES])),
    checks: nullable(Type.Enum([...PR_CHECKS])),
  }),
  'metadata.shell_state_changed': kind('The shell of a terminal has reported what it does.', {
    state: nullable(Type.Enum(['prompt', 'running']), 'null: taken back.'),
  }),
  'metadata.tty_reported': kind('A terminal has reported its device.', { tty_name: Type.String() }),
} as const;

const branch = nullable(Type.String(), 'null when detached.');
const path = Type.String({ description: 'Folder of the worktree.' });

/** What was done by the methods of the same names; what somebody does with git itself is told by nobody. */
const worktrees = {
  'worktree.created': kind('A worktree was made.', { path, branch, repo: Type.String() }),
  'worktree.opened': kind('A workspace was made for it.', { path, branch, repo: Type.String() }),
  'worktree.removed': kind('It is gone; the branch is still there.', {
    path,
    branch,
    recovery_id: nullable(Type.String(), 'What `worktree.recover` takes; null: nothing is said of that here.'),
  }),
  'worktree.restored': kind('A removed one was made again.', { path, branch }),
  'worktree.merged': kind('Its commits are in the base.', {
    source: nullable(Type.String(), 'Branch or commit; null: not known any more.'),
    base: Type.String(),
    after: Type.String({ description: 'Commit of the base now.' }),
  }),
  'review.sent': kind('The comments of a review went to what runs in this surface.', { comments: Type.Integer() }),
} as const;

const line = Type.String({ description: 'One line, cleaned of control sequences and cut short.' });

/** Texts are cleaned; `notification.list` has them as they were sent. */
const notifications = {
  'notification.created': kind('A person is to be told something.', {
    notification_id: id,
    reason: NoticeReason,
    agent: nullable(Type.String()),
    title: line,
    subtitle: line,
    excerpt: line,
    action: NoticeAction,
    suppressed: Suppressed,
    replaces: nullable(id, 'The one that the surface had before.'),
  }),
  'notification.read': kind('Marks of notifications have changed, for all clients.', {
    notification_ids: ids,
    is_read: Type.Boolean(),
  }),
  'notification.cleared': kind('Notifications are gone.', { notification_ids: ids }),
  'notification.shown': kind('A text for whoever is there; nothing is kept of it.', {
    title: line,
    body: line,
    sound: Type.Enum(['none', 'done', 'request']),
    position: nullable(Type.String()),
  }),
  'notification.delivery_failed': kind('It could not be delivered, and is not tried again.', {
    delivery_id: id,
    notification_id: nullable(id),
    adapter: NoticeAdapter,
    attempts: Type.Integer(),
    error: line,
  }),
  'notification.level_changed': kind('Another part of a workspace is delivered.', { level: NoticeLevel }),
  'notification.clipboard': kind(
    'A program wanted this on the clipboard (OSC 52). Nothing was put there. The setting `notifications.clipboard` says what is told.',
    {
      bytes: Type.Integer({ description: 'Of the text.' }),
      text: nullable(Type.String(), 'As it was sent. Untrusted text. null: it is too large, or is not to be kept.'),
    },
  ),
} as const;

const run = {
  service: Type.Enum([...SERVICES]),
  address: Type.String({ description: 'Which of its kind.' }),
  instance: Type.String({ description: 'Unique to this run of the process.' }),
} as const;

/** A process of the yard, also one that answers no methods. */
const process = {
  process: Type.String({ description: 'Its name in `yard.status`: `pty-host-2`.' }),
  service: Type.Enum([...SERVICES, 'keeper', 'broker', 'fleet-broker'], { description: 'Which kind it is.' }),
  pid: nullable(Type.Integer(), 'null: it could not be started.'),
} as const;

const storage = {
  part: Type.Enum(['state', 'terminals'], { description: 'state: databases. terminals: the logs of their output.' }),
  reason: Type.Enum(['storage_full', 'storage_read_only', 'unknown']),
  path: Type.String(),
  since: Type.Number({ description: 'Unix milliseconds.' }),
} as const;

const yard = {
  'service.crashed': kind('A process of the yard has ended without being told to.', {
    ...process,
    how: Type.String({ description: 'Exit code or signal, as the system tells it.' }),
    crashes: Type.Integer({ description: 'How many of its ends count at present.' }),
    failed: Type.Boolean({ description: 'It ends again and again: it is tried only every half minute.' }),
    retry_ms: Type.Integer({ description: 'When it is started again.' }),
  }),
  'service.restarted': kind('A process of the yard was started again; when it answers, `service.ready` follows.', {
    ...process,
    reason: Type.Enum(['crashed', 'asked'], { description: 'asked: by `yard.restart`.' }),
    restarts: Type.Integer({ description: 'How often this supervisor has done so.' }),
  }),
  'storage.failed': kind(
    'The disk takes nothing: changes are refused, programs wait. Told as soon as the journal can take it.',
    { ...storage },
  ),
  'storage.recovered': kind('The disk takes everything again.', {
    ...storage,
    ms: Type.Integer({ description: 'How long it did not.' }),
  }),
  'service.ready': kind('A service answers requests (again).', { ...run, version: Type.String() }),
  'service.stopped': kind('A service has stopped in order.', run),
  'host.changed': kind('A machine of the yard was added, came, went, or takes no more terminals.', {
    host: Type.String(),
    state: Type.Enum([...HOST_STATES, 'removed']),
    draining: Type.Boolean(),
    last_contact_at: nullable(Type.Number(), 'Unix milliseconds; null: it has never been here.'),
  }),
  'host.refused': kind('A machine came under the name of a host and was not let in.', {
    host: Type.String(),
    code: Type.String({ description: 'The error code it was answered with.' }),
  }),
  'host.ready': kind('The terminals of a host can be reached (again).', {
    host: Type.String(),
    address: Type.String(),
  }),
} as const;

export const journalEvents = {
  ...windows,
  ...workspaces,
  ...panes,
  ...surfaces,
  ...agents,
  ...metadata,
  ...worktrees,
  ...notifications,
  ...yard,
} as const;

export type JournalKind = keyof typeof journalEvents;
export type JournalData<K extends JournalKind> = Static<(typeof journalEvents)[K]>;

/** Where an event happened; null where it is of no workspace or surface. */
export interface EventPlace {
  readonly workspace_id: string | null;
  readonly surface_id: string | null;
}

/** Something to be told, before it has its place in the journal. */
export type JournalNote = {
  [K in JournalKind]: EventPlace & { readonly kind: K; readonly data: JournalData<K> };
}[JournalKind];

/** An event that has its place. */
export type JournalEvent = JournalNote & {
  /** Counts from 1 and leaves no number out. */
  readonly seq: number;
  /** Unix milliseconds. */
  readonly at: number;
};

export const JOURNAL_KINDS: readonly JournalKind[] = (Object.keys(journalEvents) as JournalKind[]).sort();

export function isJournalKind(word: string): word is JournalKind {
  return Object.hasOwn(journalEvents, word);
}

/** Shape of the data of a kind. */
export function journalSchema(word: JournalKind): TObject {
  return journalEvents[word];
}
