import { type AnyMethod, SwitchyardError } from '@switchyard/protocol';
import type { CallMeta } from './headers.js';
import { Assembler } from './parts.js';
import { callIdAt, requestSubject, type Station } from './subjects.js';
import { type Caller, type CallOptions, DEFAULT_ADDRESS, type OnBehalf } from './types.js';

/** Longest wait a timer can hold (24.8 days); a caller that asks for more gets this. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;
/** A wait answers by itself when its time is over; the deadline only catches a service that does not. */
const WAIT_MARGIN_MS = 2000;

/** One call from its start until it is settled, over all its sendings. */
export class Call {
  readonly n: string;
  readonly id: string;
  readonly method: string;
  readonly service: string;
  readonly address: string;
  /** Service and address: whose absence concerns it. */
  readonly target: string;
  readonly subject: string;
  readonly body: Buffer;
  readonly caller: Caller;
  readonly requestId: string | undefined;
  readonly onBehalf: OnBehalf | undefined;
  /** Sending it twice does no harm. */
  readonly repeatable: boolean;
  readonly deadline: number;
  readonly timeoutMs: number;

  /** A sending is out of which nothing has been heard. */
  outstanding = false;
  /** An earlier sending may have been taken up by a service that then died. */
  exposed = false;
  firstSentAt = Number.POSITIVE_INFINITY;
  lastSentAt = Number.POSITIVE_INFINITY;
  /** Answers of a service that did not see it, of which it stayed open whether it was there in time. */
  doubts = 0;
  /** When waiting for an absent service ends; undefined while nobody is known to be absent. */
  graceUntil: number | undefined;
  /** Replies that came incomplete. */
  losses = 0;
  readonly parts = new Assembler();
  deadlineTimer: NodeJS.Timeout | undefined;
  graceTimer: NodeJS.Timeout | undefined;
  stallTimer: NodeJS.Timeout | undefined;
  stopListening: (() => void) | undefined;

  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;

  constructor(given: {
    n: string;
    here: Station;
    method: string;
    spec: AnyMethod;
    params: unknown;
    body: Buffer;
    self: Caller;
    options: CallOptions;
    now: number;
    resolve: (result: unknown) => void;
    reject: (error: Error) => void;
  }) {
    const { spec, options } = given;
    this.n = given.n;
    this.id = callIdAt(given.here, given.n);
    this.method = given.method;
    this.service = spec.owner;
    this.address = options.address ?? DEFAULT_ADDRESS;
    this.target = targetOf(this.service, this.address);
    this.subject = requestSubject(given.here, this.service, this.address, this.method);
    this.body = given.body;
    this.caller = options.caller ?? given.self;
    this.requestId = options.requestId;
    // A change is answered by whoever keeps the record of it, and by nobody before.
    this.onBehalf = spec.effect === 'mutation' ? undefined : options.onBehalf;
    this.repeatable = spec.effect !== 'mutation' || spec.idempotent || this.requestId !== undefined;
    this.timeoutMs = Math.min(MAX_TIMEOUT_MS, options.timeoutMs ?? defaultTimeout(spec, given.params));
    this.deadline = given.now + this.timeoutMs;
    this.resolve = given.resolve;
    this.reject = given.reject;
  }

  isFor(service: string, address: string): boolean {
    return this.service === service && this.address === address;
  }

  /** The header of the next sending. */
  meta(now: number, large: boolean): CallMeta {
    return {
      timeout: Math.max(1, Math.ceil(this.deadline - now)),
      caller: this.caller,
      ...(this.requestId === undefined ? {} : { request_id: this.requestId }),
      ...(this.exposed && !this.repeatable ? { only_if_seen: true } : {}),
      ...(this.onBehalf === undefined ? {} : { on_behalf: this.onBehalf }),
      ...(large ? { body: this.body.length } : {}),
    };
  }

  /** Why the call fails when its service stays away. */
  unavailable(): SwitchyardError {
    const facts = { method: this.method, service: this.service };
    if (this.repeatable || !(this.exposed || this.outstanding)) {
      return new SwitchyardError('service_unavailable', `${this.service} is not running.`, facts);
    }
    return this.outcomeUnknown();
  }

  outcomeUnknown(): SwitchyardError {
    const text = `${this.service} went away while it had ${this.method} in its hands.`;
    return new SwitchyardError('outcome_unknown', text, { method: this.method, service: this.service });
  }

  /** Ends all that belongs to the call except its promise. */
  release(): void {
    clearTimeout(this.deadlineTimer);
    clearTimeout(this.graceTimer);
    clearTimeout(this.stallTimer);
    this.stopListening?.();
    this.parts.reset();
  }
}

/** @returns the key of a service and address among those that calls wait for */
export function targetOf(service: string, address: string): string {
  return `${service} ${address}`;
}

function defaultTimeout(spec: AnyMethod, params: unknown): number {
  if (spec.timeoutParam === null || typeof params !== 'object' || params === null) return spec.deadlineMs;
  const asked = (params as Record<string, unknown>)[spec.timeoutParam];
  return typeof asked === 'number' && asked >= 0 ? asked + WAIT_MARGIN_MS : spec.deadlineMs;
}
