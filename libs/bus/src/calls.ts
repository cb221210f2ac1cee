import { setMaxListeners } from 'node:events';
import type { Msg } from '@nats-io/transport-node';
import { type AnyMethod, methodNamed, SwitchyardError } from '@switchyard/protocol';
import { Absences } from './absences.js';
import { BodySource } from './bodies.js';
import { Call, targetOf } from './call.js';
import { CallNumbers } from './call-numbers.js';
import { decode, decodeError, encode } from './codec.js';
import { callHeaders, isNoResponders, type Part, type ReplyMeta, readReplyHeaders } from './headers.js';
import type { Link } from './link.js';
import { MESSAGE_LIMIT_BYTES, PIECE_BYTES } from './parts.js';
import { acknowledge, type PieceSender, refuseRest } from './piece-sender.js';
import { cancelSubject, checkToken, lastToken, repliesSubject, replySubject, type Station } from './subjects.js';
import type { Caller, CallOptions } from './types.js';

/** Calls of one process without an answer. More are refused: whoever makes them does not wait for answers. */
const MAX_CALLS = 65_536;
/** Their parameters, kept for sending again. */
const MAX_BODY_BYTES = 256 * 1024 * 1024;
/** `service.ready` ends the wait for an absent service; this only covers an event lost on the way. */
const RETRY_MS = 250;
/** The longest silence inside a reply that has begun. */
const STALL_MS = 5000;
/** A reply that comes incomplete this often is not going to come. */
const MAX_LOSSES = 3;
/** Answers too slow to tell whether a service is older than a call. */
const MAX_DOUBTS = 10;
const EMPTY = new Uint8Array(0);

/** The calling half of the bus: every call ends, with the answer or with an error that says what is known. */
export class Calls {
  readonly #link: Link;
  readonly #here: Station;
  readonly #self: Caller;
  readonly #graceMs: number;
  /** In the order in which they were made, which is the order in which each service gets them. */
  readonly #calls = new Map<string, Call>();
  readonly #absences = new Absences((target) => this.#probe(target), RETRY_MS);
  readonly #bodies: BodySource;
  readonly #stopReplies: () => void;
  #bodyBytes = 0;
  readonly #numbers = new CallNumbers();
  #closed = false;

