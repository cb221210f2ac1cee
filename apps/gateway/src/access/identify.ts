import type { Socket } from 'node:net';
import { peerCredentials, surfaceOfProcess } from '@switchyard/service/audit';
import type { Identity } from './session.js';

/** Who has opened a connection, as far as the system tells. */
export function identify(socket: Socket, door: Identity['socket'], name: string): Identity {
  const peer = peerCredentials(socket);
  return {
    name,
    socket: door,
    uid: peer?.uid ?? null,
    pid: peer?.pid ?? null,
    surfaceId: peer === undefined ? null : surfaceOfProcess(peer.pid),
  };
}
