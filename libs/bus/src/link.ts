import { setTimeout as delay } from 'node:timers/promises';
import { nkeyAuthenticator } from '@nats-io/nats-core';
import { AuthorizationError, connect, type Msg, type MsgHdrs, type NatsConnection } from '@nats-io/transport-node';
import { SwitchyardError } from '@switchyard/protocol';
import { Backlog } from './backlog.js';
import { brokerLogin } from './broker-url.js';
import { firstDelay, ReconnectDelays } from './delays.js';
import { checkToken, DEFAULT_SPACE, LOCAL_HOST, type Site } from './subjects.js';
import type { BusOptions, Log } from './types.js';

/** One attempt; on loopback an answer takes milliseconds, over a link seconds. */
const DIAL_TIMEOUT_MS = 5000;
/**
 * The same where there are several to try. A machine that is off answers nothing, and the client library tries the node
 * that has just been lost once more before the next: what waits for a service 3 s must not have given up by then.
 */
const NEXT_DIAL_TIMEOUT_MS = 2000;
/** A broker that hangs without closing is noticed after two of these. One small packet each: idle costs nothing. */
const PING_INTERVAL_MS = 30_000;
/** A round trip takes milliseconds; a broker that hangs must not hold up a stopping service. */
const FLUSH_MS = 5000;
/** How long the last words may take when the process ends. */
const CLOSE_FLUSH_MS = 1000;

export type Receive = (message: Msg) => void;

/**
 * The connection to the broker. It comes back by itself for ever; what is published while it is away is refused, never
 * queued, so that the owner of each message decides what its loss means.
 */
export class Link {
  readonly site: Site;
  readonly #nats: NatsConnection;
  readonly #log: Log;
  readonly #backlog: Backlog;
  readonly #delays: ReconnectDelays;
  readonly #onUp = new Set<() => void>();
  readonly #onDown = new Set<() => void>();
  #connected = true;
  #downSince = 0;

  /**
   * @param site whose subjects it uses
   * @param delays the ones that `nats` asks before each try to reconnect
   */
  constructor(nats: NatsConnection, site: Site, delays: ReconnectDelays, log: Log) {
    checkToken('space', site.space);
    checkToken('host', site.host);
    this.site = site;
    this.#nats = nats;
    this.#delays = delays;
    this.#log = log;
    this.#backlog = new Backlog(() => nats.flush());
    void this.#watch();
  }

  get connected(): boolean {
    return this.#connected;
  }