  constructor(link: Link, here: Station, sender: PieceSender, self: Caller, graceMs: number) {
    this.#link = link;
    this.#here = here;
    this.#self = self;
    this.#graceMs = graceMs;
    this.#bodies = new BodySource(link, here, sender, (n) => this.#calls.get(n)?.body);
    this.#stopReplies = link.subscribe(repliesSubject(here), (message) => this.#receive(message));
    link.onUp(() => {
      this.#absences.clear();
      this.#each((call) => this.#sendAgain(call));
    });
    link.onDown(() => this.#each((call) => this.#awaitAnew(call)));
  }

  async call(method: string, params: unknown, options: CallOptions): Promise<unknown> {
    const spec = methodNamed(method);
    if (spec === undefined) throw new SwitchyardError('method_not_found', `There is no method ${method}.`);
    if (options.address !== undefined) checkToken('address', options.address);
    if (options.signal?.aborted) throw new SwitchyardError('cancelled', `${method} was withdrawn.`);
    const body = encode(params);
    this.#admit(body);
    return new Promise((resolve, reject) => this.#begin({ method, spec, params, body, options, resolve, reject }));
  }

  /** A service of that kind and address (also: another run of it) takes calls now. */
  ready(service: string, address: string): void {
    this.#absences.end(targetOf(service, address));
    this.#each((call) => call.isFor(service, address) && this.#sendAgain(call));
  }

  /** One went away on purpose: what it had is answered, what it has not answered is asked again elsewhere. */
  stopped(service: string, address: string): void {
    this.#each((call) => call.isFor(service, address) && this.#awaitAnew(call));
  }

  close(): void {
    this.#closed = true;
    this.#stopReplies();
    this.#bodies.close();
    this.#absences.clear();
    this.#each((call) => this.#fail(call, new SwitchyardError('connection_closed', 'The bus was closed.')));
  }

  #admit(body: Buffer): void {
    if (this.#closed) throw new SwitchyardError('connection_closed', 'The bus was closed.');
    if (body.length > MESSAGE_LIMIT_BYTES) {
      throw new SwitchyardError('payload_too_large', `The parameters exceed ${MESSAGE_LIMIT_BYTES} bytes.`);
    }
    if (this.#calls.size >= MAX_CALLS || this.#bodyBytes + body.length > MAX_BODY_BYTES) {
      throw new SwitchyardError('overloaded', 'Too many calls are without an answer.');
    }
  }

  #begin(given: {
    method: string;
    spec: AnyMethod;
    params: unknown;
    body: Buffer;
    options: CallOptions;
    resolve: (result: unknown) => void;
    reject: (error: Error) => void;
  }): void {
    const n = this.#numbers.next();
    const call = new Call({ ...given, n, here: this.#here, self: this.#self, now: performance.now() });
    this.#calls.set(n, call);
    this.#bodyBytes += call.body.length;
    call.deadlineTimer = setTimeout(() => this.#expire(call), call.timeoutMs);
    this.#listen(call, given.options.signal);
    // What was called before and still waits goes first.
    if (this.#absences.has(call.target)) this.#await(call);
    else this.#send(call);
  }

  #listen(call: Call, signal: AbortSignal | undefined): void {
    if (signal === undefined) return;
    // A client's one signal may well guard all of its calls: many listeners are no leak here.
    setMaxListeners(0, signal);
    const cancel = () => this.#withdraw(call, new SwitchyardError('cancelled', `${call.method} was withdrawn.`));
    signal.addEventListener('abort', cancel, { once: true });
    call.stopListening = () => signal.removeEventListener('abort', cancel);
  }

  #send(call: Call): void {
    if (!this.#link.connected) {
      this.#await(call);
      return;
    }
    clearTimeout(call.graceTimer);
    const now = performance.now();
    const large = call.body.length > PIECE_BYTES;
    if (large) this.#bodies.open();
    const headers = callHeaders(call.meta(now, large));
    if (
      this.#link.publish(call.subject, large ? EMPTY : call.body, { reply: replySubject(this.#here, call.id), headers })
    ) {
      call.outstanding = true;
      call.firstSentAt = Math.min(call.firstSentAt, now);
      call.lastSentAt = now;
    } else {
      this.#await(call);
    }
  }

  #sendAgain(call: Call): void {
    if (call.outstanding) call.exposed = true;
    call.graceUntil = undefined;
    this.#send(call);
  }

  #awaitAnew(call: Call): void {
    call.graceUntil = undefined;
    this.#await(call);
  }

  /** Nobody took the last sending, as far as is known: waits for somebody who does. */
  #await(call: Call): void {
    const now = performance.now();
    call.graceUntil ??= now + this.#graceMs;
    clearTimeout(call.graceTimer);
    clearTimeout(call.stallTimer);
    const left = call.graceUntil - now;
    if (left <= 0) {
      this.#fail(call, call.unavailable());
      return;
    }
    call.graceTimer = setTimeout(() => this.#fail(call, call.unavailable()), left);
    // Without a connection there is nothing to try: its return sends the call.
    if (this.#link.connected) this.#absences.begin(call.target);
  }

  /**
   * Sends only the oldest call to an absent service. Were all of them tried, the service could appear half-way and take
   * the later ones first.
   */
  #probe(target: string): void {
    for (const call of this.#calls.values()) {
      if (call.target !== target) continue;
      if (call.outstanding) call.exposed = true;
      // Silence means that it was taken: a missing taker is reported within a round trip.
      this.#absences.watch(target, call.n, () => this.#takeUp(target));
      this.#send(call);
      return;
    }
    this.#absences.end(target);
  }

