import { method } from '../define.js';
import { handle, handles, int, opt, params, result, str, strings } from '../params.js';
import { Type } from '../schema.js';
import { nullable } from './shapes.js';

const admin = { owner: 'gateway', scope: 'admin', tier: 'alpha' } as const;

/** Each but `self` includes those before it. */
const GrantedScope = Type.Enum(['self', 'read', 'write', 'admin']);
const MAX_TOKEN_NAME = 64;
const YEAR_S = 366 * 24 * 3600;

const limits = {
  scopes: Type.Array(GrantedScope),
  workspace_ids: nullable(Type.Array(Type.String()), 'Only in these workspaces; null: in all.'),
  hosts: nullable(Type.Array(Type.String()), 'Only on surfaces of these hosts; null: of all.'),
  surface_id: nullable(Type.String(), 'Only this surface; with the scope `self`.'),
  expires_at: nullable(Type.Number(), 'Unix milliseconds; null: never.'),
};
const Token = Type.Object({
  name: Type.String(),
  ...limits,
  created_at: Type.Number({ description: 'Unix milliseconds.' }),
  connections: Type.Integer({ description: 'Clients that are logged in with it now.' }),
});

const AuditCaller = Type.Object({
  name: Type.String({ description: 'Of the connection, as in the logs.' }),
  socket: Type.Enum(['main', 'guest', 'supervisor']),
  uid: nullable(Type.Integer()),
  pid: nullable(Type.Integer()),
  surface_id: nullable(Type.String(), 'The surface its process says it runs in.'),
  token: nullable(Type.String(), 'Name of the token it logged in with.'),
});

/** Handles as they were given, ids as they were answered; parameters that name other things stand beside these. */
const Target = Type.Object(
  Object.fromEntries(
    ['window_id', 'workspace_id', 'pane_id', 'surface_id', 'name', 'repo', 'branch', 'path', 'service'].map((name) => [
      name,
      opt(Type.String()),
    ]),
  ),
  { description: 'The things named in call and answer; never texts that were typed.' },
);

export const access = {
  'auth.whoami': method({
    owner: 'gateway',
    effect: 'query',
    scope: 'none',
    tier: 'alpha',
    summary: 'Whom the yard takes the caller for, and what it may do.',
    params: params({}),
    result: result({ caller: AuditCaller, grant: Type.Object(limits) }),
  }),
  'token.create': method({
    ...admin,
    effect: 'mutation',
    summary: 'Makes a token that allows its bearer a part of what the yard can do. It is shown this once.',
    params: params({
      name: str('To list and revoke it by.', { maxLength: MAX_TOKEN_NAME, pattern: '^[A-Za-z0-9._-]+$' }),
      scopes: strings('`read`, `write` (includes read), `admin` (includes both), or `self` alone.'),
      workspace_ids: opt(handles('workspace', 'Only in these workspaces. Not with `admin` or `self`.')),
      hosts: opt(strings('Only on surfaces of these hosts. Not with `admin` or `self`.')),
      surface_id: opt(handle('surface', 'The surface that a token of scope `self` is for.')),
      expires_in_s: opt(int('Seconds until it ends. Default: never.', { minimum: 1, maximum: YEAR_S })),
    }),
    result: result({ token: Type.String({ description: 'The secret, for auth.login.' }), ...Token.properties }),
    errors: ['already_exists', 'invalid_state', 'not_found'],
    risks: ['Whoever has the token has what it allows.'],
  }),
  'token.list': method({
    ...admin,
    effect: 'query',
    summary: 'The tokens there are, without their secrets.',
    params: params({}),
    result: result({ tokens: Type.Array(Token) }),
  }),
  'token.revoke': method({
    ...admin,
    effect: 'mutation',
    idempotent: true,
    summary: 'Ends a token; connections that are logged in with it are closed.',
    params: params({ name: str('Of the token.', { maxLength: MAX_TOKEN_NAME }) }),
    result: result({ revoked: Type.Boolean({ description: 'false: there was none of that name.' }) }),
  }),
  'audit.read': method({
    ...admin,
    effect: 'query',
    summary: 'Who changed what: mutations, logins and refused calls, the newest first.',
    params: params({
      limit: opt(int('At most so many. Default 100.', { minimum: 1, maximum: 1000 })),
      before: opt(int('Only entries with a lower `seq`: to go on where an answer ended.', { minimum: 1 })),
      method: opt(str('Only this method.')),
      outcome: opt(str('Only this outcome: `ok` or an error code.')),
      token: opt(str('Only callers with the token of this name.')),
    }),
    result: result({
      entries: Type.Array(
        Type.Object({
          seq: Type.Integer({ description: 'Rises with each; never the same twice.' }),
          at: Type.String({ description: 'ISO 8601.' }),
          method: Type.String(),
          caller: AuditCaller,
          target: Target,
          outcome: Type.String({ description: '`ok` or an error code.' }),
          ms: Type.Number(),
        }),
      ),
    }),
  }),
  'access.locate': method({
    owner: 'workspace-service',
    visibility: 'internal',
    effect: 'query',
    summary: 'Where the things are that handles name.',
    params: params({
      handles: Type.Array(
        Type.Object({ kind: Type.Enum(['window', 'workspace', 'pane', 'surface']), handle: Type.String() }),
      ),
    }),
    result: result({
      places: Type.Array(
        nullable(
          Type.Object({
            id: Type.String(),
            workspace_id: nullable(Type.String(), 'null for a window.'),
            surface_id: nullable(Type.String(), 'null but for a surface.'),
            host: nullable(Type.String(), 'null but for a surface.'),
          }),
          'null: there is no such thing.',
        ),
      ),
    }),
  }),
} as const;
