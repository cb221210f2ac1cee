import type { Socket } from 'node:net';
import type { MethodName, Params, Result } from '@switchyard/protocol';
import { isErrorCode, SwitchyardError } from '@switchyard/protocol/errors';
import { FrameSplitter } from '@switchyard/protocol/frames';
import { defaultTimeoutMs } from './method-facts.js';
import { noAnswer, openSocket } from './open-socket.js';
import { PendingCalls } from './pending-calls.js';

/** A listener of ours accepts within milliseconds. */
const CONNECT_TIMEOUT_MS = 5000;
/** Above any reply that a gateway may send by its largest setting. */
const REPLY_LIMIT_BYTES = 1024 * 1024 * 1024;

export interface ConnectOptions {
  /** Milliseconds until `timeout`. Default 5000. */
  readonly timeoutMs?: number;
  /** Logs in with this token before anything else. */
  readonly token?: string;
}

export interface CallOptions {
  /** Milliseconds until `timeout`. Default: the method's own deadline and what the gateway may add to it. */
  readonly timeoutMs?: number;
  /** Aborting it ends the call with `cancelled`; what the yard already does for it goes on. */
  readonly signal?: AbortSignal;
}

/** A line that the yard sends unasked. */
export type PushedEvent = Record<string, unknown>;

/** One connection to a yard. Any number of calls may be in flight. */
export interface Client {
  /**
   * @returns the method's result
   * @throws SwitchyardError what the yard answered, or `timeout`, `cancelled`, `connection_closed`
   */
  call<M extends MethodName>(method: M, params: Params<M>, options?: CallOptions): Promise<Result<M>>;
  /** The same for a method that is not known at compile time. */
  callNamed(method: string, params: unknown, options?: CallOptions): Promise<unknown>;
  /** `fn` gets every pushed line from now on. @returns forgets `fn` */
  onEvent(fn: (event: PushedEvent) => void): () => void;
  /** Resolves when the connection has ended, for whatever reason. */
  readonly closed: Promise<void>;
  /** Ends the connection; calls in flight fail with `connection_closed`. Safe to repeat. */
  close(): void;
}

/**
 * Connects to the gateway or the supervisor of a yard.
 *
 * @param path of the unix socket
 * @throws SwitchyardError `service_unavailable` (nobody there), `forbidden`, `timeout`; `auth_failed` with a token that
 *   is none
 */
export async function connectClient(path: string, options: ConnectOptions = {}): Promise<Client> {
  const { timeoutMs = CONNECT_TIMEOUT_MS, token } = options;
  const client = new SocketClient(path, await openSocket(path, timeoutMs));
  if (token === undefined) return client;
  try {
    await client.call('auth.login', { token }, { timeoutMs });
    return client;
  } catch (error) {
    client.close();
    throw error;
  }
}

class SocketClient implements Client {
  readonly closed: Promise<void>;
  readonly #path: string;
  readonly #socket: Socket;
  readonly #splitter = new FrameSplitter(REPLY_LIMIT_BYTES);
  readonly #pending = new PendingCalls();
  readonly #listeners = new Set<(event: PushedEvent) => void>();
  #batch = '';
  /** The gateway has said that it does not let us in. */
  #refusal: SwitchyardError | undefined;

  constructor(path: string, socket: Socket) {
    this.#path = path;
    this.#socket = socket;
    socket.on('data', (chunk) => this.#read(chunk));
    // The reason for the end reaches every call in flight; nothing else is to be done with it.
    let reason: Error | undefined;
    socket.on('error', (error) => {
      reason = error;
    });
    this.closed = new Promise((resolve) => {
      socket.on('close', () => {
        this.#pending.failAll(connectionClosed(path, true, reason));
        resolve();
      });
    });
  }

  call<M extends MethodName>(method: M, params: Params<M>, options?: CallOptions): Promise<Result<M>> {
    return this.callNamed(method, params, options) as Promise<Result<M>>;
  }

  async callNamed(method: string, params: unknown, options: CallOptions = {}): Promise<unknown> {
    if (options.signal?.aborted) throw new SwitchyardError('cancelled', 'The call was cancelled.');
    const timeoutMs = options.timeoutMs ?? (await defaultTimeoutMs(method, params));
    // Looked at last: a call that is opened after the connection has ended would never hear of it.
    if (this.#socket.destroyed) throw this.#refusal ?? connectionClosed(this.#path, false);
    const late = () => noAnswer(this.#path, timeoutMs);
    const { id, reply } = this.#pending.open({ timeoutMs, signal: options.signal, late });
    this.#send(`${JSON.stringify({ id, method, params })}\n`);
    return reply;
  }

  onEvent(fn: (event: PushedEvent) => void): () => void {
    this.#listeners.add(fn);
    return () => void this.#listeners.delete(fn);
  }

  close(): void {
    this.#socket.destroy();
  }

  /** Calls made in one turn of the event loop leave in one write. */
  #send(line: string): void {
    if (this.#batch === '') {
      process.nextTick(() => {
        this.#socket.write(this.#batch);
        this.#batch = '';
      });
    }
    this.#batch += line;
  }

  #read(chunk: Buffer): void {
    for (const frame of this.#splitter.push(chunk)) {
      const reply = frame.tooLarge ? undefined : parsed(frame.line);
      if (!reply) {
        this.#refusal = frame.tooLarge ? undefined : refusalIn(frame.line);
        if (this.#refusal !== undefined) this.#pending.failAll(this.#refusal);
        // Whatever follows cannot be trusted either.
        this.#socket.destroy(new Error('the peer does not speak the protocol'));
        return;
      }
      this.#take(reply);
    }
  }

  #take(frame: Record<string, unknown>): void {
    if (typeof frame['id'] === 'number') {
      if (frame['ok'] === true) this.#pending.settle(frame['id'], frame['result']);
      else this.#pending.fail(frame['id'], remoteError(frame['error']));
    } else if ('event' in frame) {
      for (const listener of this.#listeners) listener(frame);
    } else {
      // An error without an id is about the connection itself: too many of them, or a line it could not read.
      this.#pending.failAll(remoteError(frame['error']));
    }
  }
}

/** What the gateway says to one that it does not let in because of where that was started; undefined: it is something else. */
function refusalIn(line: Buffer): SwitchyardError | undefined {
  const [, why] = /^ERROR: (Access denied.*)$/.exec(line.toString('utf8')) ?? [];
  return why === undefined ? undefined : new SwitchyardError('forbidden', why);
}

/** @returns undefined for what is not a JSON object */
function parsed(line: Buffer): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line.toString('utf8'));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** @param sent whether the request may have reached the yard; in `data.sent` for whoever wants to send it again */
function connectionClosed(path: string, sent: boolean, cause?: Error): SwitchyardError {
  const why = cause ? `: ${cause.message}` : '';
  const message = `The connection to ${path} closed before the reply${why}.`;
  return new SwitchyardError('connection_closed', message, { sent }, { cause });
}

/** @returns what the yard said, or that it said something this client does not understand */
function remoteError(error: unknown): SwitchyardError {
  const { code, message, data } = (error ?? {}) as { code?: unknown; message?: unknown; data?: unknown };
  const facts = typeof data === 'object' && data !== null ? (data as Record<string, unknown>) : undefined;
  if (isErrorCode(code)) return new SwitchyardError(code, String(message), facts);
  return new SwitchyardError(
    'internal_error',
    `Unknown error "${String(code)}" from the yard: ${String(message)}`,
    facts,
  );
}
