import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { encodeReply, errorReply, v2 } from '@switchyard/protocol';
import type { App, ServiceKit } from '@switchyard/service';
import { type GatewayConfig, gatewayConfig } from './config.js';
import { Dispatcher } from './dispatcher.js';
import { LoginGate } from './domain/login-gate.js';
import { JournalReader } from './events/journal-reader.js';
import { OutputWatches } from './events/output-watches.js';
import { authHandlers } from './handlers/auth.js';
import { eventHandlers } from './handlers/events.js';
import { subscribeHandlers } from './handlers/subscribe.js';
import { systemHandlers } from './handlers/system.js';
import { Connection } from './net/connection.js';
import { listenAt, type SocketServer } from './net/socket-server.js';
import { waitForYard } from './yard-ready.js';

/** What is in flight when the gateway stops may take this long; longer than any healthy request. */
const DRAIN_MS = 5000;

/** The door of the yard: clients on a unix socket on one side, the services on the bus on the other. */
export function build(kit: Pick<ServiceKit, 'env' | 'bus' | 'log'>): App {
  return new Gateway(gatewayConfig(kit.env), kit);
}

class Gateway implements App {
  readonly #config: GatewayConfig;
  readonly #kit: Pick<ServiceKit, 'bus' | 'log'>;
  readonly #dispatcher: Dispatcher;
  readonly #connections = new Set<Connection>();
  readonly #reader: JournalReader;
  readonly #outputs: OutputWatches;
  #server: SocketServer | undefined;
  #accepted = 0;

  constructor(config: GatewayConfig, kit: Pick<ServiceKit, 'bus' | 'log'>) {
    this.#config = config;
    this.#kit = kit;
    const gate = new LoginGate((ms) => delay(ms));
    const { bus, log } = kit;
    const reader = new JournalReader(bus, log);
    const outputs = new OutputWatches(bus, log);
    this.#reader = reader;
    this.#outputs = outputs;
    this.#dispatcher = new Dispatcher({
      bus,
      handlers: {
        ...systemHandlers(config),
        ...authHandlers(config, gate),
        ...eventHandlers({ bus, reader, log }),
        ...subscribeHandlers({ bus, reader, outputs }),
      },
      accessMode: config.accessMode,
      replyBytes: config.limits.replyBytes,
      log,
    });
  }

  async start(): Promise<void> {
    const { socketPath, socketFolder, ptyHosts } = this.#config;
    await waitForYard(this.#kit.bus, this.#kit.log, ptyHosts);
    this.#server = await listenAt({
      path: socketPath,
      folder: socketFolder,
      uid: process.getuid?.() ?? 0,
      accept: (socket) => this.#accept(socket),
      onError: (err) => this.#kit.log.error({ err }, 'the socket server reports an error'),
    });
    this.#kit.log.info({ socket: socketPath, access_mode: this.#config.accessMode }, 'open to clients');
  }

  async stop(): Promise<void> {
    this.#server?.close();
    const drained = Promise.all([...this.#connections].map((connection) => connection.drain()));
    const bound = new AbortController();
    await Promise.race([drained, delay(DRAIN_MS, undefined, { signal: bound.signal }).catch(() => undefined)]);
    bound.abort();
    for (const connection of this.#connections) connection.destroy();
    await drained;
    this.#outputs.stop();
    this.#reader.stop();
  }

  #accept(socket: Socket): void {
    if (this.#connections.size >= this.#config.limits.connections) {
      this.#turnAway(socket);
      return;
    }
    const name = `client-${++this.#accepted}`;
    const { limits } = this.#config;
    const connection = new Connection({ socket, name, dispatcher: this.#dispatcher, limits, log: this.#kit.log });
    this.#connections.add(connection);
    void connection.closed.then(() => this.#connections.delete(connection));
  }

  #turnAway(socket: Socket): void {
    const message = `There are ${this.#connections.size} clients already; no more are let in.`;
    socket.on('error', (err) => this.#kit.log.debug({ err }, 'a client that was turned away has left'));
    socket.end(encodeReply(v2, errorReply('null', { code: 'overloaded', message })), () => socket.destroy());
    this.#kit.log.warn({ clients: this.#connections.size }, 'a client was turned away');
  }
}
