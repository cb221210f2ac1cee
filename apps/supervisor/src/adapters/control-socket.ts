import { randomUUID } from 'node:crypto';
import { chmodSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import type { Log } from '@switchyard/bus';
import {
  decodeFrame,
  encodeReply,
  errorReply,
  type Frame,
  FrameSplitter,
  okReply,
  type ReplyEnvelope,
  type RequestEnvelope,
  SwitchyardError,
  tooLargeReply,
  v2,
  validateParams,
} from '@switchyard/protocol';
import type { SupervisorHandlers } from '../handlers/yard.js';
import type { ControlTrail } from './control-trail.js';

/** The largest request here names one process. */
const REQUEST_LIMIT_BYTES = 64 * 1024;
/** Every process of the largest yard, and some people looking. */
const MAX_CONNECTIONS = 512;

export interface ControlSocketDeps {
  /** The connection over which a process said hello has closed. */
  readonly lost: (name: string, pid: number) => void;
  readonly log: Log;
  readonly trail: ControlTrail;
}

/** Which process a connection is the lifeline of. */
interface Identity {
  readonly name: string;
  readonly pid: number;
}

interface Connection {
  readonly socket: Socket;
  /** In the audit trail. */
  readonly name: string;
  identity: Identity | undefined;
}

/**
 * The supervisor's own socket: lifelines of the processes, and its methods for the command line when there is no gateway.
 * It speaks as the gateway does. Its folder is private to us and it is made 0600.
 */
export class ControlSocket {
  readonly #path: string;
  readonly #handlers: SupervisorHandlers;
  readonly #deps: ControlSocketDeps;
  readonly #server: Server;
  readonly #connections = new Set<Socket>();
  #accepted = 0;

  constructor(path: string, handlers: SupervisorHandlers, deps: ControlSocketDeps) {
    this.#path = path;
    this.#handlers = handlers;
    this.#deps = deps;
    this.#server = createServer((socket) => this.#accept(socket));
    this.#server.maxConnections = MAX_CONNECTIONS;
  }

  /** The caller holds the lock of the yard, so a socket file that is there is a dead one. */
  async listen(): Promise<void> {
    rmSync(this.#path, { force: true });
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(this.#path, resolve);
    });
    this.#server.on('error', (error) => this.#deps.log.error({ err: error }, 'control socket'));
    chmodSync(this.#path, 0o600);
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const socket of this.#connections) socket.destroySoon();
    await closed;
  }

  #accept(socket: Socket): void {
    const splitter = new FrameSplitter(REQUEST_LIMIT_BYTES);
    const connection: Connection = { socket, name: `control-${++this.#accepted}`, identity: undefined };
    this.#connections.add(socket);
    socket.on('data', (chunk: Buffer) => {
      for (const frame of splitter.push(chunk)) this.#receive(connection, frame);
    });
    socket.on('error', (error) => this.#deps.log.debug({ err: error }, 'control connection'));
    socket.on('close', () => {
      this.#connections.delete(socket);
      if (connection.identity !== undefined) this.#deps.lost(connection.identity.name, connection.identity.pid);
    });
  }

  #receive(connection: Connection, frame: Frame): void {
    const { socket } = connection;
    if (frame.tooLarge) {
      socket.end(encodeReply(v2, tooLargeReply(REQUEST_LIMIT_BYTES)));
      return;
    }
    const decoded = decodeFrame(frame.line);
    if (decoded.kind === 'nothing') return;
    if (decoded.kind === 'error') {
      socket.write(encodeReply(decoded.dialect, decoded.reply));
      return;
    }
    const { request, dialect } = decoded;
    const started = performance.now();
    void this.#answer(request).then((reply) => {
      this.#deps.trail.write(connection, request, reply, performance.now() - started);
      if (request.method === 'yard.hello' && reply.ok) {
        connection.identity = validateParams('yard.hello', request.params);
      }
      if (socket.writable && request.expectsReply) socket.write(encodeReply(dialect, reply));
    });
  }

  async #answer(request: RequestEnvelope): Promise<ReplyEnvelope> {
    try {
      return okReply(request, await this.#call(request.method, request.params));
    } catch (error) {
      if (error instanceof SwitchyardError) return errorReply(request.idJson, error);
      const log_id = randomUUID();
      this.#deps.log.error({ err: error, log_id, method: request.method }, 'request failed');
      return errorReply(request.idJson, { code: 'internal_error', message: `Internal error (log id ${log_id})` });
    }
  }

  #call(method: string, given: unknown): unknown {
    if (!Object.hasOwn(this.#handlers, method)) {
      throw new SwitchyardError(
        'method_not_found',
        'The supervisor answers yard.*, system.top and system.health only',
        { method },
      );
    }
    const handler = this.#handlers[method as keyof SupervisorHandlers] as (params: unknown, ctx: undefined) => unknown;
    return handler(validateParams(method, given), undefined);
  }
}
