import { createConnection, type Socket } from 'node:net';
import type { Log } from './types.js';
import { ownVersion } from './version.js';

/** `starting → ready → draining → stopped`, in every process. */
export type LifelineState = 'starting' | 'ready' | 'draining' | 'stopped';

export interface LifelineOptions {
  /** `paths.supervisorSocket` */
  readonly socket: string;
  /** Unique in the yard, e.g. `pty-host-2`. */
  readonly name: string;
  /** Unique to this run of the process. */
  readonly instance: string;
  readonly log: Pick<Log, 'debug'>;
  /** Delays between tries; tests shorten them. */
  readonly retry?: { readonly firstMs: number; readonly longestMs: number };
}

/** The connection by which the supervisor knows that a process lives and what state it is in. */
export interface Lifeline {
  setState(state: LifelineState): void;
  close(): void;
}

/** A supervisor that restarts is back within seconds; one that is gone for good costs a try every ten. */
const RETRY = { firstMs: 1000, longestMs: 10_000 };

/** Never fails: without a supervisor the process runs on and tries again with growing delays. */
export function openLifeline(options: LifelineOptions): Lifeline {
  return new SocketLifeline(options);
}

class SocketLifeline implements Lifeline {
  readonly #options: LifelineOptions;
  readonly #retry: { readonly firstMs: number; readonly longestMs: number };
  #state: LifelineState = 'starting';
  #socket: Socket | undefined;
  #timer: NodeJS.Timeout | undefined;
  #delayMs: number;
  #hellos = 0;
  #closed = false;

  constructor(options: LifelineOptions) {
    this.#options = options;
    this.#retry = options.retry ?? RETRY;
    this.#delayMs = this.#retry.firstMs;
    this.#connect();
  }

  setState(state: LifelineState): void {
    this.#state = state;
    if (this.#socket?.readyState === 'open') this.#hello(this.#socket);
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#socket?.end();
  }

  #connect(): void {
    const socket = createConnection(this.#options.socket);
    this.#socket = socket;
    // It informs; it must not be what keeps a process alive.
    socket.unref();
    socket.on('connect', () => {
      this.#delayMs = this.#retry.firstMs;
      this.#hello(socket);
    });
    // The answers say nothing we act on, but unread they would fill the socket.
    socket.resume();
    socket.on('error', (err) => this.#options.log.debug({ err }, 'no supervisor'));
    socket.on('close', () => this.#later());
  }

  #later(): void {
    if (this.#closed) return;
    this.#timer = setTimeout(() => this.#connect(), this.#delayMs).unref();
    this.#delayMs = Math.min(this.#delayMs * 2, this.#retry.longestMs);
  }

  #hello(socket: Socket): void {
    const { name, instance } = this.#options;
    const params = { name, pid: process.pid, instance, state: this.#state, version: ownVersion() };
    socket.write(`${JSON.stringify({ id: ++this.#hellos, method: 'yard.hello', params })}\n`);
  }
}
