import { randomBytes } from 'node:crypto';
import { createServer, type Server, type Socket } from 'node:net';
import { ERR, type ErrText } from './domain/errors.js';
import type { Published } from './domain/parser.js';
import { SubjectTrie } from './domain/subject-trie.js';
import { LIMITS, type Limits } from './limits.js';
import { digest, Peer, type Router, type Subscription } from './peer.js';

export interface BrokerConfig {
  /** Loopback unless TLS ends before us: the protocol is spoken in the clear. */
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly token: string;
  readonly limits?: Partial<Limits>;
}

export interface BrokerDeps {
  readonly log: {
    info(facts: object, message: string): void;
    warn(facts: object, message: string): void;
    error(facts: object, message: string): void;
  };
}

export interface Broker {
  /** Rejects when the port is taken. */
  start(): Promise<void>;
  /** Tells the clients, lets the last bytes leave, closes. */
  stop(): Promise<void>;
  /** Where it listens, from `start` on. */
  readonly port: number;
}

/** The level of the protocol that is spoken: clients decide by it what they may use. */
const PROTOCOL_VERSION = '2.9.0';
const NO_RESPONDERS = Buffer.from('NATS/1.0 503\r\n\r\n');

/** A broker that speaks the client protocol of NATS, for a yard on a machine without nats-server. */
export function build(config: BrokerConfig, deps: BrokerDeps): Broker {
  return new EmbeddedBroker(config, deps);
}

class EmbeddedBroker implements Broker, Router {
  readonly limits: Limits;
  readonly tokenDigest: Buffer;
  readonly #config: BrokerConfig;
  readonly #log: BrokerDeps['log'];
  readonly #serverId = randomBytes(8).toString('hex').toUpperCase();
  readonly #server: Server;
  readonly #peers = new Set<Peer>();
  readonly #trie = new SubjectTrie<Subscription>();
  #dirty: Peer[] = [];
  #flushing = false;
  #pingTimer: NodeJS.Timeout | undefined;
  #clients = 0;
  #port = 0;

  constructor(config: BrokerConfig, deps: BrokerDeps) {
    this.limits = { ...LIMITS, ...config.limits };
    this.tokenDigest = digest(config.token);
    this.#config = config;
    this.#log = deps.log;
    this.#server = createServer((socket) => this.#accept(socket));
  }

  get port(): number {
    return this.#port;
  }

