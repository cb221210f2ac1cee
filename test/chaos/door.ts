import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type Client, connectClient } from '@switchyard/client';
import {
  contract,
  deadlineMsOf,
  type ErrorCode,
  isErrorCode,
  type MethodName,
  OWNER_MARGIN_MS,
  type Params,
  type Result,
  SwitchyardError,
} from '@switchyard/protocol';
import type { Ledger } from './ledger.js';
import type { Tamper } from './tamper.js';

/**
 * The gateway answers by itself when a request has no answer by its deadline. Beyond that it may be suspended for 20 s,
 * and have to wait for two cores. Who has no answer then will never have one.
 */
const PATIENCE_MS = 40_000;
/** A listener that is suspended, and its successor that is not there yet. */
const CONNECT_MS = 60_000;
/** Until a change that was asked for again and again must be made. */
const SURELY_MS = 240_000;
export const AGAIN_AFTER_MS = 150;

/** The yard was asked at a bad moment; to ask again is right. `outcome_unknown` is among them for repeats with an id. */
const PASSING: ReadonlySet<ErrorCode> = new Set([
  'connection_closed',
  'service_unavailable',
  'timeout',
  'overloaded',
  'cancelled',
  'outcome_unknown',
]);
/** Never the fault of who asks here. */
const FAULTY: ReadonlySet<ErrorCode> = new Set(['internal_error', 'encode_error', 'method_not_found', 'parse_error']);

/** One client: a connection to the gateway, made again when it has ended, over which nothing may stay unanswered. */
export class Door {
  readonly #path: string;
  readonly #ledger: Ledger;
  readonly #tamper: Tamper;
  #client: Promise<Client> | undefined;
  #closed = false;

  constructor(path: string, ledger: Ledger, tamper: Tamper) {
    this.#path = path;
    this.#ledger = ledger;
    this.#tamper = tamper;
  }

  /**
   * Sends a request once.
   *
   * @throws SwitchyardError what the yard answered, or `connection_closed`
   */
  async ask<M extends MethodName>(method: M, params: Params<M>): Promise<Result<M>> {
    const client = await this.#open();
    const patience = deadlineMsOf(contract[method], params, OWNER_MARGIN_MS) + PATIENCE_MS;
    const started = Date.now();
    this.#ledger.did('requests');
    try {
      const result = await client.callNamed(method, params, { timeoutMs: patience });
      if (this.#tamper.takes('answer')) this.#unanswered(method, params);
      return result as Result<M>;
    } catch (error) {
      const code = codeOf(error);
      if (code === 'timeout' && Date.now() - started >= patience) this.#unanswered(method, params);
      if (code === undefined || FAULTY.has(code)) {
        this.#ledger.fault('wrong answers', `${method} ${JSON.stringify(params).slice(0, 300)}: ${String(error)}`);
      }
      throw error;
    }
  }

  /**
   * Asks until it is so: a mutation under one `request_id`.
   *
   * @throws SwitchyardError what is wrong with the request itself
   */
  async surely<M extends MethodName>(method: M, params: Params<M>): Promise<Result<M>> {
    const isKeyed = contract[method].repeatKey === 'request_id';
    const asked = isKeyed ? { ...params, request_id: randomUUID() } : params;
    const end = Date.now() + SURELY_MS;
    for (;;) {
      try {
        return await this.ask(method, asked);
      } catch (error) {
        if (!isPassing(error)) throw error;
        if (Date.now() >= end) {
          this.#unanswered(method, asked, `after ${SURELY_MS} ms still ${String(error)}`);
          throw error;
        }
      }
      this.#ledger.did('repeats');
      await delay(AGAIN_AFTER_MS);
    }
  }

  /** Calls in flight fail with `connection_closed`. */
  async close(): Promise<void> {
    this.#closed = true;
    const client = await this.#client?.catch(() => undefined);
    client?.close();
  }

  #open(): Promise<Client> {
    if (this.#closed) throw new Error('this client has left');
    if (this.#client !== undefined) return this.#client;
    const opening = connectClient(this.#path, { timeoutMs: CONNECT_MS });
    this.#client = opening;
    const forget = () => {
      if (this.#client === opening) this.#client = undefined;
    };
    opening.then(async (client) => {
      await client.closed;
      forget();
      if (!this.#closed) this.#ledger.did('reconnects');
    }, forget);
    return opening;
  }

  #unanswered(method: string, params: unknown, why = ''): void {
    this.#ledger.fault('requests without an answer', `${method} ${JSON.stringify(params).slice(0, 300)} ${why}`);
  }
}

export function isPassing(error: unknown): boolean {
  const code = codeOf(error);
  return code !== undefined && PASSING.has(code);
}

export function codeOf(error: unknown): ErrorCode | undefined {
  return error instanceof SwitchyardError && isErrorCode(error.code) ? error.code : undefined;
}
