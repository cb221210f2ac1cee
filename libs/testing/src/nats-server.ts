import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { tempDir } from './temp-dir.js';
import { waitFor } from './wait-for.js';

export interface NatsServer {
  readonly url: string;
  readonly token: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** Whether tests against the real nats-server can run here. */
export function hasNatsServer(): boolean {
  return spawnSync('nats-server', ['--version']).status === 0;
}

/** A real nats-server on a free loopback port, with a token. The caller stops it. */
export async function startNatsServer(): Promise<NatsServer> {
  const port = await freePort();
  const token = 'for-tests-only';
  const dir = tempDir('sy-nats');
  const child = spawn('nats-server', ['-a', '127.0.0.1', '-p', String(port), '--auth', token], {
    cwd: dir.path,
    stdio: 'ignore',
  });
  const gone = once(child, 'exit');
  await waitFor(`nats-server listens on ${port}`, () => canConnect(port));
  return {
    url: `nats://127.0.0.1:${port}`,
    token,
    pid: child.pid ?? -1,
    stop: async () => {
      child.kill('SIGTERM');
      await gone;
      dir.remove();
    },
  };
}

/** A loopback port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('a TCP server has an address with a port');
  return address.port;
}

function canConnect(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
