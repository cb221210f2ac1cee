import { method } from '../define.js';
import { bool, ctx, handle, int, oneOf, opt, PICKS, params, raw, result, str, strings } from '../params.js';
import { Type } from '../schema.js';
import { Delivery, NoticeLevel, Notification } from './notification-shapes.js';
import { CTX_ERRORS, ids, inWorkspace, nullable, tabAlias } from './shapes.js';

const owner = { owner: 'notifier' } as const;
const texts = {
  title: opt(raw('Default "Notification".')),
  subtitle: opt(raw('Second line.')),
  body: opt(raw('The text.')),
};

/** A page. */
const MAX_LIMIT = 1000;
/** What one call names; more is asked for with several, or by workspace. */
const MAX_IDS = 256;
/** Longer than a person sits before a screen without touching anything. */
const MAX_ATTEND_MS = 600_000;

const limit = opt(int('At most so many. Default: all there are.', { minimum: 1, maximum: MAX_LIMIT }));
const cursor = opt(str('Only what is older than the last row of the answer that gave it.'));
const nextCursor = nullable(Type.String(), 'For the older ones; null: there are none.');
const ofWorkspace = (what: string) => opt(handle('workspace', `Only ${what} of this workspace.`));
const named = opt(strings('Only these, by their ids.', { maxItems: MAX_IDS, ...PICKS }));
const before = opt(int('Only those from before this time, Unix milliseconds.', { minimum: 0 }));
const changed = Type.Integer({ description: 'How many that changed.' });

const creating = {
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
  'notification.show': method({
    ...owner,
    effect: 'mutation',
    tier: 'alpha',
    summary: 'Shows a text to whoever is there, once; nothing is listed. Cut to 80 and 240 characters, one line each.',
    params: params({
      title: str('First line.'),
      body: opt(str('Second line.')),
      position: opt(str('Where a client shows it; a desktop has a place of its own.')),
      sound: opt(oneOf(['none', 'done', 'request'], 'What a client plays with it; default none.')),
    }),
    result: result({
      shown: Type.Boolean(),
      reason: Type.Enum(['shown', 'disabled', 'rate_limited', 'no_foreground_client', 'busy'], {
        description:
          'disabled: `notifications.level` is quiet; no_foreground_client: nobody attends and nothing is set up to ' +
          'deliver with; busy: too much waits to be delivered.',
      }),
    }),
  }),
} as const;

const reading = {
  'notification.list': method({
    ...owner,
    effect: 'query',
    summary: 'Live notifications, newest first.',
    params: params({
      workspace_id: ofWorkspace('those'),
      unread: opt(bool('true: only those that are not read; false: only those that are.')),
      limit,
      cursor,
    }),
    result: result({ notifications: Type.Array(Notification), next_cursor: nextCursor }),
    errors: ['not_found'],
  }),
  'notification.mark_read': method({
    ...owner,
    effect: 'mutation',
    idempotent: true,
    tier: 'alpha',
    summary: 'Marks notifications as read, or as not read, for all clients. Without a choice: all.',
    params: params({
      workspace_id: ofWorkspace('those'),
      surface_id: opt(handle('surface', 'Only those of this surface.')),
      ids: named,
      before,
      is_read: opt(bool('What they become. Default true.')),
    }),
    result: result({ changed }),
    errors: ['not_found'],
  }),
  'notification.clear': method({
    ...owner,
    effect: 'mutation',
    idempotent: true,
    summary: 'Removes notifications: those of a workspace, those named, those of a time, or all.',
    params: params({ workspace_id: opt(handle('workspace', 'Default: all workspaces.')), ids: named, before }),
    result: result({ workspace_id: Type.Optional(Type.String()), workspace_ref: Type.Optional(Type.String()) }),
    errors: ['not_found'],
  }),
} as const;

