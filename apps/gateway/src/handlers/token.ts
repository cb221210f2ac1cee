import { fail, type HandlersIn, type Params, type TargetKind } from '@switchyard/protocol';
import { limitsOnWire } from '../access/on-wire.js';
import type { Token, TokenBook } from '../access/token-book.js';
import type { Grant, GrantedScope } from '../domain/grant.js';
import type { Locate } from '../domain/permission.js';
import type { OwnCall } from '../own-call.js';

export interface TokenParts {
  readonly tokens: TokenBook;
  readonly locate: Locate;
}

const SCOPES: readonly GrantedScope[] = ['self', 'read', 'write', 'admin'];

export function tokenHandlers({ tokens, locate }: TokenParts): HandlersIn<'token', 'gateway', OwnCall> {
  const onWire = (token: Token) => ({
    name: token.name,
    ...limitsOnWire(token.grant),
    created_at: token.createdAt,
    connections: tokens.usersOf(token.name),
  });
  return {
    'token.create': async (params, { requestId }) => {
      const grant = await grantOf(params, locate);
      const token = tokens.create(params.name, grant, requestId);
      const made = tokens.list().find(({ name }) => name === params.name);
      return { token, ...onWire(made ?? { name: params.name, grant, createdAt: Date.now() }) };
    },
    'token.list': () => ({ tokens: tokens.list().map(onWire) }),
    'token.revoke': ({ name }) => ({ revoked: tokens.revoke(name) }),
  };
}

type Asked = Params<'token.create'>;

/** @throws SwitchyardError `invalid_params` for limits that do not go together, `not_found` for handles of nothing */
async function grantOf(asked: Asked, locate: Locate): Promise<Grant> {
  const scopes = [...new Set(asked.scopes.map((scope) => scope.trim().toLowerCase()))].map(scopeNamed);
  const { workspace_ids, hosts, surface_id, expires_in_s } = asked;
  const isSelf = scopes.includes('self');
  const isWide = scopes.includes('admin');
  if (isSelf && scopes.length > 1) refuse('scopes', '`self` goes with no other scope.');
  if (isSelf !== (surface_id !== undefined)) refuse('surface_id', '`self` needs a surface_id, and only `self` does.');
  if ((isSelf || isWide) && (workspace_ids ?? hosts) !== undefined) {
    refuse('scopes', 'Workspaces and hosts limit `read` and `write` only.');
  }
  return {
    scopes,
    workspaceIds: workspace_ids === undefined ? null : await idsOf('workspace', workspace_ids, locate),
    hosts: hosts ?? null,
    surfaceId: surface_id === undefined ? null : ((await idsOf('surface', [surface_id], locate))[0] ?? null),
    expiresAt: expires_in_s === undefined ? null : Date.now() + expires_in_s * 1000,
  };
}

function scopeNamed(text: string): GrantedScope {
  const scope = SCOPES.find((known) => known === text);
  return scope ?? refuse('scopes', `There is no scope ${text}; there are ${SCOPES.join(', ')}.`);
}

async function idsOf(kind: TargetKind, handles: readonly string[], locate: Locate): Promise<string[]> {
  const places = await locate(handles.map((handle) => ({ kind, handle })));
  return places.map((place, i) => place?.id ?? fail('not_found', `There is no ${kind} ${handles[i]}.`));
}

function refuse(path: string, reason: string): never {
  return fail('invalid_params', reason, { path, reason });
}
