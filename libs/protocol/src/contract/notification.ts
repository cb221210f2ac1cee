import { method } from '../define.js';
import { ctx, handle, opt, params, raw, result } from '../params.js';
import { Type } from '../schema.js';
import { CTX_ERRORS, ids, inWorkspace, nullable, tabAlias } from './shapes.js';

const owner = { owner: 'notifier' } as const;
const texts = {
  title: opt(raw('Default "Notification".')),
  subtitle: opt(raw('Second line.')),
  body: opt(raw('The text.')),
};

const Notification = Type.Object({
  id: Type.String(),
  workspace_id: Type.String(),
  surface_id: nullable(Type.String()),
  is_read: Type.Boolean(),
  title: Type.String(),
  subtitle: Type.String(),
  body: Type.String(),
});

export const notification = {
  'notification.create': method({
    ...owner,
    effect: 'mutation',
    summary:
      'Notifies about a surface, by default the focused one. A surface has one notification: a new one replaces it.',
    params: params({ ...ctx, ...texts }),
    result: result({ workspace_id: Type.String(), surface_id: nullable(Type.String()) }),
    errors: CTX_ERRORS,
  }),
  'notification.create_for_surface': method({
    ...owner,
    effect: 'mutation',
    selfService: true,
    summary: 'Notifies about a named surface.',
    params: params({ ...ctx, surface_id: handle('surface'), ...texts }),
    result: result({ ...inWorkspace, ...ids('surface') }),
    errors: CTX_ERRORS,
  }),
  'notification.create_for_target': method({
    ...owner,
    effect: 'mutation',
    summary: 'Notifies about a named surface of a named workspace.',
    params: params({
      window_id: ctx.window_id,
      workspace_id: handle('workspace'),
      surface_id: handle('surface'),
      ...tabAlias,
      ...texts,
    }),
    result: result({ ...inWorkspace, ...ids('surface') }),
    errors: CTX_ERRORS,
  }),
  'notification.list': method({
    ...owner,
    effect: 'query',
    summary: 'Live notifications, newest first.',
    params: params({}),
    result: result({ notifications: Type.Array(Notification) }),
  }),
  'notification.clear': method({
    ...owner,
    effect: 'mutation',
    idempotent: true,
    summary: 'Removes the notifications of a workspace, or all.',
    params: params({ workspace_id: opt(handle('workspace', 'Default: all workspaces.')) }),
    result: result({ workspace_id: Type.Optional(Type.String()), workspace_ref: Type.Optional(Type.String()) }),
    errors: ['not_found'],
  }),
} as const;
