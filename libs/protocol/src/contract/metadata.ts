import { method } from '../define.js';
import { ctx, num, opt, params, result } from '../params.js';
import { Type } from '../schema.js';
import { AgentRow } from './agent-control.js';
import { key, LogLevel, level, lines, source, statusLooks, text } from './metadata-shapes.js';
import { CTX_ERRORS, inWorkspace, nullable, nullableIds, self } from './shapes.js';

const owner = { owner: 'workspace-service' } as const;
const writer = { ...owner, effect: 'mutation', idempotent: true, errors: CTX_ERRORS } as const;
const reader = { ...owner, effect: 'query', errors: CTX_ERRORS } as const;

const label = opt(text('What is shown for the key. Default the key.', 'label'));
const anyKey = opt(key);
const cleared = result({ ...inWorkspace, cleared: Type.Literal(true) });

const Status = { key: Type.String(), label: Type.String(), value: Type.String(), color: nullable(Type.String()) };
const Progress = {
  key: Type.String(),
  label: Type.String(),
  value: Type.Number(),
  total: nullable(Type.Number(), 'null: the value is all that is known.'),
};
const Log = {
  level: LogLevel,
  message: Type.String(),
  source: nullable(Type.String()),
  timestamp: Type.Number({ description: 'Unix milliseconds.' }),
};

/** What is shown beside a workspace, as ForkTTY spells it: any number of progresses, and targets that may be left out. */
export const metadata = {
  'metadata.set_status': method({
    ...writer,
    selfService: true,
    summary: 'Shows a line beside a workspace: a key with a label and a value. The same as workspace.set_status.',
    params: params({ ...ctx, key, label, value: text('What is shown.', 'value'), ...statusLooks }),
    result: result({ ...inWorkspace, ...Status }),
  }),
  'metadata.list_status': method({
    ...reader,
    summary: 'The lines beside a workspace, the oldest first.',
    params: params(ctx),
    result: result({ ...inWorkspace, entries: Type.Array(Type.Object(Status)) }),
  }),
  'metadata.clear_status': method({
    ...writer,
    selfService: true,
    summary: 'Takes back a line beside a workspace, or all of them.',
    params: params({ ...ctx, key: anyKey }),
    result: cleared,
  }),
  'metadata.set_progress': method({
    ...writer,
    selfService: true,
    summary: 'Shows how far something has come. At most 128 beside a workspace; the oldest goes first.',
    params: params({
      ...ctx,
      key,
      label,
      value: num('How far it has come; with a total it is cut at 0 and at that.'),
      total: opt(num('What the value is when it is done.', { exclusiveMinimum: 0 })),
    }),
    result: result({ ...inWorkspace, ...Progress }),
  }),
  'metadata.list_progress': method({
    ...reader,
    summary: 'How far everything beside a workspace has come, the oldest first.',
    params: params(ctx),
    result: result({ ...inWorkspace, entries: Type.Array(Type.Object(Progress)) }),
  }),
  'metadata.clear_progress': method({
    ...writer,
    selfService: true,
    summary: 'Takes back a progress, or all of them.',
    params: params({ ...ctx, key: anyKey }),
    result: cleared,
  }),
  'metadata.log': method({
    ...writer,
    idempotent: false,
    selfService: true,
    summary: 'Adds an entry to the log of a workspace. The same as workspace.log.',
    params: params({ ...ctx, message: lines('What has happened.', 'message'), level, source }),
    result: result({ ...inWorkspace, ...Log }),
  }),
  'metadata.list_logs': method({
    ...reader,
    summary: 'The log of a workspace, oldest first.',
    params: params(ctx),
    result: result({ ...inWorkspace, entries: Type.Array(Type.Object(Log)) }),
  }),
  'metadata.clear_logs': method({
    ...writer,
    summary: 'Empties the log of a workspace.',
    params: params(ctx),
    result: cleared,
  }),
  'status.summary': method({
    ...reader,
    summary: 'A workspace in one answer: where it is, its agents, what is shown beside it.',
    params: params(ctx),
    result: result({
      ...inWorkspace,
      workspace: Type.Object({
        ...self,
        name: Type.String(),
        working_dir: Type.String(),
        git_branch: nullable(Type.String()),
        worktree_name: nullable(Type.String(), 'Folder of the checkout it is in; null: it is in none.'),
        ...nullableIds('focused_surface'),
        surfaces: Type.Integer({ description: 'How many it has.' }),
        ports: Type.Array(Type.Integer(), { description: 'On which its terminals listen.' }),
      }),
      agents: Type.Array(AgentRow),
      status: Type.Array(Type.Object(Status)),
      progress: Type.Array(Type.Object(Progress)),
    }),
  }),
} as const;
