import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import type { ServiceEnv, Settings } from '@switchyard/config';
import { type Answers, type FakeBus, fakeBus, tempDir, within } from '@switchyard/testing';
import { type Logger, pino } from 'pino';
import { build } from '../src/gateway.js';

type GatewaySettings = Settings['gateway'];

const MiB = 1024 * 1024;
const SETTINGS: GatewaySettings = {
  access_mode: 'same-user',
  password_file: '',
  max_connections: 1024,
  max_in_flight: 1024,
  outbox_bytes: 128 * MiB,
  request_limit_bytes: 8 * MiB,
  reply_limit_bytes: 64 * MiB,
  restart_grace_ms: 3000,
};

/** What the gateway asks of the yard before it opens. */
const YARD: Answers = {
  'system.identify': () => ({ socket_path: '', focused: null, caller: null }),
  'terminal.list': () => ({ terminals: [] }) as never,
};

export interface TestGateway {
  readonly path: string;
  readonly guestPath: string;
  /** Where it looks for the keeper; nobody listens there. */
  readonly keeperPath: string;
  readonly bus: FakeBus;
  /** The last lines it has logged. */
  readonly logged: Record<string, unknown>[];
  wire(): Promise<Wire>;
  /** A client at the socket for sandboxes. */
  guest(): Promise<Wire>;
  /** Stops it as a signal would. */
  drain(): Promise<void>;
  /** Hangs up all wires, then stops it. Safe after `drain`. */
  stop(): Promise<void>;
}

/** A gateway on a socket of its own, with `answers` in place of the services. */
export async function startGateway(
  settings: Partial<GatewaySettings> = {},
  answers: Answers = {},
): Promise<TestGateway> {
  const dir = tempDir('sy-gw');
  const path = join(dir.path, 'gateway.sock');
  const guestSocket = join(dir.path, 'guest', 'gateway.sock');
  const bus = fakeBus({ ...YARD, ...answers });
  const { log, logged } = recordingLog();
  const env = {
    host: 'local',
    paths: {
      gatewaySocket: path,
      guestSocket,
      keeperSocket: join(dir.path, 'keeper.sock'),
      runtimeDir: dir.path,
      stateDir: join(dir.path, 'state'),
    },
    settings: { gateway: { ...SETTINGS, ...settings }, services: { pty_hosts: 1 } },
  } as unknown as ServiceEnv;
  const app = build({ env, bus, log });
  await app.start();
  const wires = new Set<Wire>();
  const open = async (socket: string) => {
    const wire = await Wire.open(socket);
    wires.add(wire);
    wire.socket.once('close', () => wires.delete(wire));
    return wire;
  };
  let stopping: Promise<void> | undefined;
  const drain = () => {
    stopping ??= app.stop();
    return stopping;
  };
  return {
    path,
    guestPath: guestSocket,
    keeperPath: join(dir.path, 'keeper.sock'),
    bus,
    logged,
    wire: () => open(path),
    guest: () => open(guestSocket),
    drain,
    stop: async () => {
      for (const wire of wires) wire.socket.destroy();
      await drain();
      dir.remove();
    },
  };
}

/** More than any test looks back at. */
const LINES_KEPT = 1000;

function recordingLog(): { log: Logger; logged: Record<string, unknown>[] } {
  const logged: Record<string, unknown>[] = [];
  const write = (line: string) => {
    logged.push(JSON.parse(line));
    if (logged.length > 2 * LINES_KEPT) logged.splice(0, LINES_KEPT);
  };
  const log = pino({ level: 'debug' }, { write });
  return { log, logged };
}

/** How long a reply may take before a test gives up. */
const REPLY_MS = 10_000;

// biome-ignore lint/suspicious/noExplicitAny: what comes from the wire is what the tests look into
type Reply = any;

/** A client that knows nothing but bytes and lines. */
export class Wire {
  /** Resolves when the gateway has ended its side. */
  readonly ended: Promise<unknown>;
  readonly socket: Socket;
  #text = '';
  #lines: string[] = [];
  #waiting: (() => void)[] = [];

  static async open(path: string): Promise<Wire> {
    const socket = connect({ path, allowHalfOpen: true });
    await once(socket, 'connect');
    return new Wire(socket);
  }

  constructor(socket: Socket) {
    this.socket = socket;
    this.ended = once(socket, 'end').catch(() => undefined);
    socket.on('error', () => undefined); // a refused client may be cut off in the middle of a write
    socket.on('data', (chunk) => {
      const lines = (this.#text + chunk.toString('utf8')).split('\n');
      this.#text = lines.pop() ?? '';
      this.#lines.push(...lines);
      for (const wake of this.#waiting.splice(0)) wake();
    });
  }

  /** Lines that have come and were not read. */
  get unread(): number {
    return this.#lines.length;
  }

  send(...lines: (object | string | Buffer)[]): this {
    for (const line of lines) {
      if (Buffer.isBuffer(line)) this.socket.write(line);
      else this.socket.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`);
    }
    return this;
  }

  /** The next line, as an object. */
  async read(): Promise<Reply> {
    return JSON.parse(await this.readText());
  }

  async readText(): Promise<string> {
    while (this.#lines.length === 0) {
      await within(REPLY_MS, 'a reply', new Promise<void>((resolve) => this.#waiting.push(resolve)));
    }
    return this.#lines.shift() ?? '';
  }

  /** @returns the reply to one request, with nothing else in flight */
  ask(method: string, params: object = {}): Promise<Reply> {
    return this.send({ id: 'ask', method, params }).read();
  }
}