  /** Somebody took the oldest call: the others follow, in order. */
  #takeUp(target: string): void {
    const oldest = this.#absences.end(target);
    this.#each((call) => {
      if (call.target === target && call.n !== oldest && call.graceUntil !== undefined) this.#sendAgain(call);
      else if (call.n === oldest) this.#taken(call);
    });
  }

  #taken(call: Call): void {
    call.graceUntil = undefined;
    clearTimeout(call.graceTimer);
  }

  #receive(message: Msg): void {
    const call = this.#calls.get(lastToken(message.subject));
    if (call === undefined) {
      refuseRest(this.#link, message); // Settled before: a deadline, or the second answer of a call sent twice.
      return;
    }
    acknowledge(this.#link, message);
    if (message.headers !== undefined && isNoResponders(message)) {
      call.outstanding = false;
      this.#absences.goOn(call.target);
      this.#await(call);
      return;
    }
    const isBack = this.#absences.isWatched(call.target, call.n);
    if (message.headers === undefined) this.#finish(call, message.data, {});
    else this.#receiveMarked(call, message.data, readReplyHeaders(message));
    if (isBack) this.#takeUp(call.target);
  }

  #receiveMarked(call: Call, data: Uint8Array, meta: ReplyMeta): void {
    if (meta.not_seen_for !== undefined) this.#notSeen(call, meta.not_seen_for);
    else if (meta.part === undefined) this.#finish(call, data, meta);
    else this.#receivePart(call, meta.part, data, meta);
  }

  /**
   * The service there now never started the call. Was it there when the call was first sent? It counts back from some
   * moment between question and answer: when that span leaves it open, a faster answer can still tell.
   */
  #notSeen(call: Call, forMs: number): void {
    if (!call.exposed) return; // The answer to a sending that a later one has replaced.
    if (forMs < performance.now() - call.firstSentAt) {
      const wasYounger = forMs < call.lastSentAt - call.firstSentAt;
      if (wasYounger || ++call.doubts >= MAX_DOUBTS) this.#fail(call, call.outcomeUnknown());
      else this.#send(call);
      return;
    }
    // It was, so the call got lost on the way to it: nothing has happened.
    call.exposed = false;
    call.outstanding = false;
    this.#send(call);
  }

  #receivePart(call: Call, part: Part, data: Uint8Array, meta: ReplyMeta): void {
    const assembled = call.parts.add(part, data);
    if (assembled.state === 'whole') {
      this.#finish(call, assembled.bytes, meta);
    } else if (assembled.state === 'lost') {
      this.#lost(call, assembled.why);
    } else if (call.parts.partial) {
      if (call.stallTimer === undefined) call.stallTimer = setTimeout(() => this.#stalled(call), STALL_MS);
      else call.stallTimer.refresh();
    }
  }

  #stalled(call: Call): void {
    call.stallTimer = undefined;
    if (!call.parts.partial) return;
    call.parts.reset();
    this.#lost(call, `nothing for ${STALL_MS} ms`);
  }

  #lost(call: Call, why: string): void {
    call.losses++;
    if (call.losses >= MAX_LOSSES) {
      this.#fail(call, new SwitchyardError('internal_error', `The reply to ${call.method} came incomplete: ${why}.`));
      return;
    }
    this.#sendAgain(call);
  }

  #finish(call: Call, bytes: Uint8Array, meta: ReplyMeta): void {
    try {
      if (meta.error !== undefined) {
        this.#fail(call, decodeError(bytes));
        return;
      }
      const result = decode(bytes);
      this.#settle(call);
      call.resolve(result);
    } catch (cause) {
      const text = `The reply to ${call.method} cannot be read.`;
      this.#fail(call, new SwitchyardError('internal_error', text, undefined, { cause }));
    }
  }

  #expire(call: Call): void {
    const text = `${call.method} did not answer within ${call.timeoutMs} ms.`;
    this.#withdraw(call, new SwitchyardError('timeout', text, { timeout_ms: call.timeoutMs }));
  }

  #withdraw(call: Call, error: SwitchyardError): void {
    if (call.outstanding)
      this.#link.publish(cancelSubject(this.#here, call.service, call.address), Buffer.from(call.id));
    this.#fail(call, error);
  }

  #fail(call: Call, error: Error): void {
    this.#settle(call);
    call.reject(error);
  }

  #settle(call: Call): void {
    if (!this.#calls.delete(call.n)) return;
    this.#bodyBytes -= call.body.length;
    call.release();
  }

  #each(fn: (call: Call) => void): void {
    for (const call of [...this.#calls.values()]) fn(call);
  }
}
