import { setMaxListeners } from 'node:events';
import type { Socket } from 'node:net';
import {
  type Decoded,
  decodeFrame,
  encodeReply,
  type Frame,
  FrameSplitter,
  methodNamed,
  SwitchyardError,
  tooLargeReply,
  v2,
} from '@switchyard/protocol';
import type { Log } from '@switchyard/service';
import type { Identity } from '../access/session.js';
import type { GatewayLimits } from '../config.js';
import { type Dispatcher, LOGIN, type Peer } from '../dispatcher.js';
import type { Grant } from '../domain/grant.js';
import { isConfined } from '../domain/grant.js';
import { MAX_FAILURES } from '../domain/login-gate.js';
import type { PushChannel } from '../events/channel.js';
import { Subscriptions } from '../events/subscriptions.js';
import { Outbox } from './outbox.js';

/** Above this the client has not taken what it asked for, and gets nothing new done until it does. */
const HIGH_WATER_BYTES = 1024 * 1024;
/** Above this nothing is pushed to it. Far below the mark above, so that events do not hold up requests. */
const PUSH_WATER_BYTES = 64 * 1024;
/** How long a client may go on sending what nobody reads any more before the connection is cut. */
const LINGER_MS = 2000;
/** How often a client that has ended its requests is tried, while it waits for replies. */
const PROBE_MS = 1000;

/**
 * A large request does not travel in line with the others: its owner fetches it in pieces. So what follows a large
 * change waits for it, and changes are made in the order in which they were asked for.
 */
const LARGE_BYTES = 256 * 1024;

/** What follows one of these waits for its answer, as it might end or take the place of what that begins. */
const IN_TURN: ReadonlySet<string> = new Set([LOGIN, 'subscribe', 'events.subscribe', 'surface.stream']);

const NOTHING = Buffer.alloc(0);

export interface ConnectionOptions {
  readonly socket: Socket;
  readonly identity: Identity;
  /** What it may do before it logs in; undefined: nothing. */
  readonly grant: Grant | undefined;
  readonly dispatcher: Dispatcher;
  readonly limits: GatewayLimits;
  readonly log: Log;
}

type Request = Extract<Decoded, { kind: 'request' }>;

/**
 * One client: lines in, replies out, many requests in flight. Owns the socket from here on.
 *
 * Requests are handed on in the order of their arrival; replies leave as they come. Reading stops while the client does
 * not take its replies and while it has as many requests in flight as it may, so what it can make the gateway hold is
 * bounded. Waits are counted apart, and refused above their bound, so that they never hold up other requests.
 *
 * A client that only ended its own side still gets its replies, and what it has subscribed to. When it is gone, its queries and waits are withdrawn;
 * its mutations were handed on and are carried out.
 */