  async start(): Promise<void> {
    const { host, port } = this.#config;
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, host, () => {
        this.#server.off('error', reject);
        resolve();
      });
    });
    const address = this.#server.address();
    this.#port = typeof address === 'object' && address !== null ? address.port : port;
    this.#server.on('error', (err) => this.#log.error({ err }, 'the listening socket failed'));
    this.#pingTimer = setInterval(() => this.#pingRound(), this.limits.pingIntervalMs);
    this.#log.info({ host, port: this.#port }, 'broker listens');
  }

  async stop(): Promise<void> {
    clearInterval(this.#pingTimer);
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const peer of [...this.#peers]) {
      if (peer.authorized) peer.outbox.line(this.#info(peer.id, true));
      peer.close();
    }
    await closed;
  }

  subscribed(subscription: Subscription): void {
    this.#trie.add(subscription);
  }

  unsubscribed(subscription: Subscription): void {
    this.#trie.remove(subscription);
  }

  route(from: Peer, message: Published): void {
    const { plain, queues } = this.#trie.match(message.subject);
    let delivered = 0;
    for (const subscription of plain) {
      if (subscription.peer === from && !from.echo) continue;
      delivered += this.#deliver(subscription, from, message);
    }
    for (const group of queues.values()) delivered += this.#deliverToOne(group, from, message);
    if (delivered === 0 && message.reply !== undefined && from.noResponders) this.#nobodyListens(from, message.reply);
  }

  dirty(peer: Peer): void {
    if (peer.queued) return;
    peer.queued = true;
    this.#dirty.push(peer);
    if (this.#flushing) return;
    this.#flushing = true;
    // After the chunk that is being read, before the next one: one write for all it caused.
    queueMicrotask(() => this.#flush());
  }

  violated(peer: Peer, text: ErrText): void {
    this.#log.warn({ client: peer.id, name: peer.name, pending_bytes: peer.outbox.pending }, `client cut off: ${text}`);
  }

  failed(peer: Peer, err: unknown): void {
    this.#log.error({ err, client: peer.id, name: peer.name }, 'a fault while reading from a client');
    peer.refuse(ERR.parser);
  }

  gone(peer: Peer): void {
    this.#peers.delete(peer);
  }

  #accept(socket: Socket): void {
    const peer = new Peer(++this.#clients, socket, this);
    if (this.#peers.size >= this.limits.maxConnections) {
      peer.refuse(ERR.connections);
      return;
    }
    this.#peers.add(peer);
    peer.send(this.#info(peer.id, false));
  }

  /** @returns how many got it: 1, or 0 when the subscriber was cut off instead */
  #deliver(subscription: Subscription, from: Peer, message: Published): 0 | 1 {
    const { peer, sid } = subscription;
    if (peer.closed) return 0;
    const { subject, reply, headerBytes } = message;
    const stripped = headerBytes > 0 && !peer.headers;
    const body = stripped ? message.body.subarray(headerBytes) : message.body;
    const sizes = headerBytes > 0 && !stripped ? `${headerBytes} ${body.length}` : `${body.length}`;
    const verb = headerBytes > 0 && !stripped ? 'HMSG' : 'MSG';
    peer.outbox.message(`${verb} ${subject} ${sid} ${reply === undefined ? '' : `${reply} `}${sizes}\r\n`, body);
    subscription.delivered++;
    if (subscription.max !== undefined && subscription.delivered >= subscription.max) peer.drop(subscription);
    this.dirty(peer);
    const { pending } = peer.outbox;
    if (pending > this.limits.maxPendingBytes) peer.cutOff(ERR.slow);
    else if (pending > this.limits.stallBytes) peer.stall.hold(from.valve);
    return 1;
  }

  /** Any member will do; one that is cut off at this moment will not. */
  #deliverToOne(group: Subscription[], from: Peer, message: Published): 0 | 1 {
    const first = Math.floor(Math.random() * group.length);
    for (let i = 0; i < group.length; i++) {
      const member = group[(first + i) % group.length];
      if (member === undefined || (member.peer === from && !from.echo)) continue;
      if (this.#deliver(member, from, message) === 1) return 1;
    }
    return 0;
  }

  #nobodyListens(from: Peer, reply: string): void {
    const inbox = this.#trie.match(reply).plain.find((subscription) => subscription.peer === from);
    if (inbox === undefined) return;
    const message = { subject: reply, reply: undefined, headerBytes: NO_RESPONDERS.length, body: NO_RESPONDERS };
    this.#deliver(inbox, from, message);
  }

  #flush(): void {
    this.#flushing = false;
    const dirty = this.#dirty;
    this.#dirty = [];
    for (const peer of dirty) {
      peer.queued = false;
      if (!peer.closed) peer.outbox.flush();
    }
  }

  /** Asks the silent ones; one that has not answered several times has gone without a word. */
  #pingRound(): void {
    for (const peer of [...this.#peers]) {
      if (peer.active) peer.pingsOut = 0;
      peer.active = false;
      if (peer.pingsOut >= this.limits.maxPingsOut) {
        peer.cutOff(ERR.stale);
      } else {
        peer.pingsOut++;
        peer.send('PING\r\n');
      }
    }
  }

  #info(clientId: number, leaving: boolean): string {
    const info = {
      server_id: this.#serverId,
      server_name: 'switchyard',
      version: PROTOCOL_VERSION,
      proto: 1,
      host: this.#config.host,
      port: this.#port,
      headers: true,
      auth_required: true,
      max_payload: this.limits.maxPayload,
      client_id: clientId,
      ...(leaving ? { ldm: true } : {}),
    };
    return `INFO ${JSON.stringify(info)}\r\n`;
  }
}
