import { connect } from 'node:net';
import type { HookRequest } from './requests.js';

const NEWLINE = 0x0a;

/**
 * Writes requests to the gateway in one go and waits until each has an answer, whatever it says: a connection that is
 * closed earlier takes its requests back.
 *
 * @throws when the gateway is not there, closes, or the deadline comes first
 */
export function askAll(socketPath: string, requests: readonly HookRequest[], deadline: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(socketPath);
    let missing = requests.length;
    const stop = () => socket.destroy(new Error('too late'));
    if (deadline.aborted) stop();
    deadline.addEventListener('abort', stop, { once: true });
    socket.on('data', (chunk: Buffer) => {
      for (const byte of chunk) if (byte === NEWLINE) missing--;
      if (missing <= 0) socket.destroy();
    });
    socket.on('error', reject);
    socket.on('close', () => {
      deadline.removeEventListener('abort', stop);
      if (missing <= 0) resolve();
      else reject(new Error('the gateway closed the connection'));
    });
    socket.write(requests.map((request) => `${JSON.stringify(request)}\n`).join(''));
  });
}
