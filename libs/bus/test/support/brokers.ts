import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort, type TempDir, tempDir, waitFor } from '@switchyard/testing';

/** A broker in a process of its own, that can be killed and started again on the same port. */
export interface TestBroker {
  readonly url: string;
  readonly port: number;
  readonly token: string;
  readonly pid: number;
  start(): Promise<void>;
  kill(): Promise<void>;
  /** Kills it and removes its folder. */
  end(): Promise<void>;
}

export interface BrokerKind {
  readonly name: string;
  /** Why its cases cannot run here, or undefined. */
  readonly missing: string | undefined;
  make(): Promise<TestBroker>;
}

const TOKEN = 'for-tests-only';
const BROKER_MAIN = fileURLToPath(new URL('../../../../apps/broker/dist/main.js', import.meta.url));

export const embedded: BrokerKind = {
  name: 'the embedded broker',
  missing: undefined,
  make: async () => {
    const dir = tempDir('sy-bus');
    const port = await freePort();
    const busFile = join(dir.path, 'bus.json');
    writeFileSync(busFile, JSON.stringify({ url: `nats://127.0.0.1:${port}`, token: TOKEN, space: '_' }), {
      mode: 0o600,
    });
    const paths = { busFile, supervisorSocket: join(dir.path, 'none.sock') };
    const SWITCHYARD_SERVICE = JSON.stringify({
      name: 'bus',
      service: 'broker',
      paths,
      settings: { log: { level: 'info' } },
    });
    return new ChildBroker(dir, port, () =>
      spawn(process.execPath, [BROKER_MAIN], { env: { ...process.env, SWITCHYARD_SERVICE }, stdio: 'ignore' }),
    );
  },
};

export const natsServer: BrokerKind = {
  name: 'nats-server',
  missing: spawnSync('nats-server', ['--version']).status === 0 ? undefined : 'nats-server is not on PATH',
  make: async () => {
    const dir = tempDir('sy-bus');
    const port = await freePort();
    const config = join(dir.path, 'nats.conf');
    // It cuts off a slow consumer after its write deadline; the default of ten seconds would be the test's time.
    const text = `listen: "127.0.0.1:${port}"\nauthorization { token: "${TOKEN}" }\nwrite_deadline: "2s"\n`;
    writeFileSync(config, text, { mode: 0o600 });
    return new ChildBroker(dir, port, () => spawn('nats-server', ['-c', config], { stdio: 'ignore' }));
  },
};

class ChildBroker implements TestBroker {
  readonly url: string;
  readonly port: number;
  readonly token = TOKEN;
  readonly #dir: TempDir;
  readonly #spawn: () => ChildProcess;
  #child: ChildProcess | undefined;

  constructor(dir: TempDir, port: number, start: () => ChildProcess) {
    this.url = `nats://127.0.0.1:${port}`;
    this.port = port;
    this.#dir = dir;
    this.#spawn = start;
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  async start(): Promise<void> {
    this.#child = this.#spawn();
    await waitFor(`broker on port ${this.port}`, () => listens(this.port));
  }

  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  async end(): Promise<void> {
    await this.kill();
    this.#dir.remove();
  }
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}
