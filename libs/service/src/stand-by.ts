import { createConnection } from 'node:net';
import { ownVersion } from './version.js';

export interface StandByOptions {
  /** `paths.supervisorSocket` */
  readonly socket: string;
  /** Of the process that is to be replaced, which is that of this one, too. */
  readonly name: string;
  /** Unique to this run of the process. */
  readonly instance: string;
}

/**
 * Tells the supervisor that this process has loaded what it needs, and waits until the one that it replaces has gone: only
 * then is that answered. So nothing is left behind: without the supervisor, or without its answer, nobody waits for us.
 *
 * @throws Error when the turn will not come: it is refused, or the supervisor is gone
 */
export function untilTurn({ socket: path, name, instance }: StandByOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(path);
    socket.once('connect', () => {
      const params = { name, pid: process.pid, instance, state: 'standby', version: ownVersion() };
      socket.write(`${JSON.stringify({ id: 1, method: 'yard.hello', params })}\n`);
    });
    let answer = '';
    socket.setEncoding('utf8').on('data', (text) => {
      answer += String(text);
      if (!answer.includes('\n')) return;
      socket.destroy();
      if ((JSON.parse(answer) as { ok: boolean }).ok) resolve();
      else reject(new Error(`the supervisor has no use for it: ${answer.trim()}`));
    });
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('the supervisor is gone')));
  });
}
