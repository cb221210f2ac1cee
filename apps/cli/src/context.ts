import { userInfo } from 'node:os';
import type { Client, ReconnectingClient } from '@switchyard/client';
import { type YardPaths, yardPaths } from '@switchyard/config/paths';
import type { MethodName, Params, Result } from '@switchyard/protocol';
import { SwitchyardError } from '@switchyard/protocol/errors';
import { Output } from './output.js';

/** Longer than any service needs for an ordinary method, short enough for a person to wait. */
const DEFAULT_TIMEOUT_MS = 15_000;
/** Beyond a wait of the yard's, for its answer to arrive. */
export const WAIT_MARGIN_MS = 5_000;

/** Options that every command takes. */
export interface Globals {
  readonly json?: boolean;
  readonly yard?: string;
  readonly socket?: string;
  /** Milliseconds. */
  readonly timeout?: number;
}

/** Nobody answers at the socket of the yard. */
export class NoYardError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'NoYardError';
  }
}

/** The yard cannot be started as things are: its settings, its folders, or another supervisor stand against it. */
export class YardProblem extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'YardProblem';
  }
}

/** The arguments make no sense together; the option parser finds the other cases. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

/** What every command has: where the yard is, how to write, and the way to ask. */
export class Context {
  readonly env: NodeJS.ProcessEnv;
  readonly paths: YardPaths;
  readonly out: Output;
  readonly globals: Globals;
  readonly #open: Pick<Client, 'close'>[] = [];
  #client: Promise<Client> | undefined;

  constructor(globals: Globals, env: NodeJS.ProcessEnv) {
    this.globals = globals;
    this.env = env;
    const { yard, socket } = globals;
    this.paths = yardPaths(env, userInfo().uid, { ...(yard && { yard }), ...(socket && { socket }) });
    this.out = new Output(globals.json === true, env);
  }

  get timeoutMs(): number {
    return this.globals.timeout ?? DEFAULT_TIMEOUT_MS;
  }

  /** The terminal this command was typed in, if that is one of this yard. */
  get callerSurface(): string | undefined {
    const inside = this.env['SWITCHYARD_SOCKET'] === this.paths.gatewaySocket;
    return inside ? this.env['SWITCHYARD_SURFACE_ID'] || undefined : undefined;
  }

  /** One call, over the connection that all calls of this command share. */
  async call<M extends MethodName>(
    method: M,
    params: Params<M>,
    timeoutMs: number = this.timeoutMs,
  ): Promise<Result<M>> {
    return (await this.callNamed(method, params, timeoutMs)) as Result<M>;
  }

  /** The same for a method whose name the user gave. */
  async callNamed(method: string, params: unknown, timeoutMs: number = this.timeoutMs): Promise<unknown> {
    this.#client ??= this.connect(this.paths.gatewaySocket);
    return (await this.#client).callNamed(method, params, { timeoutMs });
  }

  /** A connection that `close` ends. @throws NoYardError */
  async connect(socket: string): Promise<Client> {
    const { connectClient } = await import('@switchyard/client');
    return this.#keep(() => connectClient(socket, { timeoutMs: this.timeoutMs, ...this.#login(socket) }));
  }

  /** The same, outliving restarts of the gateway. */
  async connectReconnecting(): Promise<ReconnectingClient> {
    const { connectReconnecting } = await import('@switchyard/client');
    const { gatewaySocket } = this.paths;
    const options = { timeoutMs: this.timeoutMs, ...this.#login(gatewaySocket) };
    return this.#keep(() => connectReconnecting(gatewaySocket, options));
  }

  /** The supervisor has no logins: its socket is for the owner of the yard only. */
  #login(socket: string): { token?: string } {
    const token = this.env['SWITCHYARD_TOKEN'];
    return token && socket === this.paths.gatewaySocket ? { token } : {};
  }

  close(): void {
    for (const client of this.#open) client.close();
  }

  async #keep<C extends Pick<Client, 'close'>>(connect: () => Promise<C>): Promise<C> {
    try {
      const client = await connect();
      this.#open.push(client);
      return client;
    } catch (error) {
      if (!(error instanceof SwitchyardError) || error.code !== 'service_unavailable') throw error;
      throw new NoYardError(`${error.message}\nStart a yard with: switchyard up`, { cause: error });
    }
  }
}