  /** Never throws. @returns false when the broker is away, or behind, or refuses the message: it was not taken */
  publish(subject: string, data: Uint8Array, options: { reply?: string; headers?: MsgHdrs } = {}): boolean {
    if (!this.#connected || this.#backlog.full || this.#nats.isClosed()) return false;
    try {
      this.#nats.publish(subject, data, options);
    } catch (err) {
      // The library refuses what exceeds the broker's payload limit, or has just been closed.
      this.#log.error({ err, subject, bytes: data.length }, 'a message could not be sent');
      return false;
    }
    this.#backlog.add(data.length);
    return true;
  }

  /** Resolves when more may be published without filling memory; at once in the ordinary case. */
  room(): Promise<void> {
    return this.#backlog.room();
  }

  /** @param receive must not throw: a throw would end the reading of the whole connection */
  subscribe(subject: string, receive: Receive, queue?: string): () => void {
    const callback = (error: Error | null, message: Msg) => this.#deliver(subject, receive, error, message);
    const subscription = this.#nats.subscribe(subject, queue === undefined ? { callback } : { callback, queue });
    return () => subscription.unsubscribe();
  }

  async flush(): Promise<void> {
    if (!this.#connected) throw new SwitchyardError('service_unavailable', 'The bus is not connected.');
    if (!(await done(this.#nats.flush(), FLUSH_MS))) {
      throw new SwitchyardError('service_unavailable', 'The bus went away or hangs.');
    }
  }

  onUp(fn: () => void): () => void {
    this.#onUp.add(fn);
    return () => this.#onUp.delete(fn);
  }

  onDown(fn: () => void): () => void {
    this.#onDown.add(fn);
    return () => this.#onDown.delete(fn);
  }

  async close(): Promise<void> {
    if (this.#connected && !this.#nats.isClosed()) await done(this.#nats.flush(), CLOSE_FLUSH_MS);
    await this.#nats.close();
  }

  #deliver(subject: string, receive: Receive, error: Error | null, message: Msg): void {
    try {
      if (error) throw error;
      receive(message);
    } catch (err) {
      this.#log.error({ err, subject }, 'a message could not be handled');
    }
  }

  async #watch(): Promise<void> {
    for await (const status of this.#nats.status()) {
      if (status.type === 'disconnect') this.#down();
      else if (status.type === 'reconnect') this.#up();
      else if (status.type === 'error') this.#log.warn({ err: status.error }, 'the broker reports an error');
    }
  }

  #down(): void {
    if (!this.#connected) return;
    this.#connected = false;
    this.#delays.lost();
    this.#downSince = Date.now();
    this.#backlog.reset();
    this.#log.warn({}, 'bus connection lost, reconnecting');
    this.#run(this.#onDown);
  }

  #up(): void {
    this.#connected = true;
    this.#delays.connected();
    this.#log.info({ away_ms: Date.now() - this.#downSince }, 'bus connection is back');
    this.#run(this.#onUp);
  }

  #run(listeners: Set<() => void>): void {
    for (const fn of [...listeners]) {
      try {
        fn();
      } catch (err) {
        this.#log.error({ err }, 'a listener of the bus connection failed');
      }
    }
  }
}

/**
 * Connects, trying for ever: a service may well be started before its broker.
 *
 * @throws the signal's reason, when the caller gives up
 */
export async function openLink(options: BusOptions): Promise<Link> {
  const { log, signal } = options;
  const delays = new ReconnectDelays();
  for (let attempt = 0; ; attempt++) {
    signal?.throwIfAborted();
    try {
      const site = { space: options.space ?? DEFAULT_SPACE, host: options.host ?? LOCAL_HOST };
      return new Link(await dial(options, delays), site, delays, log);
    } catch (err) {
      if (attempt === 0) sayWhy(err, log);
      await delay(firstDelay(attempt), undefined, signal === undefined ? {} : { signal });
    }
  }
}

/** With a certificate to tell the broker by, nothing is sent to one that has no such certificate or no encryption. */
export function login({ url, token, seed, ca }: Pick<BusOptions, 'url' | 'token' | 'seed' | 'ca'>) {
  const { token: _, ...place } = brokerLogin(url, '');
  return {
    ...(seed === undefined
      ? brokerLogin(url, token)
      : { ...place, authenticator: nkeyAuthenticator(Buffer.from(seed)) }),
    ...(ca !== undefined && { tls: { ca } }),
  };
}

function dial(options: BusOptions, delays: ReconnectDelays): Promise<NatsConnection> {
  const broker = login(options);
  return connect({
    ...broker,
    name: `${options.service}${options.address === undefined ? '' : `.${options.address}`}`,
    timeout: broker.servers.length > 1 ? NEXT_DIAL_TIMEOUT_MS : DIAL_TIMEOUT_MS,
    pingInterval: PING_INTERVAL_MS,
    maxReconnectAttempts: -1,
    reconnectDelayHandler: () => delays.next(),
    // A token that is refused now may be right again after the broker's restart: never give up.
    ignoreAuthErrorAbort: true,
    // The addresses that a cluster advertises need not be reachable from here.
    ignoreClusterUpdates: true,
  });
}

/** Only the first failure is worth a line, and no alarm: the broker is often a moment later than its clients. */
function sayWhy(err: unknown, log: Log): void {
  if (err instanceof AuthorizationError) log.error({ err }, 'the bus cannot be reached: wrong token or key? Trying on');
  else
    log.info({ reason: err instanceof Error ? err.message : String(err) }, 'the bus cannot be reached yet, trying on');
}

/** @returns whether the promise was fulfilled in time */
async function done(promise: Promise<unknown>, ms: number): Promise<boolean> {
  const timer = new AbortController();
  const late = delay(ms, false, { signal: timer.signal }).catch(() => false);
  const fulfilled = promise.then(
    () => true,
    () => false,
  );
  const result = await Promise.race([fulfilled, late]);
  timer.abort();
  return result;
}
