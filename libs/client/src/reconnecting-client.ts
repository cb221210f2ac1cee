import type { MethodName, Params, Result } from '@switchyard/protocol';
import { SwitchyardError } from '@switchyard/protocol/errors';
import { type CallOptions, type Client, type ConnectOptions, connectClient } from './client.js';
import { defaultTimeoutMs, methodFacts } from './method-facts.js';

/** Pauses between tries to connect again: a gateway is back within a second or, after a crash loop, within several. */
const SHORTEST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1000;

/** A client that outlives the connection. It has no pushed events: those belong to one connection. */
export interface ReconnectingClient extends Pick<Client, 'call' | 'callNamed' | 'close'> {}

/**
 * Connects at once, and again whenever a call finds the connection gone.
 *
 * A call that was in flight is sent again until its own time is up, if that is safe: queries, waits (for what is left
 * of their time), idempotent methods, and mutations with a `request_id`. Other mutations fail with `outcome_unknown`.
 *
 * @throws SwitchyardError as {@link connectClient}, for the first connection
 */
export async function connectReconnecting(path: string, options: ConnectOptions = {}): Promise<ReconnectingClient> {
  return new Reconnecting(path, options, await connectClient(path, options));
}

class Reconnecting implements ReconnectingClient {
  readonly #path: string;
  readonly #options: ConnectOptions;
  #client: Client | undefined;
  #connecting: Promise<Client> | undefined;
  #isClosed = false;

  constructor(path: string, options: ConnectOptions, client: Client) {
    this.#path = path;
    this.#options = options;
    this.#adopt(client);
  }

  call<M extends MethodName>(method: M, params: Params<M>, options?: CallOptions): Promise<Result<M>> {
    return this.callNamed(method, params, options) as Promise<Result<M>>;
  }

  async callNamed(method: string, params: unknown, options: CallOptions = {}): Promise<unknown> {
    const started = performance.now();
    const deadline = started + (options.timeoutMs ?? (await defaultTimeoutMs(method, params)));
    let given = params;
    for (let pauseMs = SHORTEST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      const timeoutMs = Math.max(1, Math.ceil(deadline - performance.now()));
      try {
        const client = await this.#connect(timeoutMs);
        return await client.callNamed(method, given, { ...options, timeoutMs });
      } catch (error) {
        if (this.#isClosed || performance.now() + pauseMs > deadline || !isLostConnection(error)) throw error;
        if (wasSent(error) && !(await isRepeatable(method, params))) throw unknownOutcome(error);
      }
      await pause(pauseMs, options.signal);
      given = await remaining(method, params, Math.ceil(performance.now() - started));
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#client?.close();
  }

  async #connect(timeoutMs: number): Promise<Client> {
    if (this.#isClosed) throw new SwitchyardError('connection_closed', 'This client is closed.', { sent: false });
    if (this.#client) return this.#client;
    this.#connecting ??= connectClient(this.#path, { ...this.#options, timeoutMs }).finally(() => {
      this.#connecting = undefined;
    });
    const client = await this.#connecting;
    if (this.#client !== client) this.#adopt(client);
    return client;
  }

  #adopt(client: Client): void {
    if (this.#isClosed) client.close();
    this.#client = client;
    void client.closed.then(() => {
      if (this.#client === client) this.#client = undefined;
    });
  }
}

function isLostConnection(error: unknown): error is SwitchyardError {
  return (
    error instanceof SwitchyardError &&
    (error.code === 'connection_closed' ||
      (error.code === 'service_unavailable' && error.data?.['errno'] !== undefined))
  );
}

function wasSent(error: SwitchyardError): boolean {
  return error.code === 'connection_closed' && error.data?.['sent'] === true;
}

async function isRepeatable(method: string, params: unknown): Promise<boolean> {
  if (typeof (params as Named)?.['request_id'] === 'string') return true;
  const spec = await methodFacts(method);
  return spec !== undefined && (spec.effect !== 'mutation' || spec.idempotent);
}

function unknownOutcome(cause: SwitchyardError): SwitchyardError {
  const message = 'The connection was lost before the reply; whether the change was made is not known.';
  return new SwitchyardError('outcome_unknown', message, undefined, { cause });
}

type Named = Record<string, unknown> | undefined;

/** The parameters for another sending: a wait has only the rest of its time left. */
async function remaining(method: string, params: unknown, elapsedMs: number): Promise<unknown> {
  const name = (await methodFacts(method))?.timeoutParam;
  const named = name ? (params as Named)?.[name] : undefined;
  if (!name || typeof named !== 'number') return params;
  return { ...(params as Named), [name]: Math.max(0, named - elapsedMs) };
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(new SwitchyardError('cancelled', 'The call was cancelled.'));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', onAbort, { once: true });
    if (signal?.aborted) onAbort();
  });
}
