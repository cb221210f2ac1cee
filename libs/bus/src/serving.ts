import type { Msg } from '@nats-io/transport-node';
import { methodNamed, SwitchyardError } from '@switchyard/protocol';
import type { BodyFetcher } from './bodies.js';
import { decode, withFacts } from './codec.js';
import { answerDiscovery, type Tally } from './discovery.js';
import { type CallMeta, readCallHeaders, replyHeaders } from './headers.js';
import { Job } from './job.js';
import type { Link } from './link.js';
import { errorOf, errorReply, replyOf } from './outcome.js';
import { PIECE_BYTES } from './parts.js';
import type { PieceSender } from './piece-sender.js';
import { type KeptReply, RecentCalls, type Seen } from './recent-calls.js';
import {
  callIdOf,
  cancelsSubject,
  isCallIdAt,
  LOCAL_HOST,
  lastToken,
  QUEUE,
  replySubject,
  requestOf,
  servedSubject,
  splitCallId,
} from './subjects.js';
import { Turns } from './turns.js';
import {
  DEFAULT_ADDRESS,
  type Gauges,
  type HandlerContext,
  type Health,
  type Log,
  type OnBehalf,
  type Served,
} from './types.js';

/** Requests in the hands of one service. More are refused with `overloaded`: a queue without end helps nobody. */
const MAX_IN_FLIGHT = 4096;
/** And the bytes of their parameters. */
const MAX_IN_FLIGHT_BYTES = 128 * 1024 * 1024;
/** A longer result is not sent twice: what it saves is little beside what it costs to carry. */
const MAX_ON_BEHALF_BYTES = 8 * 1024;
/** How long a stopping service waits for handlers that are under way. */
const DRAIN_MS = 5000;

export type AnyHandler = (params: unknown, ctx: HandlerContext) => unknown;

export interface ServingOptions {
  readonly link: Link;
  readonly bodies: BodyFetcher;
  readonly sender: PieceSender;
  readonly log: Log;
  readonly service: string;
  readonly address: string;
  readonly instance: string;
  readonly handlers: ReadonlyMap<string, AnyHandler>;
  readonly gauges: Gauges;
  /** Tells the yard `service.ready` and `service.stopped`. */
  readonly announce: (event: 'service.ready' | 'service.stopped') => void;
}

/** The answering half of the bus: every request gets exactly one answer, whatever its handler does. */
export class Serving implements Served {
  readonly #given: ServingOptions;
  readonly #subject: string;
  readonly #jobs = new Map<string, Job>();
  readonly #recent = new RecentCalls(performance.now());
  readonly #turns = new Turns<Job>((job) => void this.#run(job));
  readonly #tally: Tally = { requests: 0, errors: 0, lastError: '', busyMs: 0 };
  readonly #subscriptions: (() => void)[];
  #stopTaking: () => void;
  #health: Health = 'ready';
  #bytes = 0;
  #onIdle: (() => void) | undefined;
  #stopped: Promise<void> | undefined;

