import type { Result } from '@switchyard/protocol';
import type { Grant } from '../domain/grant.js';
import type { Session } from './session.js';

type Who = Result<'auth.whoami'>;

export function identityOnWire({ identity, token }: Session): Who['caller'] {
  const { name, socket, uid, pid, surfaceId } = identity;
  return { name, socket, uid, pid, surface_id: surfaceId, token };
}

export function limitsOnWire({ scopes, workspaceIds, hosts, surfaceId, expiresAt }: Grant): Who['grant'] {
  return {
    scopes: [...scopes],
    workspace_ids: workspaceIds && [...workspaceIds],
    hosts: hosts && [...hosts],
    surface_id: surfaceId,
    expires_at: expiresAt,
  };
}
