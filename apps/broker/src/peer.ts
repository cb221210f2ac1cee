import { createHash, timingSafeEqual } from 'node:crypto';
import type { Socket } from 'node:net';
import { ERR, type ErrText, ProtocolViolation } from './domain/errors.js';
import { type Operations, Parser, type Published } from './domain/parser.js';
import { isFilter, isLiteral } from './domain/subject.js';
import type { Limits } from './limits.js';
import { Outbox } from './outbox.js';
import { Stall, Valve } from './stall.js';

/** One subscription of one client. */
export interface Subscription {
  readonly peer: Peer;
  readonly sid: string;
  readonly subject: string;
  readonly queue: string | undefined;
  delivered: number;
  /** Ends after so many messages. */
  max: number | undefined;
}

/** What a client asks of the broker. */
export interface Router {
  readonly limits: Limits;
  readonly tokenDigest: Buffer;
  subscribed(subscription: Subscription): void;
  unsubscribed(subscription: Subscription): void;
  route(from: Peer, message: Published): void;
  /** The peer has bytes to write; it is flushed at the end of this turn. */
  dirty(peer: Peer): void;
  violated(peer: Peer, text: ErrText): void;
  /** A fault of ours while reading from the peer, which is cut off for it. */
  failed(peer: Peer, error: unknown): void;
  gone(peer: Peer): void;
}

/** What a client says about itself. All of it may be missing or of a wrong type. */
interface ConnectOptions {
  readonly verbose?: unknown;
  readonly pedantic?: unknown;
  readonly echo?: unknown;
  readonly headers?: unknown;
  readonly no_responders?: unknown;
  readonly auth_token?: unknown;
  readonly name?: unknown;
}

/** Tokens are compared as digests: equal length, and the time says nothing about the token. */
export const digest = (token: string) => createHash('sha256').update(token).digest();

/** One client connection. */
export class Peer implements Operations {
  readonly id: number;
  readonly outbox: Outbox;
  readonly stall: Stall;
  readonly valve: Valve;
  readonly subscriptions = new Map<string, Subscription>();
  name = '';
  headers = false;
  noResponders = false;
  echo = true;
  /** Whether anything came since the last look; see Broker's ping round. */
  active = true;
  pingsOut = 0;
  /** Among those to be flushed at the end of this turn. */
  queued = false;
  readonly #socket: Socket;
  readonly #router: Router;
  readonly #parser: Parser;
  readonly #authTimer: NodeJS.Timeout;
  #authorized = false;
  #verbose = false;
  #pedantic = false;
  #closed = false;

  constructor(id: number, socket: Socket, router: Router) {
    this.id = id;
    this.#socket = socket;
    this.#router = router;
    this.outbox = new Outbox(socket);
    this.stall = new Stall(socket, router.limits.stallMs);
    this.valve = new Valve(socket);
    this.#parser = new Parser(this, router.limits);
    this.#authTimer = setTimeout(() => this.refuse(ERR.authTimeout), router.limits.authTimeoutMs);
    socket.setNoDelay(true);
    socket.on('data', (chunk) => this.#read(chunk));
    // An error is followed by 'close', which says it all.
    socket.on('error', () => undefined);
    socket.on('close', () => this.#end());
  }

  get authorized(): boolean {
    return this.#authorized;
  }

  get closed(): boolean {
    return this.#closed;
  }

  send(line: string): void {
    this.outbox.line(line);
    this.#router.dirty(this);
  }

  /** Says why and ends the connection. */
  refuse(text: ErrText): void {
    if (this.#closed) return;
    this.outbox.line(`-ERR '${text}'\r\n`);
    this.#router.violated(this, text);
    this.close();
  }

  /** Ends the connection after what waits has been written, as far as the client takes it in time. */
  close(): void {
    if (this.#closed) return;
    this.#end();
    this.outbox.flush();
    this.#socket.end();
    // A client that does not read never lets the connection end by itself.
    const timer = setTimeout(() => this.#socket.destroy(), this.#router.limits.closeMs);
    this.#socket.once('close', () => clearTimeout(timer));
  }

  /** Ends the connection at once and forgets what waits: the client does not read. */
  cutOff(text: ErrText): void {
    if (this.#closed) return;
    this.#router.violated(this, text);
    this.#end();
    this.#socket.destroy();
  }

  connect(json: string): void {
    const options = parseOptions(json);
    const token = typeof options.auth_token === 'string' ? options.auth_token : '';
    if (!timingSafeEqual(digest(token), this.#router.tokenDigest)) throw new ProtocolViolation(ERR.authorization);
    clearTimeout(this.#authTimer);
    this.#authorized = true;
    this.#verbose = options.verbose === true;
    this.#pedantic = options.pedantic === true;
    this.echo = options.echo !== false;
    this.headers = options.headers === true;
    this.noResponders = this.headers && options.no_responders === true;
    this.name = typeof options.name === 'string' ? options.name : '';
    this.#ok();
  }

  ping(): void {
    this.#authorize();
    this.send('PONG\r\n');
  }

  pong(): void {
    this.#authorize();
    this.pingsOut = 0;
  }

  subscribe(subject: string, queue: string | undefined, sid: string): void {
    this.#authorize();
    if (!isFilter(subject)) {
      this.send(`-ERR '${ERR.subject}'\r\n`);
      return;
    }
    if (this.subscriptions.size >= this.#router.limits.maxSubscriptions) throw new ProtocolViolation(ERR.subscriptions);
    // Like nats-server: a sid in use keeps its first meaning.
    if (!this.subscriptions.has(sid)) {
      const subscription = { peer: this, sid, subject, queue, delivered: 0, max: undefined };
      this.subscriptions.set(sid, subscription);
      this.#router.subscribed(subscription);
    }
    this.#ok();
  }

  unsubscribe(sid: string, max: number | undefined): void {
    this.#authorize();
    const subscription = this.subscriptions.get(sid);
    if (subscription !== undefined) {
      if (max !== undefined && max > subscription.delivered) subscription.max = max;
      else this.drop(subscription);
    }
    this.#ok();
  }

  publish(message: Published): void {
    this.#authorize();
    if (!isLiteral(message.subject)) {
      if (this.#pedantic) this.send(`-ERR '${ERR.publishSubject}'\r\n`);
      return;
    }
    this.#router.route(this, message);
    this.#ok();
  }

  drop(subscription: Subscription): void {
    this.subscriptions.delete(subscription.sid);
    this.#router.unsubscribed(subscription);
  }

  #authorize(): void {
    // Closed: it was cut off by what it said before in the same chunk, and the rest must have no effect.
    if (this.#closed || !this.#authorized) throw new ProtocolViolation(ERR.authorization);
  }

  #ok(): void {
    if (this.#verbose) this.send('+OK\r\n');
  }

  #read(chunk: Buffer): void {
    if (this.#closed) return;
    this.active = true;
    try {
      this.#parser.push(chunk);
    } catch (error) {
      if (error instanceof ProtocolViolation) this.refuse(error.text);
      else this.#router.failed(this, error);
    }
  }

  #end(): void {
    if (this.#closed) return;
    this.#closed = true;
    clearTimeout(this.#authTimer);
    this.stall.end();
    for (const subscription of [...this.subscriptions.values()]) this.drop(subscription);
    this.#router.gone(this);
  }
}

function parseOptions(json: string): ConnectOptions {
  try {
    const options: unknown = JSON.parse(Buffer.from(json, 'latin1').toString());
    if (typeof options === 'object' && options !== null) return options;
  } catch {
    // Falls through: not JSON and not an object are the same violation.
  }
  throw new ProtocolViolation(ERR.parser);
}
