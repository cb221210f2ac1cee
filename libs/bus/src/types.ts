import type { BusEvent, BusEventName, Handlers, MethodName, Params, Result, ServiceName } from '@switchyard/protocol';

/** The part of a pino logger that the bus writes to. */
export interface Log {
  debug(facts: object, message: string): void;
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

export interface BusOptions {
  /** `nats://host:port` of the broker, embedded or nats-server; of a cluster's nodes with commas between them. */
  readonly url: string;
  /** The bus always demands it, also on loopback. */
  readonly token: string;
  /** The secret half of an nkey, by which a machine of the fleet proves who it is; then the token is not used. */
  readonly seed?: string;
  /** Certificate (PEM) that the broker's must be signed by; then the connection is always encrypted. */
  readonly ca?: string;
  /** Keeps yards apart that share a broker. Default: the space of a bus that serves one yard only. */
  readonly space?: string;
  /** The machine that the process runs on. Default: {@link LOCAL_HOST}, that of the yard. */
  readonly host?: string;
  /** Who connects; shown by the broker's own tools. */
  readonly service: ServiceName | 'client';
  /** Which of its kind, e.g. `local-0`. */
  readonly address?: string;
  readonly log: Log;
  /** How long a call waits for a service that is not there. Default 3000. */
  readonly restartGraceMs?: number;
  /** Aborting it ends the wait for the first connection; it has no meaning afterwards. */
  readonly signal?: AbortSignal;
}

/** On whose behalf a call is made: a client behind the gateway, or one of our own services. */
export interface Caller {
  /** The machine that the call came from, as the broker vouches for it; absent: that of the yard. */
  readonly host?: string;
  readonly kind: 'client' | 'service';
  readonly name: string;
  readonly uid?: number;
  readonly pid?: number;
  /** The surface the client runs in, when it is known. */
  readonly surface_id?: string;
}

export interface CallOptions {
  /** Milliseconds until `timeout`. Default: what the call's `timeoutParam` says, else the method's deadline. */
  readonly timeoutMs?: number;
  /** Aborting it ends the call with `cancelled` and aborts the handler's signal. */
  readonly signal?: AbortSignal;
  /** Which of its kind; default {@link DEFAULT_ADDRESS}. */
  readonly address?: string;
  /** Default: this service itself. */
  readonly caller?: Caller;
  /** With it a repeat is safe, so the bus may send a mutation again when its service dies. */
  readonly requestId?: string;
  /** For calls that change nothing. */
  readonly onBehalf?: OnBehalf;
}

/**
 * A handler's call whose result, with some facts before it, is what the handler itself will answer. The service asked
 * says so to the first caller as well as to us: whoever waits for news does not wait for the way back through us. Only a
 * short result goes that way, and no error; what the handler answers afterwards is then the second answer of that call.
 */
export interface OnBehalf {
  /** Of the call that is to be answered: {@link HandlerContext.callId}. */
  readonly callId: string;
  readonly facts: Readonly<Record<string, unknown>>;
}

/** What a handler knows about the call besides its parameters. */
export interface HandlerContext {
  /** Aborted when the caller withdraws the call or its deadline passes. */
  readonly signal: AbortSignal;
  /** On the clock of `performance.now()`, in this process: a wall clock that is set must not end or lengthen it. */
  readonly deadline: number;
  readonly caller: Caller;
  /** The same for every sending of one call. */
  readonly callId: string;
  readonly requestId: string | undefined;
}

/** `ready` from the moment it is served; `draining` from `Served.stop()` until that resolves. */
export type Health = 'ready' | 'draining' | 'stopped';

export interface Served {
  readonly health: Health;
  /** Takes no further request, waits for those in flight (at most 5 s), sends their replies, then resolves. */
  stop(): Promise<void>;
}

/** What a service counts of its own at this moment, by name: connections, events … Asked for only when somebody looks. */
export type Gauges = () => Readonly<Record<string, number>>;

/** How a service is, as it says itself. */
export interface ServiceReport {
  readonly service: string;
  readonly address: string;
  readonly pid: number;
  /** How long its answer took, in milliseconds. */
  readonly answersMs: number;
  /** In this run. */
  readonly requests: number;
  readonly errors: number;
  /** Of all its handlers, in milliseconds, awaiting included. */
  readonly busyMs: number;
  readonly inFlight: number;
  readonly gauges: Readonly<Record<string, number>>;
}

export interface SurveyOptions {
  /** Whether these answers are enough, asked after each; with fewer it takes the whole time. */
  readonly enough: (reports: readonly ServiceReport[]) => boolean;
  readonly timeoutMs: number;
}

export interface Bus {
  /** Unique to this connection object, thus to this run of the process. */
  readonly instance: string;
  readonly connected: boolean;

  /**
   * Calls a method of the contract at the service that owns it.
   *
   * @throws SwitchyardError what the handler threw, or `timeout`, `cancelled`, `service_unavailable` (nothing was
   *   delivered), `outcome_unknown` (a mutation whose service died with it), `overloaded`, `connection_closed`
   */
  call<M extends MethodName>(method: M, params: Params<M>, options?: CallOptions): Promise<Result<M>>;

  /** The same for a name and parameters that were validated elsewhere; unknown names are `method_not_found`. */
  callNamed(method: string, params: unknown, options?: CallOptions): Promise<unknown>;

  /**
   * Answers the methods of a service, then announces `service.ready`. Members of the same service and address share
   * the calls. Parameters arrive as the caller sent them: who accepts input from outside (the gateway) validates it.
   */
  serve<S extends ServiceName>(
    service: S,
    address: string,
    handlers: Handlers<S, HandlerContext>,
    gauges?: Gauges,
  ): Promise<Served>;

  /** Shows in surveys a process that answers no methods on the bus, such as the gateway. @returns ends it */
  present(service: ServiceName, address: string, gauges: Gauges): () => void;

  /** Asks every service of the yard how it is. Never rejects: who does not answer in time is missing. */
  survey(options: SurveyOptions): Promise<ServiceReport[]>;

  /** A mark that something changed. Never blocks and never throws; dropped (and counted) when the bus is backed up. */
  publish<E extends BusEventName>(event: E, data: BusEvent<E>): void;

  /** @returns ends the subscription. `host`: where the event comes from. A throwing `fn` is logged and does not disturb other subscribers. */
  subscribe<E extends BusEventName>(event: E, fn: (data: BusEvent<E>, host: string) => void): () => void;

  /** `fn` runs after each return of the connection: events may have been missed. @returns forgets `fn`. */
  onReconnect(fn: () => void): () => void;

  /** Resolves when the broker has everything published so far; rejects with `service_unavailable` when it is away. */
  flush(): Promise<void>;

  /** Stops what is served, fails the calls in flight with `connection_closed`, and disconnects. Safe to repeat. */
  close(): Promise<void>;
}

/** The address of a service of which there is one, or whose members are alike. */
export const DEFAULT_ADDRESS = '_';
