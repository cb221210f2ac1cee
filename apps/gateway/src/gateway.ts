import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { encodeReply, errorReply, v2 } from '@switchyard/protocol';
import type { App, ServiceKit } from '@switchyard/service';
import { AuditLog } from '@switchyard/service/audit';
import { type Database, openDatabase, storageGauges } from '@switchyard/store/sqlite';
import { isFromTerminal } from './access/descent.js';
import { identify } from './access/identify.js';
import type { Identity } from './access/session.js';
import { TOKEN_MIGRATIONS, TokenBook } from './access/token-book.js';
import { type GatewayConfig, gatewayConfig } from './config.js';
import { Dispatcher } from './dispatcher.js';
import { EVERYTHING, type Grant } from './domain/grant.js';
import { LoginGate } from './domain/login-gate.js';
import type { Locate } from './domain/permission.js';
import { JournalReader } from './events/journal-reader.js';
import { OutputWatches } from './events/output-watches.js';
import { auditHandlers } from './handlers/audit.js';
import { authHandlers } from './handlers/auth.js';
import { eventHandlers } from './handlers/events.js';
import { subscribeHandlers } from './handlers/subscribe.js';
import { systemHandlers } from './handlers/system.js';
import { tokenHandlers } from './handlers/token.js';
import { Connection } from './net/connection.js';
import { listenAt, type SocketServer } from './net/socket-server.js';
import { RequestLog } from './request-log.js';
import { waitForYard } from './yard-ready.js';

/** What is in flight when the gateway stops may take this long; longer than any healthy request. */
const DRAIN_MS = 5000;
const ROOT = 0;
/** For one that is not let in to read why. */
const TURNED_AWAY_MS = 2000;

type Kit = Pick<ServiceKit, 'env' | 'bus' | 'log'>;
type Door = Identity['socket'];
type Refusal = 'overloaded' | 'forbidden';

/** Plain text that begins so, because clients of the peer know it by that (programa-api §2.3). */
const NOT_FROM_TERMINAL =
  'ERROR: Access denied: only programs in terminals of this yard are let in (gateway.access_mode).\n';

/** The door of the yard: clients on unix sockets on one side, the services on the bus on the other. */
export function build(kit: Kit): App {
  return new Gateway(gatewayConfig(kit.env), kit);
}

class Gateway implements App {
  readonly #config: GatewayConfig;
  readonly #kit: Kit;
  readonly #uid = process.getuid?.() ?? ROOT;
  readonly #database: Database;
  readonly #audit: AuditLog;
  readonly #dispatcher: Dispatcher;
  readonly #connections = new Set<Connection>();
  /** Of whom it is being found out whether they are let in. */
  readonly #undecided = new Set<Socket>();
  readonly #reader: JournalReader;
  readonly #outputs: OutputWatches;
  #servers: SocketServer[] = [];
  #accepted = 0;
  #absent: () => void = () => undefined;

