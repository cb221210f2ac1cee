import { method } from '../define.js';
import { ctx, handle, int, oneOf, opt, params, result, str } from '../params.js';
import { Type } from '../schema.js';
import { gitFields } from './git-facts.js';
import { CTX_ERRORS, ids, index, inWorkspace, nullable, PROGRAM_ERRORS, program, self, unfocused } from './shapes.js';

export const WorkspaceRow = Type.Object({
  ...self,
  index,
  title: Type.String(),
  description: nullable(Type.String()),
  selected: Type.Boolean(),
  pinned: Type.Boolean(),
  listening_ports: Type.Array(Type.Integer(), { description: 'Of all its terminals; surface.ports has more.' }),
  remote: Type.Object(
    { enabled: Type.Boolean(), state: Type.String(), connected: Type.Boolean() },
    { description: 'Constant: this server connects to hosts in another way.' },
  ),
  current_directory: nullable(Type.String()),
  custom_color: nullable(Type.String()),
  ...gitFields,
});

export const WORKSPACE_ACTIONS = [
  'pin',
  'unpin',
  'rename',
  'clear_name',
  'set_description',
  'clear_description',
  'move_up',
  'move_down',
  'move_top',
  'close_others',
  'close_above',
  'close_below',
  'mark_read',
  'mark_unread',
  'set_color',
  'clear_color',
] as const;

const owner = { owner: 'workspace-service' } as const;
const workspace_id = handle('workspace');
const where = result(inWorkspace);
const step = {
  ...owner,
  effect: 'mutation',
  focusIntent: true,
  params: params(ctx),
  result: where,
  errors: CTX_ERRORS,
} as const;

export const workspace = {
  'workspace.list': method({
    ...owner,
    effect: 'query',
    summary: 'The workspaces of a window in order.',
    params: params({ window_id: ctx.window_id }),
    result: result({ ...ids('window'), workspaces: Type.Array(WorkspaceRow) }),
    errors: ['unavailable'],
  }),
  'workspace.current': method({
    ...owner,
    effect: 'query',
    summary: 'The selected workspace, or the one that holds a surface.',
    params: params(ctx),
    result: result({ ...inWorkspace, workspace: WorkspaceRow }),
    errors: CTX_ERRORS,
  }),
  'workspace.create': method({
    ...owner,
    effect: 'mutation',
    summary: 'Makes a workspace with one terminal, started at once; the selection stays where it is.',
    params: params({
      window_id: ctx.window_id,
      title: opt(str('Its custom title.')),
      description: opt(str('A longer text about it.')),
      ...program,
      ...unfocused,
    }),
    result: result({ ...inWorkspace, ...ids('pane', 'surface') }),
    errors: ['unavailable', ...PROGRAM_ERRORS],
  }),
  'workspace.select': method({
    ...owner,
    effect: 'mutation',
    idempotent: true,
    focusIntent: true,
    summary: 'Selects a workspace and makes its window the active one.',
    params: params({ workspace_id }),
    result: where,
    errors: ['not_found'],
  }),
  'workspace.next': method({ ...step, summary: 'Selects the workspace after the selected one; wraps.' }),
  'workspace.previous': method({ ...step, summary: 'Selects the workspace before the selected one; wraps.' }),
  'workspace.last': method({
    ...step,
    summary: 'Goes back through the last 50 selections; a repeat goes further back. Closed workspaces are skipped.',
  }),
  'workspace.close': method({
    ...owner,
    effect: 'mutation',
    summary: 'Closes a workspace with everything in it.',
    params: params({ workspace_id }),
    result: where,
    errors: ['not_found', 'protected', 'invalid_state'],
    risks: ['Every program in the workspace ends.'],
  }),
  'workspace.rename': method({
    ...owner,
    effect: 'mutation',
    idempotent: true,
    summary: 'Gives a workspace a custom title.',
    params: params({ workspace_id, title: str('The new title.') }),
    result: result({ ...inWorkspace, title: Type.String() }),
    errors: ['not_found'],
  }),
  'workspace.reorder': method({
    ...owner,
    effect: 'mutation',
    summary:
      'Moves a workspace within its window. Exactly one of `index`, `before_workspace_id`, `after_workspace_id`.',
    params: params({
      window_id: ctx.window_id,
      workspace_id,
      index: opt(int('New place, from 0.')),
      before_workspace_id: opt(handle('workspace', 'It goes before this one.')),
      after_workspace_id: opt(handle('workspace', 'It goes after this one.')),
    }),
    result: result({ ...inWorkspace, index }),
    errors: ['unavailable', 'not_found'],
  }),
  'workspace.move_to_window': method({
    ...owner,
    effect: 'mutation',
    summary: 'Moves a workspace to another window. A window never stays empty: a fresh workspace takes its place.',
    params: params({ workspace_id, window_id: handle('window'), ...unfocused }),
    result: where,
    errors: ['not_found', 'unavailable'],
  }),
  'workspace.equalize_splits': method({
    ...owner,
    effect: 'mutation',
    idempotent: true,
    summary: 'Gives every pane its fair share of the space.',
    params: params({
      ...ctx,
      orientation: opt(oneOf(['horizontal', 'vertical'], 'Only splits of this kind; horizontal is side by side.')),
    }),
    result: result({ equalized: Type.Boolean(), ...ids('workspace') }),
    errors: CTX_ERRORS,
  }),
  'workspace.action': method({
    ...owner,
    effect: 'mutation',
    summary: 'What the menu of a workspace offers.',
    params: params({
      ...ctx,
      action: oneOf([...WORKSPACE_ACTIONS], 'What to do.'),
      title: opt(str('For `rename`.')),
      description: opt(str('For `set_description`.')),
      color: opt(str('For `set_color`: `#RRGGBB` or a named colour.')),
    }),
    result: result({
      action: Type.Enum([...WORKSPACE_ACTIONS]),
      ...inWorkspace,
      pinned: Type.Optional(Type.Boolean()),
      title: Type.Optional(Type.String()),
      description: Type.Optional(nullable(Type.String())),
      index: Type.Optional(index),
      closed: Type.Optional(Type.Integer({ description: 'How many workspaces were closed.' })),
      color: Type.Optional(nullable(Type.String())),
    }),
    errors: [...CTX_ERRORS, 'invalid_state', 'protected'],
    risks: ['`close_others`, `close_above` and `close_below` end every program in the workspaces they close.'],
  }),
} as const;