export class Connection implements PushChannel {
  /** Resolves when the socket has closed. */
  readonly closed: Promise<void>;
  readonly #socket: Socket;
  readonly #dispatcher: Dispatcher;
  readonly #limits: GatewayLimits;
  readonly #log: Log;
  readonly #peer: Peer;
  readonly #splitter: FrameSplitter;
  readonly #outbox: Outbox;
  readonly #gone = new AbortController();
  readonly #subscriptions = new Subscriptions(() => this.#closeWhenDone());
  readonly #roomListeners = new Set<() => void>();
  /** Read and not yet handed on: at most what one chunk of the socket holds. */
  #frames: Frame[] = [];
  #requests = 0;
  #waits = 0;
  /** What follows the request in flight waits for its reply: a login, whose outcome decides, or a large change. */
  #mustWait = false;
  /** The client has ended its side. */
  #ended = false;
  /** We take no further request. `refused`: after a line that cannot be read past; `draining`: the gateway stops. */
  #stopped: 'refused' | 'draining' | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor({ socket, identity, grant, dispatcher, limits, log }: ConnectionOptions) {
    this.#socket = socket;
    this.#dispatcher = dispatcher;
    this.#limits = limits;
    this.#log = log;
    this.#splitter = new FrameSplitter(limits.requestBytes);
    const outbox = { highWaterBytes: HIGH_WATER_BYTES, limitBytes: limits.outboxBytes };
    this.#outbox = new Outbox(socket, outbox, () => this.#offerRoom());
    const { name, uid, pid, surfaceId } = identity;
    this.#peer = {
      session: {
        identity,
        grant,
        token: null,
        failures: 0,
        end: () => this.destroy(),
        onClosed: (fn) => void this.closed.then(fn),
      },
      caller: {
        kind: 'client',
        name,
        ...(uid !== null && { uid }),
        ...(pid !== null && { pid }),
        ...(surfaceId !== null && { surface_id: surfaceId }),
      },
      gone: this.#gone.signal,
      channel: this,
      subscriptions: this.#subscriptions,
    };
    // One for each query and wait in flight; their number has its own bound.
    setMaxListeners(0, this.#gone.signal);
    socket.on('data', (chunk) => this.#read(this.#splitter.push(chunk)));
    socket.on('end', () => this.#readEnd());
    socket.on('drain', () => this.#pump());
    // A client that hung up; `close` follows.
    socket.on('error', (err) => log.debug({ err, caller: name }, 'connection lost'));
    this.closed = new Promise((resolve) => {
      socket.on('close', () => {
        clearInterval(this.#timer);
        this.#gone.abort();
        this.#subscriptions.close();
        resolve();
      });
    });
  }

  /** Takes no further request, lets those finish that are not waits, and closes. The caller bounds the time. */
  drain(): Promise<void> {
    this.#stop('draining');
    return this.closed;
  }

  /** Closes at once. */
  destroy(): void {
    this.#socket.destroy();
  }

  /** Waiting for the client to take them. */
  get outboxBytes(): number {
    return this.#outbox.bytes;
  }

  /** Requests and waits that are not answered yet. */
  get inFlight(): number {
    return this.#requests + this.#waits;
  }

  get subscriptions(): number {
    return this.#subscriptions.size;
  }

  get hasRoom(): boolean {
    return this.#outbox.bytes < PUSH_WATER_BYTES && !this.#socket.destroyed;
  }

  push(lines: string): void {
    this.#send(Buffer.from(lines, 'utf8'));
  }

  onRoom(fn: () => void): () => void {
    this.#roomListeners.add(fn);
    return () => this.#roomListeners.delete(fn);
  }

  /** Not left to `drain`: a stream says that only when a single write was too much for it. */
  #offerRoom(): void {
    for (const fn of [...this.#roomListeners]) {
      if (!this.hasRoom) return;
      // Who has had a turn goes to the end, so that a busy one does not starve the others.
      if (this.#roomListeners.delete(fn)) this.#roomListeners.add(fn);
      fn();
    }
  }

  #read(frames: Frame[]): void {
    if (this.#stopped) return; // Read and dropped, so that a client that writes first and reads later gets its reply.
    if (this.#frames.length === 0) this.#frames = frames;
    else this.#frames.push(...frames);
    this.#pump();
  }

  #readEnd(): void {
    this.#ended = true;
    this.#read(this.#splitter.end());
    this.#closeWhenDone();
    // The end of its requests and its being gone look alike; only writing tells them apart.
    if (this.#socket.writableEnded) return;
    this.#probe();
    this.#timer = setInterval(() => this.#probe(), PROBE_MS);
  }

  /** Hands on what was read, as far as the client's bounds allow. */
  #pump(): void {
    let taken = 0;
    for (const frame of this.#frames) {
      if (this.#isBlocked()) break;
      taken++;
      if (frame.tooLarge) this.#refuse(encodeReply(v2, tooLargeReply(this.#limits.requestBytes)));
      else this.#take(frame.line);
    }
    this.#frames = taken === this.#frames.length ? [] : this.#frames.slice(taken);
    if (this.#frames.length > 0 && !this.#stopped) this.#socket.pause();
    else this.#socket.resume();
    this.#closeWhenDone();
  }

  #isBlocked(): boolean {
    return (
      this.#requests >= this.#limits.inFlight ||
      this.#mustWait ||
      this.#outbox.isAboveHighWater ||
      this.#stopped !== undefined ||
      this.#socket.destroyed
    );
  }

  #take(line: Buffer): void {
    const frame = decodeFrame(line);
    if (frame.kind === 'request') {
      this.#run(frame, line.length);
    } else if (frame.kind === 'error') {
      const reply = encodeReply(frame.dialect, frame.reply);
      if (frame.close) this.#refuse(reply);
      else this.#send(reply);
    }
  }

  #run(frame: Request, bytes: number): void {
    const { method } = frame.request;
    const effect = methodNamed(method)?.effect;
    const isWait = effect === 'wait';
    if (isWait && this.#waits >= this.#limits.inFlight) {
      const error = new SwitchyardError('overloaded', `This connection has ${this.#waits} waits in flight already.`);
      this.#send(this.#dispatcher.refuse(frame, this.#peer, error));
      return;
    }
    const after: (() => void)[] = [];
    const reply = this.#dispatcher.run(frame, this.#peer, (fn) => void after.push(fn));
    if (!(reply instanceof Promise)) {
      this.#send(reply);
      for (const fn of after) fn();
      return;
    }
    this.#count(isWait, 1);
    const othersWait = IN_TURN.has(method) || (effect === 'mutation' && (bytes > LARGE_BYTES || this.#isLookedUp));
    if (othersWait) this.#mustWait = true;
    void reply.then((line) => {
      this.#count(isWait, -1);
      if (othersWait) this.#mustWait = false;
      this.#send(line);
      for (const fn of after) fn();
      if (this.#peer.session.failures >= MAX_FAILURES) this.#stop('refused');
      this.#pump();
    });
  }

  /** Where its things are is asked for before a call goes on: the next must not overtake it meanwhile. */
  get #isLookedUp(): boolean {
    const { grant } = this.#peer.session;
    return grant !== undefined && isConfined(grant);
  }

  #count(isWait: boolean, by: 1 | -1): void {
    if (isWait) this.#waits += by;
    else this.#requests += by;
  }

  #send(line: Buffer | undefined): void {
    if (line === undefined || this.#socket.destroyed || this.#outbox.send(line)) return;
    const facts = { caller: this.#peer.caller.name, waiting_bytes: this.#outbox.bytes };
    this.#log.warn(facts, 'closing a client that does not read its replies');
    this.#socket.destroy();
  }

  #refuse(reply: Buffer): void {
    this.#send(reply);
    this.#stop('refused');
  }

  #stop(why: 'refused' | 'draining'): void {
    this.#stopped = why;
    this.#frames = [];
    // Its waits could go on for hours. When the gateway stops they are left without a reply instead: the client takes
    // the closing for what it is and asks again.
    if (why === 'refused') this.#gone.abort();
    this.#socket.resume();
    this.#closeWhenDone();
  }

  #closeWhenDone(): void {
    if (!this.#ended && !this.#stopped) return;
    if (this.#frames.length > 0 || this.#requests > 0) return;
    if (this.#waits + this.#subscriptions.size > 0 && this.#stopped !== 'draining') return;
    if (this.#socket.writableEnded || this.#socket.destroyed) return;
    this.#outbox.flush();
    clearInterval(this.#timer);
    this.#socket.end(() => {
      if (!this.#socket.destroyed) this.#timer = setTimeout(() => this.#socket.destroy(), LINGER_MS);
    });
  }

  #probe(): void {
    // Fails on a socket whose other end is closed, and is no byte on the wire for one that is only half closed.
    if (this.#socket.writableLength === 0 && !this.#socket.writableEnded) this.#socket.write(NOTHING);
  }
}
