import { method } from '../define.js';
import { ctx, int, num, opt, params, result } from '../params.js';
import { Type } from '../schema.js';
import { GitBranch, PullRequest } from './git-facts.js';
import {
  aboutWorkspace,
  FORMATS,
  key,
  LogLevel,
  level,
  lines,
  priority,
  reported,
  source,
  statusLooks,
  text,
} from './metadata-shapes.js';
import { CTX_ERRORS, inWorkspace, nullable, nullableIds } from './shapes.js';

const owner = { owner: 'workspace-service' } as const;
/** Answered without a look whether the workspace exists (programa-api decision 6). */
const writer = { ...owner, effect: 'mutation', idempotent: true } as const;
const ownReport = { ...writer, selfService: true } as const;
const reader = { ...owner, effect: 'query', errors: CTX_ERRORS } as const;

const StatusEntry = Type.Object({
  key: Type.String(),
  value: Type.String({ description: 'Untrusted text, without control sequences.' }),
  icon: nullable(Type.String()),
  color: nullable(Type.String()),
  url: nullable(Type.String()),
  priority: Type.Integer(),
  format: Type.Enum([...FORMATS]),
});
const LogEntry = Type.Object({
  message: Type.String({ description: 'Untrusted text, without control sequences.' }),
  level: LogLevel,
  source: nullable(Type.String()),
  timestamp: Type.Number({ description: 'Unix milliseconds.' }),
});
const MetaBlock = Type.Object({ key: Type.String(), markdown: Type.String(), priority: Type.Integer() });
const Progress = Type.Object({
  value: Type.Number({ description: 'From 0 to 1.' }),
  label: nullable(Type.String()),
});

/** What is shown beside a workspace (programa-api §5.6); metadata.ts has the same in another spelling. */
export const sidebar = {
  'workspace.set_status': method({
    ...ownReport,
    summary: 'Shows a line beside a workspace: a key with a value. At most 128; the oldest goes first.',
    params: params({
      ...aboutWorkspace,
      key,
      value: text('What is shown.', 'value'),
      ...statusLooks,
      pid: opt(int('Process of an agent that it is about: as workspace.set_agent_pid.', { minimum: 1 })),
    }),
    result: result({ ...reported, key: Type.String(), value: Type.String() }),
  }),
  'workspace.clear_status': method({
    ...ownReport,
    summary: 'Takes back workspace.set_status.',
    params: params({ ...aboutWorkspace, key }),
    result: result({ ...reported, key: Type.String() }),
  }),
  'workspace.list_status': method({
    ...reader,
    summary: 'The lines beside a workspace: by priority, then the newest first.',
    params: params(ctx),
    result: result({ ...inWorkspace, entries: Type.Array(StatusEntry) }),
  }),
  'workspace.log': method({
    ...ownReport,
    idempotent: false,
    summary: 'Adds an entry to the log of a workspace. The last `sidebar.log_entries` are kept.',
    params: params({
      ...aboutWorkspace,
      message: lines('What has happened.', 'message'),
      level,
      source,
    }),
    result: result({ ...reported, message: Type.String(), level: LogLevel, source: nullable(Type.String()) }),
  }),
  'workspace.list_log': method({
    ...reader,
    summary: 'The log of a workspace, oldest first.',
    params: params({ ...ctx, limit: opt(int('Only the last so many.', { minimum: 0 })) }),
    result: result({ ...inWorkspace, entries: Type.Array(LogEntry) }),
  }),
  'workspace.clear_log': method({
    ...writer,
    summary: 'Empties the log of a workspace.',
    params: params(aboutWorkspace),
    result: result(reported),
  }),
  'workspace.set_progress': method({
    ...ownReport,
    summary: 'Shows how far a workspace has come with what it does.',
    params: params({
      ...aboutWorkspace,
      value: num('From 0 to 1; beyond is cut.'),
      label: opt(text('What it is about.', 'label')),
    }),
    result: result({ ...reported, value: Type.Number(), label: nullable(Type.String()) }),
  }),
  'workspace.clear_progress': method({
    ...ownReport,
    summary: 'Takes back workspace.set_progress.',
    params: params(aboutWorkspace),
    result: result(reported),
  }),
  'workspace.report_meta_block': method({
    ...ownReport,
    summary: 'Shows a block of markdown beside a workspace. At most 128 and 4 MiB; the oldest goes first.',
    params: params({ ...aboutWorkspace, key, markdown: lines('What is shown.', 'markdown'), priority }),
    result: result({ ...reported, key: Type.String(), markdown: Type.String(), priority: Type.Integer() }),
  }),
  'workspace.clear_meta_block': method({
    ...ownReport,
    summary: 'Takes back workspace.report_meta_block.',
    params: params({ ...aboutWorkspace, key }),
    result: result({ ...reported, key: Type.String(), found: Type.Boolean({ description: 'There was one.' }) }),
  }),
  'workspace.list_meta_blocks': method({
    ...reader,
    summary: 'The blocks beside a workspace: by priority, then the newest first.',
    params: params(ctx),
    result: result({ ...inWorkspace, blocks: Type.Array(MetaBlock) }),
  }),
  'workspace.sidebar_state': method({
    ...reader,
    summary: 'All that is shown beside a workspace.',
    params: params(ctx),
    result: result({
      ...inWorkspace,
      color: nullable(Type.String()),
      cwd: Type.String({ description: 'Directory of the workspace.' }),
      focused_cwd: Type.String({ description: 'Directory of its focused surface.' }),
      ...nullableIds('focused_surface'),
      git_branch: nullable(GitBranch),
      pull_request: nullable(PullRequest),
      ports: Type.Array(Type.Integer()),
      progress: nullable(Progress, 'Of workspace.set_progress, else the newest of metadata.set_progress.'),
      status_entries: Type.Array(StatusEntry),
      metadata_blocks: Type.Array(MetaBlock),
      log_count: Type.Integer(),
      recent_log_entries: Type.Array(LogEntry, { description: 'The last five, oldest first.' }),
    }),
  }),
  'workspace.reset_sidebar': method({
    ...writer,
    summary: 'Takes back all that was reported of a workspace, its terminals and its agents.',
    params: params(aboutWorkspace),
    result: result(reported),
  }),
} as const;
