import { connect, type Socket } from 'node:net';
import { type ErrorCode, SwitchyardError } from '@switchyard/protocol/errors';

/** A full accept queue empties within milliseconds when its listener lives. */
const BUSY_RETRY_MS = 20;

/** What the system says when there is no use in trying again, as one of our codes and a sentence. */
const REFUSALS: Record<string, readonly [ErrorCode, string]> = {
  ENOENT: ['service_unavailable', 'No yard is running: there is no socket at'],
  ECONNREFUSED: ['service_unavailable', 'The yard is not running: nobody listens at'],
  EACCES: ['forbidden', 'The socket belongs to somebody else:'],
  ENOTSOCK: ['service_unavailable', 'This is not a socket:'],
};

/**
 * Connects to a unix socket.
 *
 * @param path of the socket
 * @param timeoutMs until giving up on a listener whose queue stays full
 * @throws SwitchyardError `service_unavailable` (nobody there), `forbidden`, `timeout`
 */
export async function openSocket(path: string, timeoutMs: number): Promise<Socket> {
  const deadline = performance.now() + timeoutMs;
  for (;;) {
    try {
      return await openOnce(path, Math.max(1, Math.ceil(deadline - performance.now())));
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? '';
      if (code !== 'EAGAIN') throw explain(error, code, path);
      if (performance.now() + BUSY_RETRY_MS >= deadline) throw noAnswer(path, timeoutMs);
      await new Promise((resolve) => setTimeout(resolve, BUSY_RETRY_MS));
    }
  }
}

/** @returns the error for a peer that is there and stays silent */
export function noAnswer(path: string, timeoutMs: number): SwitchyardError {
  return new SwitchyardError('timeout', `No answer from ${path} within ${timeoutMs} ms.`, { timeout_ms: timeoutMs });
}

function openOnce(path: string, timeoutMs: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    const timer = setTimeout(() => socket.destroy(noAnswer(path, timeoutMs)), timeoutMs);
    socket.once('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    socket.once('connect', () => {
      clearTimeout(timer);
      socket.removeAllListeners('error');
      resolve(socket);
    });
  });
}

function explain(error: unknown, code: string, path: string): Error {
  if (error instanceof SwitchyardError) return error;
  const [ours, text] = REFUSALS[code] ?? ['service_unavailable', `Cannot connect (${code}):`];
  return new SwitchyardError(ours, `${text} ${path}`, { path, errno: code }, { cause: error });
}
