import { SwitchyardError } from '@switchyard/protocol';
import type { KeeperClient, KeeperOp, KeeperParams, KeeperResult } from './keeper/index.js';

/** A keeper that is being restarted is back well within this time. */
const RECONNECT_MS = 3000;
/** Asking twice does no more than asking once. Input is not among them: it would be typed twice. */
const REPEATABLE: ReadonlySet<KeeperOp> = new Set(['spawn', 'resize', 'close', 'forget', 'list', 'ack']);

export interface LinkOptions {
  readonly signal?: AbortSignal;
  /** Milliseconds until `timeout`. */
  readonly timeoutMs?: number;
}

/** Calls to the keeper that outlast its restart. */
export class KeeperLink {
  readonly #client: KeeperClient;
  readonly #waiting = new Set<() => void>();

  constructor(client: KeeperClient) {
    this.#client = client;
    client.onConnect(() => {
      for (const go of [...this.#waiting]) go();
    });
  }

  /**
   * @throws SwitchyardError the keeper's own code; `service_unavailable` when it is not there; `outcome_unknown` when it
   *   went away with input in its hands; `cancelled`
   */
  async call<O extends KeeperOp>(op: O, params: KeeperParams<O>, options: LinkOptions = {}): Promise<KeeperResult<O>> {
    await this.#connected(options.signal);
    const given = options.timeoutMs === undefined ? {} : { timeoutMs: options.timeoutMs };
    try {
      return await this.#client.call(op, params, given);
    } catch (error) {
      if (!(error instanceof SwitchyardError) || error.code !== 'connection_closed') throw error;
      if (!REPEATABLE.has(op)) {
        throw new SwitchyardError('outcome_unknown', 'The keeper went away with the input in its hands.');
      }
    }
    await this.#connected(options.signal);
    return this.#client.call(op, params, given);
  }

  /** Sends what nobody waits for. Lost with the connection, which is then made anew and lists what there is. */
  send<O extends KeeperOp>(op: O, params: KeeperParams<O>, onFault: (error: unknown) => void): void {
    if (this.#client.connected) this.#client.call(op, params).catch(onFault);
    else if (this.#client.resting) this.call(op, params).catch(onFault);
  }

  #connected(signal: AbortSignal | undefined): Promise<void> {
    if (this.#client.connected) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const end = (error?: Error) => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', withdraw);
        this.#waiting.delete(end);
        if (error === undefined) resolve();
        else reject(error);
      };
      const withdraw = () => end(new SwitchyardError('cancelled', 'The caller withdrew the request.'));
      const timer = setTimeout(
        () => end(new SwitchyardError('service_unavailable', 'The keeper, which owns the terminals, is not running.')),
        RECONNECT_MS,
      );
      this.#waiting.add(end);
      signal?.addEventListener('abort', withdraw, { once: true });
      if (signal?.aborted) withdraw();
    });
  }
}
