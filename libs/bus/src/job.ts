import type { CallMeta } from './headers.js';
import type { Caller, HandlerContext, OnBehalf } from './types.js';

/** One request in the hands of a service: what its handler sees of it, and its clock. */
export class Job implements HandlerContext {
  /** Its own property, like all of the context, so that handlers can be given a copy with more in it. */
  readonly signal: AbortSignal;
  readonly callId: string;
  readonly reply: string;
  readonly method: string;
  readonly caller: Caller;
  readonly requestId: string | undefined;
  readonly deadline: number;
  /** Who else is to have the result. */
  readonly onBehalf: OnBehalf | undefined;
  /** Bytes of parameters that it holds. */
  readonly bytes: number;
  readonly receivedAt = performance.now();
  body: Uint8Array;
  /** Nobody waits for the answer any more, or the caller was told to ask again. */
  abandoned = false;
  readonly #abort = new AbortController();
  readonly #timer: NodeJS.Timeout;

  constructor(given: {
    callId: string;
    reply: string;
    method: string;
    caller: Caller;
    meta: CallMeta;
    body: Uint8Array;
  }) {
    const { meta } = given;
    this.signal = this.#abort.signal;
    this.callId = given.callId;
    this.reply = given.reply;
    this.method = given.method;
    this.body = given.body;
    this.bytes = meta.body ?? given.body.length;
    this.caller = given.caller;
    this.requestId = meta.request_id;
    this.onBehalf = meta.on_behalf;
    this.deadline = performance.now() + meta.timeout;
    this.#timer = setTimeout(() => this.abandon('timeout'), meta.timeout);
  }

  /** @param why becomes the reason of the signal's AbortError */
  abandon(why: string): void {
    this.abandoned = true;
    this.#abort.abort(new DOMException(why, 'AbortError'));
  }

  /** Stops the clock. */
  end(): void {
    clearTimeout(this.#timer);
  }
}
