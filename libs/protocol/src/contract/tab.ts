import { method } from '../define.js';
import { bool, ctx, oneOf, opt, params, result, str } from '../params.js';
import { Type } from '../schema.js';
import { CTX_ERRORS, ids, inWorkspace, nullableIds, PROGRAM_ERRORS } from './shapes.js';

export const TAB_ACTIONS = [
  'rename',
  'clear_name',
  'close_left',
  'close_right',
  'close_others',
  'new_terminal_right',
  'new_browser_right',
  'reload',
  'duplicate',
  'pin',
  'unpin',
  'mark_read',
  'mark_unread',
] as const;

const created = nullableIds('created_surface', 'created_tab');

/** `tab.action` and `surface.action` are one method with two names. */
export const tabAction = {
  owner: 'workspace-service',
  effect: 'mutation',
  params: params({
    ...ctx,
    action: oneOf([...TAB_ACTIONS], 'What to do.'),
    title: opt(str('For `rename`.')),
    url: opt(str('For `new_browser_right`.')),
    focus: opt(bool('For the new_* actions: focus it inside its workspace. Default true.')),
  }),
  result: result({
    action: Type.Enum([...TAB_ACTIONS]),
    ...inWorkspace,
    ...ids('surface', 'tab'),
    ...nullableIds('pane'),
    title: Type.Optional(Type.String()),
    pinned: Type.Optional(Type.Boolean()),
    closed: Type.Optional(Type.Integer({ description: 'How many tabs were closed.' })),
    skipped_pinned: Type.Optional(Type.Integer({ description: 'How many were pinned and stayed.' })),
    created_surface_id: Type.Optional(created.created_surface_id),
    created_surface_ref: Type.Optional(created.created_surface_ref),
    created_tab_id: Type.Optional(created.created_tab_id),
    created_tab_ref: Type.Optional(created.created_tab_ref),
  }),
  errors: [...CTX_ERRORS, 'invalid_state', ...PROGRAM_ERRORS],
  risks: ['`close_left`, `close_right` and `close_others` end the programs in the tabs they close.'],
} as const;

export const tab = {
  'tab.action': method({ ...tabAction, summary: 'What the menu of a tab offers.' }),
} as const;
