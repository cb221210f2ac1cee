import type { Bus, Caller } from '@switchyard/bus';
import {
  type AnyMethod,
  type Decoded,
  deadlineMsOf,
  encodeReply,
  errorReply,
  fail,
  type Handlers,
  methodNamed,
  OWNER_MARGIN_MS,
  okReply,
  type ReplyEnvelope,
  SwitchyardError,
  validateParams,
} from '@switchyard/protocol';
import type { Session } from './access/session.js';
import { type Locate, permission } from './domain/permission.js';
import type { PushChannel } from './events/channel.js';
import type { Subscriptions } from './events/subscriptions.js';
import type { OwnCall } from './own-call.js';
import type { RequestLog } from './request-log.js';

type Request = Extract<Decoded, { kind: 'request' }>;

/** The client a request came from. */
export interface Peer {
  readonly session: Session;
  /** Handed on to the services as the caller. */
  readonly caller: Caller;
  /** Aborted when the client does not want its replies any more. */
  readonly gone: AbortSignal;
  /** For what it is told unasked. */
  readonly channel: PushChannel;
  readonly subscriptions: Subscriptions;
}

/** Keeps what is to be done when the answer is on its way. */
export type OnAnswered = (fn: () => void) => void;

export interface DispatcherOptions {
  readonly bus: Pick<Bus, 'callNamed'>;
  readonly handlers: Handlers<'gateway', OwnCall>;
  readonly locate: Locate;
  readonly replyBytes: number;
  readonly requestLog: RequestLog;
}

/** What anybody who can connect may call before a login. */
export const LOGIN = 'auth.login';

/** From a request to its reply: access, method, parameters, then the gateway's own handler or the owner on the bus. */
export class Dispatcher {
  readonly #options: DispatcherOptions;
  readonly #requestLog: RequestLog;

  constructor(options: DispatcherOptions) {
    this.#options = options;
    this.#requestLog = options.requestLog;
  }

  /**
   * Hands a request on before it returns: requests of one client reach the bus in the order of these calls.
   *
   * @param onAnswered gets what a handler wants to have done when its reply is on its way
   * @returns the reply as a line, at once where no other process is needed; undefined for one that wants no reply.
   *   Never throws or rejects.
   */
  run(frame: Request, peer: Peer, onAnswered: OnAnswered): Buffer | undefined | Promise<Buffer | undefined> {
    const started = performance.now();
    const answer = (outcome: Outcome) => this.#answer(frame, peer, outcome, started);
    try {
      const result = this.#start(frame, peer, onAnswered);
      if (!(result instanceof Promise)) return answer({ result });
      return result.then(
        (value) => answer({ result: value }),
        (error) => answer({ error }),
      );
    } catch (error) {
      return answer({ error });
    }
  }

  /** Answers a request that is not started. */
  refuse(frame: Request, peer: Peer, error: SwitchyardError): Buffer | undefined {
    return this.#answer(frame, peer, { error }, performance.now());
  }

  #start({ request, dialect }: Request, peer: Peer, onAnswered: OnAnswered): unknown {
    const { method, params } = request;
    const { grant } = peer.session;
    // Not even whether a method exists is told before.
    if (grant === undefined && method !== LOGIN) fail('auth_required', 'Log in with auth.login first.');
    const spec = methodNamed(method);
    if (spec?.visibility !== 'public') return fail('method_not_found', 'Unknown method');
    const { request_id: requestId, ...valid } = validateParams(method, params);
    const question = grant && permission(spec, valid, grant);
    const { session, channel, subscriptions, gone } = peer;
    const call = { session, channel, subscriptions, gone, dialect, onAnswered, requestId: textOr(requestId) };
    const go = (permitted: Params) => this.#carryOut(method, spec, permitted, peer, call);
    if (question === undefined) return go(valid);
    return this.#options.locate(question.things).then((places) => go(question.decide(places)));
  }

  #carryOut(method: string, spec: AnyMethod, params: Params, peer: Peer, call: OwnCall): unknown {
    const own = this.#ownHandler(method);
    if (own) return own(params, call);
    const repeat = repeatId(method, spec, params, call.requestId);
    return this.#options.bus.callNamed(method, params, callOptions(spec, params, peer, repeat));
  }

  #ownHandler(method: string): ((params: Params, call: OwnCall) => unknown) | undefined {
    const { handlers } = this.#options;
    if (!Object.hasOwn(handlers, method)) return undefined;
    return handlers[method as keyof typeof handlers] as (params: Params, call: OwnCall) => unknown;
  }

  #answer(frame: Request, peer: Peer, outcome: Outcome, started: number): Buffer | undefined {
    const reply = this.#envelope(frame, outcome);
    this.#requestLog.write(frame.request, peer.session, reply, started);
    if (!frame.request.expectsReply) return undefined;
    return encodeReply(frame.dialect, reply, this.#options.replyBytes);
  }

  #envelope({ request }: Request, outcome: Outcome): ReplyEnvelope {
    if ('result' in outcome) return okReply(request, outcome.result);
    if (outcome.error instanceof SwitchyardError) return errorReply(request.idJson, outcome.error);
    return errorReply(request.idJson, this.#requestLog.fault(request.method, outcome.error));
  }
}

type Params = Record<string, unknown>;
const textOr = (value: unknown) => (typeof value === 'string' ? value : undefined);

type Outcome = { readonly result: unknown } | { readonly error: unknown };

/** Under which a call may be sent again: what the caller chose for it. */
function repeatId(
  method: string,
  { repeatKey }: AnyMethod,
  params: Params,
  requestId: string | undefined,
): string | undefined {
  if (requestId !== undefined || repeatKey === null) return requestId;
  const own = params[repeatKey];
  return own === undefined ? undefined : `${method} ${String(own)}`;
}

function callOptions(spec: AnyMethod, params: Params, { caller, gone }: Peer, requestId: string | undefined) {
  return {
    caller,
    timeoutMs: deadlineMsOf(spec, params, spec.timeoutParam ? OWNER_MARGIN_MS : 0),
    // A mutation is carried out even when its client has left: it asked for it.
    ...(spec.effect === 'mutation' ? {} : { signal: gone }),
    ...(requestId === undefined ? {} : { requestId }),
  };
}
