import { once } from 'node:events';
import { connect } from 'node:net';
import { parentOf, peerCredentials } from '@switchyard/service/audit';
import { descendsFrom } from '../domain/ancestry.js';

/** The keeper accepts within milliseconds. */
const TIMEOUT_MS = 5000;

/**
 * Whether a process was started in a terminal of the yard: by its keeper, or by what that has started.
 *
 * @returns false also where that cannot be found out
 */
export async function isFromTerminal(pid: number | null, keeperSocket: string): Promise<boolean> {
  if (pid === null) return false;
  const keeper = await listenerAt(keeperSocket);
  return keeper !== undefined && descendsFrom(pid, keeper, parentOf);
}

/** The process that listens at a socket; the folder of ours vouches for whose it is. */
async function listenerAt(path: string): Promise<number | undefined> {
  const socket = connect(path);
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(TIMEOUT_MS) });
    return peerCredentials(socket)?.pid;
  } catch {
    return undefined; // It is away: nobody can be from a terminal of it.
  } finally {
    socket.destroy();
  }
}