  constructor(given: ServingOptions) {
    const { link, service, address } = given;
    this.#given = given;
    this.#subject = servedSubject(link.site, service, address);
    this.#subscriptions = [
      link.subscribe(cancelsSubject(link.site, service, address), (message) => {
        const callId = message.string();
        if (splitCallId(callId).host === lastToken(message.subject)) this.#jobs.get(callId)?.abandon('cancelled');
      }),
      answerDiscovery(link, this.#described()),
      link.onUp(() => this.#announceAgain()),
    ];
    this.#stopTaking = link.subscribe(this.#subject, (message) => this.#receive(message), QUEUE);
    given.announce('service.ready');
  }

  get health(): Health {
    return this.#health;
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    const { link, announce, log } = this.#given;
    this.#health = 'draining';
    this.#stopTaking();
    // After the round trip nothing new can arrive: the broker has forgotten us. Without a broker nothing can anyway.
    await link.flush().catch(noop);
    // Waits last as long as their callers like. Those hear `service.stopped` and ask the next run.
    for (const job of this.#jobs.values()) if (methodNamed(job.method)?.effect === 'wait') job.abandon('stopping');
    await this.#drained();
    if (this.#jobs.size > 0) log.warn({ in_flight: this.#jobs.size }, 'stopping with requests in flight');
    for (const job of this.#jobs.values()) job.abandon('stopping');
    announce('service.stopped');
    await link.flush().catch(noop);
    for (const end of this.#subscriptions) end();
    this.#health = 'stopped';
  }

  #drained(): Promise<void> {
    if (this.#jobs.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, DRAIN_MS);
      this.#onIdle = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Callers that sent something while we were cut off do not know that it is lost: this makes them ask. */
  #announceAgain(): void {
    if (this.#health === 'ready') this.#given.announce('service.ready');
  }

  #receive(message: Msg): void {
    const reply = message.reply ?? '';
    const meta = readCallHeaders(message);
    const callId = callIdOf(this.#given.link.site, reply);
    const { host, method } = requestOf(message.subject, this.#subject);
    // Whoever asks for the answer to go to another machine is not asking.
    if (meta === undefined || callId === undefined || splitCallId(callId).host !== host) {
      const text = 'This is not a call of the Switchyard bus.';
      // Where another machine wants an answer may be a place that it cannot write to itself.
      if (reply && host === LOCAL_HOST) this.#send(reply, errorReply(new SwitchyardError('invalid_request', text)));
      return;
    }
    const seen = this.#recent.seen(callId);
    if (seen !== undefined && this.#answerSeen(reply, seen, meta)) return;
    if (seen === undefined && meta.only_if_seen) {
      const not_seen_for = this.#recent.completeFor(performance.now());
      this.#given.link.publish(reply, EMPTY, { headers: replyHeaders({ not_seen_for }) });
      return;
    }
    // Services of the yard also call on behalf of others; what another machine says of where it is counts for nothing.
    const caller = host === LOCAL_HOST ? meta.caller : { ...meta.caller, host };
    this.#admit(new Job({ callId, reply, method, caller, meta, body: message.data }), meta);
  }

  /** @returns false when the call is to run (again) */
  #answerSeen(reply: string, seen: Seen, meta: CallMeta): boolean {
    if (seen.state === 'running') return true; // Its answer goes to the same place.
    if (seen.reply !== undefined) this.#send(reply, seen.reply);
    else if (meta.only_if_seen) {
      const text = 'It was done, but the answer is lost.';
      this.#send(reply, errorReply(new SwitchyardError('outcome_unknown', text, { done: true })));
    } else return false; // Repeatable, and the answer too large to be kept.
    return true;
  }

  #admit(job: Job, meta: CallMeta): void {
    if (this.#jobs.size >= MAX_IN_FLIGHT || this.#bytes + job.bytes > MAX_IN_FLIGHT_BYTES) {
      job.end();
      const text = `${this.#given.service} has too many requests in flight.`;
      this.#send(job.reply, errorReply(new SwitchyardError('overloaded', text, { limit: MAX_IN_FLIGHT })));
      return;
    }
    this.#jobs.set(job.callId, job);
    this.#bytes += job.bytes;
    this.#recent.start(job.callId);
    if (meta.body === undefined) this.#turns.add(job);
    else void this.#fetchBody(job);
  }

  async #fetchBody(job: Job): Promise<void> {
    try {
      job.body = await this.#given.bodies.fetch(job.callId);
      this.#turns.add(job);
    } catch (err) {
      // The caller is gone, or it will send the call again when it is back.
      this.#given.log.warn({ err, method: job.method, call: job.callId }, 'a request came without its body');
      this.#discard(job);
    }
  }

  /** Never rejects. */
  async #run(job: Job): Promise<void> {
    if (job.abandoned) {
      this.#discard(job);
      return;
    }
    const started = performance.now();
    const reply = await this.#handle(job);
    const ms = performance.now() - started;
    this.#count(reply, ms);
    this.#recent.finish(job.callId, reply, performance.now());
    if (!job.abandoned) await this.#deliver(job, reply);
    const facts = { method: job.method, call: job.callId, caller: job.caller.name, outcome: reply.error ?? 'ok', ms };
    this.#given.log.debug(facts, 'request');
    this.#end(job);
  }

  async #handle(job: Job): Promise<KeptReply> {
    const { handlers, log, service } = this.#given;
    try {
      const handler = handlers.get(job.method);
      if (handler === undefined) {
        throw new SwitchyardError('method_not_found', `${service} has no method ${job.method}.`);
      }
      const params = decode(job.body);
      job.body = EMPTY; // The handler has it now; an awaiting one must not hold it twice.
      return replyOf(job.method, await handler(params, job));
    } catch (thrown) {
      return errorReply(errorOf(job, thrown, log));
    }
  }

  async #deliver(job: Job, reply: KeptReply): Promise<void> {
    const { error, bytes } = reply;
    if (job.onBehalf) this.#tellFirstCaller(job, job.onBehalf, reply);
    if (bytes.length <= PIECE_BYTES) this.#send(job.reply, reply);
    else await this.#given.sender.send(job.reply, bytes, error === undefined ? {} : { error });
  }

  /** It is on the machine of whoever asks us, or it is none of that one's business. */
  #tellFirstCaller(job: Job, { callId, facts }: OnBehalf, { error, bytes }: KeptReply): void {
    if (error !== undefined || bytes.length > MAX_ON_BEHALF_BYTES || bytes[0] !== OBJECT) return;
    if (!isCallIdAt(splitCallId(job.callId).host, callId) || typeof facts !== 'object') return;
    this.#given.link.publish(replySubject(this.#given.link.site, callId), withFacts(facts, bytes));
  }

  /** While the broker is away this sends nothing: the caller asks again when it is back, and finds the reply kept. */
  #send(to: string, reply: KeptReply): void {
    const headers = reply.error === undefined ? undefined : replyHeaders({ error: reply.error });
    this.#given.link.publish(to, reply.bytes, headers === undefined ? {} : { headers });
  }

  #discard(job: Job): void {
    this.#recent.drop(job.callId);
    this.#end(job);
  }

  #end(job: Job): void {
    job.end();
    this.#jobs.delete(job.callId);
    this.#bytes -= job.bytes;
    if (this.#jobs.size === 0) this.#onIdle?.();
  }

  #count(reply: KeptReply, ms: number): void {
    this.#tally.requests++;
    this.#tally.busyMs += ms;
    if (reply.error === undefined) return;
    this.#tally.errors++;
    this.#tally.lastError = reply.error;
  }

  #described() {
    const { service, address, instance, handlers, gauges } = this.#given;
    return {
      name: service,
      id: address === DEFAULT_ADDRESS ? instance : `${instance}-${address}`,
      address,
      subject: this.#subject,
      methods: handlers.size,
      startedAt: Date.now(),
      tally: this.#tally,
      inFlight: () => this.#jobs.size,
      gauges,
    };
  }
}

const EMPTY = new Uint8Array(0);
const OBJECT = '{'.charCodeAt(0);
const noop = () => undefined;