const delivering = {
  'notification.deliveries': method({
    ...owner,
    effect: 'query',
    tier: 'alpha',
    summary: 'What was given to the delivery adapters and what became of it, newest first.',
    params: params({
      workspace_id: ofWorkspace('those'),
      state: opt(oneOf(['pending', 'delivered', 'failed', 'dropped'], 'Only those in this state.')),
      limit: opt(int('At most so many. Default 100.', { minimum: 1, maximum: MAX_LIMIT })),
      cursor,
    }),
    result: result({ deliveries: Type.Array(Delivery), next_cursor: nextCursor }),
    errors: ['not_found'],
  }),
  'notification.rules': method({
    ...owner,
    effect: 'query',
    tier: 'alpha',
    summary: 'How much is delivered of each workspace.',
    params: params({ workspace_id: ofWorkspace('the rule') }),
    result: result({
      default: NoticeLevel,
      rules: Type.Array(
        Type.Object({ ...ids('workspace'), level: NoticeLevel, title: Type.String({ description: 'Cleaned.' }) }),
      ),
    }),
    errors: ['not_found'],
  }),
  'notification.set_level': method({
    ...owner,
    effect: 'mutation',
    idempotent: true,
    tier: 'alpha',
    summary: 'Says how much of a workspace is delivered.',
    params: params({
      workspace_id: handle('workspace'),
      level: oneOf(['quiet', 'normal', 'all', 'default'], 'default: what `notifications.level` of the settings says.'),
    }),
    result: result({ ...ids('workspace'), level: NoticeLevel }),
    errors: ['not_found'],
  }),
  'notification.attend': method({
    ...owner,
    effect: 'mutation',
    idempotent: true,
    tier: 'alpha',
    summary:
      'A person looks at a surface, says a client that one sits before: what happens there is not delivered meanwhile.',
    params: params({
      surface_id: opt(handle('surface', 'Default: whichever has the focus.')),
      ...tabAlias,
      for_ms: opt(
        int('So long, unless it is said again. 0: not any more. Default 120000.', {
          minimum: 0,
          maximum: MAX_ATTEND_MS,
        }),
      ),
    }),
    result: result({ attending: Type.Boolean(), until: nullable(Type.Number(), 'Unix milliseconds.') }),
    errors: ['not_found', 'forbidden'],
    risks: ['A program that calls it for nobody keeps a person from being told.'],
  }),
} as const;

const Signal = Type.Object({
  offset: Type.Integer({ minimum: 0, description: 'Bytes the terminal had produced at the end of the sequence.' }),
  kind: Type.Enum(['bell', 'notification', 'clipboard']),
  title: Type.Optional(Type.String()),
  body: Type.Optional(Type.String()),
  bytes: Type.Optional(Type.Integer({ description: 'Of what was to be put on the clipboard.' })),
  text: Type.Optional(nullable(Type.String(), 'null: more than is kept.')),
});

/** Between our own services. */
const internal = {
  'notification.hear': method({
    ...owner,
    visibility: 'internal',
    fromHosts: true,
    effect: 'mutation',
    idempotent: true,
    summary: 'What programs have asked their terminal to tell. Offsets of a surface rise; what was heard is left out.',
    params: params({
      surface_id: Type.String(),
      signals: Type.Array(Signal, { maxItems: MAX_IDS }),
    }),
    result: result({ heard_to: Type.Integer({ description: 'Everything up to this offset has been taken.' }) }),
  }),
  'notification.place': method({
    owner: 'workspace-service',
    visibility: 'internal',
    effect: 'query',
    summary: 'Where a surface is and what it is called, for a text about it.',
    params: params({
      window_id: Type.Optional(Type.String()),
      workspace_id: Type.Optional(Type.String()),
      surface_id: Type.Optional(Type.String()),
    }),
    result: result({
      ...inWorkspace,
      ...ids('surface'),
      host: Type.String(),
      workspace_title: Type.String(),
      surface_title: Type.String(),
      custom_title: nullable(Type.String(), 'What a person has named the surface.'),
      agent: nullable(Type.String()),
      has_agent_state: Type.Boolean({ description: 'Something is known of the agent there.' }),
      front: Type.Boolean({ description: 'It is the surface in front of the whole yard.' }),
      override: nullable(Type.Boolean(), 'What `app.focus_override.set` says.'),
    }),
    errors: CTX_ERRORS,
  }),
} as const;

export const notification = { ...creating, ...reading, ...delivering, ...internal } as const;
