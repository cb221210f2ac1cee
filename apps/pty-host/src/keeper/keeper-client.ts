import { connect, type Socket } from 'node:net';
import { SwitchyardError } from '@switchyard/protocol';
import { LineSplitter } from './lines.js';
import {
  KEEPER_PROTOCOL_VERSION,
  type KeeperEvent,
  type KeeperOp,
  type KeeperParams,
  type KeeperReply,
  type KeeperResult,
  OLDEST_KEEPER_PROTOCOL,
} from './protocol.js';

export interface KeeperClientOptions {
  readonly socket: string;
  /** Named in the keeper's log. */
  readonly follower: string;
  readonly onEvent: (event: KeeperEvent) => void;
  /** Every lost connection, once, with its reason. */
  readonly onDown?: (reason: string) => void;
}

export interface KeeperCallOptions {
  /** Default 10 s; a close gets what its ladder of signals needs. */
  readonly timeoutMs?: number;
}

/** A restarted keeper is back within a fraction of a second; a missing one must not be hammered. */
const RETRY_FIRST_MS = 20;
const RETRY_MAX_MS = 2000;
const DEFAULT_TIMEOUT_MS = 10_000;
/** A `list` of a thousand terminals with long arguments is under 4 MiB. */
const LINE_LIMIT_BYTES = 64 * 1024 * 1024;

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

/**
 * A follower's connection to the keeper: connects for ever with back-off, matches replies by id, and hands on events.
 * Nothing is re-sent by itself: a call in flight when the connection is lost fails with `connection_closed`.
 */
export class KeeperClient {
  readonly #options: KeeperClientOptions;
  readonly #waiting = new Map<number, Waiting>();
  readonly #listeners = new Set<() => void | Promise<void>>();
  #socket: Socket | undefined;
  #nextId = 1;
  #retryMs = RETRY_FIRST_MS;
  #retry: NodeJS.Timeout | undefined;
  #closed = false;
  #up = false;
  #resting = false;

  constructor(options: KeeperClientOptions) {
    this.#options = options;
  }

  /** Starts connecting; returns at once. `onConnect` listeners tell when it is there. */
  start(): void {
    if (this.#closed || this.#socket !== undefined) return;
    const socket = connect(this.#options.socket);
    this.#socket = socket;
    let reason = 'the keeper closed the connection';
    const splitter = new LineSplitter(LINE_LIMIT_BYTES, (line) => this.#line(line));
    socket.on('connect', () => void this.#greet(socket));
    socket.on('data', (chunk: Buffer) => {
      if (!splitter.push(chunk)) socket.destroy(new Error('the keeper sent a line over the limit'));
    });
    socket.on('error', (error) => {
      reason = error.message;
    });
    socket.on('close', () => this.#lost(socket, reason));
  }

  get connected(): boolean {
    return this.#up;
  }

  /** The keeper hands over to another: it is back in a moment, and what waits for that is not lost. */
  get resting(): boolean {
    return this.#resting;
  }

  /**
   * Called after every (re)connect, once the versions agree: follow, list and catch up here.
   * @returns a function that ends it
   */
  onConnect(fn: () => void | Promise<void>): () => void {
    this.#listeners.add(fn);
    return () => this.#listeners.delete(fn);
  }

  /**
   * @throws SwitchyardError the keeper's own code, `timeout`, or `connection_closed` (not sent, or its outcome unknown)
   */
  call<O extends KeeperOp>(op: O, params: KeeperParams<O>, options: KeeperCallOptions = {}): Promise<KeeperResult<O>> {
    if (!this.#up) return Promise.reject(closed('there is no connection to the keeper'));
    return this.#send(op, params, options.timeoutMs ?? DEFAULT_TIMEOUT_MS);
  }

  /** Ends for good; what is in flight fails with `connection_closed`. */
  close(): void {
    this.#closed = true;
    clearTimeout(this.#retry);
    const socket = this.#socket;
    if (socket === undefined) return;
    this.#lost(socket, 'closed by us');
    socket.destroy();
  }

  async #greet(socket: Socket): Promise<void> {
    try {
      await this.#hello();
      if (socket !== this.#socket) return;
      this.#resting = false;
      this.#up = true;
      this.#retryMs = RETRY_FIRST_MS;
      await Promise.all([...this.#listeners].map((fn) => fn()));
    } catch (error) {
      // Refused, or a listener could not catch up: begin anew rather than follow half of it.
      socket.destroy(error instanceof Error ? error : new Error(String(error)));
    }
  }

  /** An older keeper names the version that it speaks: it is of use as long as we speak that too. */
  async #hello(): Promise<void> {
    const { follower } = this.#options;
    try {
      await this.#send('hello', { version: KEEPER_PROTOCOL_VERSION, follower }, DEFAULT_TIMEOUT_MS);
    } catch (error) {
      const spoken = error instanceof SwitchyardError && error.code === 'version_mismatch' && error.data?.['version'];
      if (typeof spoken !== 'number' || spoken < OLDEST_KEEPER_PROTOCOL || spoken >= KEEPER_PROTOCOL_VERSION)
        throw error;
      await this.#send('hello', { version: spoken, follower }, DEFAULT_TIMEOUT_MS);
    }
  }

  /** What we have sent is answered; then the connection ends, and we connect to the successor. */
  #rest(): void {
    this.#up = false;
    this.#resting = true;
    this.#socket?.end();
  }

  #send<O extends KeeperOp>(op: O, params: KeeperParams<O>, timeoutMs: number): Promise<KeeperResult<O>> {
    const id = this.#nextId++;
    return new Promise<KeeperResult<O>>((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(id);
        reject(new SwitchyardError('timeout', `The keeper did not answer ${op} in ${timeoutMs} ms.`));
      }, timeoutMs);
      this.#waiting.set(id, { resolve: (result) => resolve(result as KeeperResult<O>), reject, timer });
      this.#socket?.write(`${JSON.stringify({ ...params, id, op })}\n`);
    });
  }

  #line(line: Buffer): void {
    const message = parse(line);
    if (message === undefined) {
      this.#socket?.destroy(new Error('the keeper sent a line that is not JSON'));
      return;
    }
    if ('ev' in message && message.ev === 'handoff') this.#rest();
    else if ('ev' in message) this.#options.onEvent(message);
    else this.#settle(message);
  }

  #settle(reply: KeeperReply): void {
    const waiting = reply.id === null ? undefined : this.#waiting.get(reply.id);
    if (waiting === undefined || reply.id === null) return;
    this.#waiting.delete(reply.id);
    clearTimeout(waiting.timer);
    if (reply.ok) waiting.resolve(reply.result);
    else waiting.reject(new SwitchyardError(reply.error.code, reply.error.message, reply.error.data));
  }

  #lost(socket: Socket, reason: string): void {
    if (socket !== this.#socket) return;
    this.#socket = undefined;
    if (this.#up) this.#options.onDown?.(reason);
    this.#up = false;
    for (const waiting of this.#waiting.values()) {
      clearTimeout(waiting.timer);
      waiting.reject(closed(reason));
    }
    this.#waiting.clear();
    if (this.#closed) return;
    this.#retry = setTimeout(() => this.start(), this.#retryMs);
    this.#retryMs = Math.min(RETRY_MAX_MS, this.#retryMs * 2);
  }
}

function parse(line: Buffer): KeeperReply | KeeperEvent | undefined {
  try {
    return JSON.parse(line.toString('utf8')) as KeeperReply | KeeperEvent;
  } catch {
    return undefined;
  }
}

function closed(reason: string): SwitchyardError {
  return new SwitchyardError('connection_closed', `The keeper is not connected: ${reason}.`);
}