  constructor(config: GatewayConfig, kit: Kit) {
    this.#config = config;
    this.#kit = kit;
    this.#database = openDatabase(config.databaseFile, {
      migrations: TOKEN_MIGRATIONS,
      onSetAside: (event) => kit.log.error(event, 'the database of tokens was damaged: all tokens are gone'),
    });
    this.#audit = new AuditLog({ folder: config.auditFolder, writer: 'gateway' });
    const tokens = new TokenBook(this.#database);
    const gate = new LoginGate((ms) => delay(ms));
    const { bus, log } = kit;
    const reader = new JournalReader(bus, log);
    const outputs = new OutputWatches(bus, log);
    this.#reader = reader;
    this.#outputs = outputs;
    const locate: Locate = async (things) => (await bus.call('access.locate', { handles: [...things] })).places;
    this.#dispatcher = new Dispatcher({
      bus,
      handlers: {
        ...systemHandlers(config),
        ...authHandlers({ config, gate, tokens }),
        ...tokenHandlers({ tokens, locate }),
        ...auditHandlers(this.#audit),
        ...eventHandlers({ bus, reader, log }),
        ...subscribeHandlers({ bus, reader, outputs }),
      },
      locate,
      replyBytes: config.limits.replyBytes,
      requestLog: new RequestLog(log, this.#audit),
    });
  }

  async start(): Promise<void> {
    const { socketPath, socketFolder, guestSocket, ptyHosts, accessMode } = this.#config;
    this.#absent = this.#kit.bus.present('gateway', this.#kit.env.address, () => this.#gauges());
    await waitForYard(this.#kit.bus, this.#kit.log, ptyHosts);
    if (accessMode === 'off') {
      this.#kit.log.info({ access_mode: accessMode }, 'closed to clients');
      return;
    }
    // The main one last: it tells whoever waits for the yard that it is up.
    await this.#listen('guest', guestSocket, 'private');
    await this.#listen('main', socketPath, socketFolder);
    this.#kit.log.info({ socket: socketPath, guest_socket: guestSocket, access_mode: accessMode }, 'open to clients');
  }

  async stop(): Promise<void> {
    for (const server of this.#servers) server.close();
    for (const socket of this.#undecided) socket.destroy();
    const drained = Promise.all([...this.#connections].map((connection) => connection.drain()));
    const bound = new AbortController();
    await Promise.race([drained, delay(DRAIN_MS, undefined, { signal: bound.signal }).catch(() => undefined)]);
    bound.abort();
    for (const connection of this.#connections) connection.destroy();
    await drained;
    this.#absent();
    this.#outputs.stop();
    this.#reader.stop();
    const { waiting: entries } = this.#audit;
    if (entries > 0) this.#kit.log.error({ entries }, 'changes could not be written down: the disk takes nothing');
    this.#audit.close();
    this.#database.close();
  }

  #gauges(): Readonly<Record<string, number>> {
    const all = [...this.#connections];
    const sum = (of: (connection: Connection) => number) => all.reduce((total, one) => total + of(one), 0);
    return {
      connections: all.length,
      connection_limit: this.#config.limits.connections,
      requests_in_flight: sum((one) => one.inFlight),
      outbox_bytes: sum((one) => one.outboxBytes),
      subscriptions: sum((one) => one.subscriptions),
      audit_waiting: this.#audit.waiting,
      ...storageGauges(this.#database),
    };
  }

  async #listen(door: Door, path: string, folder: 'private' | 'shared'): Promise<void> {
    const server = await listenAt({
      path,
      folder,
      uid: this.#uid,
      accept: (socket) => this.#accept(socket, door),
      onError: (err) => this.#kit.log.error({ err, socket: path }, 'the socket server reports an error'),
    });
    this.#servers.push(server);
  }

  #accept(socket: Socket, door: Door): void {
    const identity = identify(socket, door, `client-${++this.#accepted}`);
    const { limits, accessMode } = this.#config;
    const clients = this.#connections.size + this.#undecided.size;
    if (clients >= limits.connections) {
      const message = `There are ${clients} clients already; no more are let in.`;
      this.#turnAway(socket, identity, 'overloaded', refusal('overloaded', message));
      return;
    }
    // Folder and socket keep others out; this holds also where somebody has opened them by hand.
    if (door === 'main' && identity.uid !== null && identity.uid !== this.#uid && identity.uid !== ROOT) {
      this.#turnAway(socket, identity, 'forbidden', refusal('forbidden', 'This yard belongs to another user.'));
      return;
    }
    if (door === 'main' && accessMode === 'descendants') void this.#decide(socket, identity);
    else this.#letIn(socket, identity, door === 'main' && accessMode === 'same-user' ? EVERYTHING : undefined);
  }

  /** What it sends meanwhile waits in the socket. */
  async #decide(socket: Socket, identity: Identity): Promise<void> {
    const { log } = this.#kit;
    const onError = (err: Error) => log.debug({ err, caller: identity.name }, 'a client has left before it was let in');
    this.#undecided.add(socket.on('error', onError));
    const isLetIn = await isFromTerminal(identity.pid, this.#config.keeperSocket).catch((err: unknown) => {
      log.warn({ err, ...identity }, 'it could not be found out where a client was started');
      return false;
    });
    this.#undecided.delete(socket.off('error', onError));
    if (socket.destroyed) return;
    if (isLetIn) this.#letIn(socket, identity, EVERYTHING);
    else this.#turnAway(socket, identity, 'forbidden', NOT_FROM_TERMINAL);
  }

  #letIn(socket: Socket, identity: Identity, grant: Grant | undefined): void {
    const { log } = this.#kit;
    const { limits } = this.#config;
    const connection = new Connection({ socket, identity, grant, dispatcher: this.#dispatcher, limits, log });
    this.#connections.add(connection);
    void connection.closed.then(() => this.#connections.delete(connection));
  }

  #turnAway(socket: Socket, identity: Identity, why: Refusal, line: string | Buffer): void {
    socket.on('error', (err) => this.#kit.log.debug({ err }, 'a client that was turned away has left'));
    // What it sends is read and dropped, so that it gets to read why instead of an error of the system.
    socket.resume();
    socket.end(line);
    const timer = setTimeout(() => socket.destroy(), TURNED_AWAY_MS);
    socket.once('close', () => clearTimeout(timer));
    this.#kit.log.warn({ ...identity, clients: this.#connections.size, why }, 'a client was turned away');
  }
}

const refusal = (code: Refusal, message: string): Buffer => encodeReply(v2, errorReply('null', { code, message }));
