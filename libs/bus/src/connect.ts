import { randomBytes } from 'node:crypto';
import type { BusEvent, BusEventName, Handlers, MethodName, Params, Result, ServiceName } from '@switchyard/protocol';
import { BodyFetcher } from './bodies.js';
import { Calls } from './calls.js';
import { answerDiscovery } from './discovery.js';
import { Events } from './events.js';
import { type Link, openLink } from './link.js';
import { PieceSender } from './piece-sender.js';
import { type AnyHandler, Serving } from './serving.js';
import { checkToken, type Station, servedSubject, surveyReplies } from './subjects.js';
import { survey } from './survey.js';
import type {
  Bus,
  BusOptions,
  CallOptions,
  Gauges,
  HandlerContext,
  Served,
  ServiceReport,
  SurveyOptions,
} from './types.js';
import { VERSION } from './version.js';

/** Long enough for a crashed service to be back, short enough that a person does not give up. */
const RESTART_GRACE_MS = 3000;
/** 48 bits: two processes of one yard never share it. */
const INSTANCE_BYTES = 6;

/** Connects, trying for ever or until `options.signal` is aborted; resolves when first connected. */
export async function connectBus(options: BusOptions): Promise<Bus> {
  return new ConnectedBus(await openLink(options), options);
}

class ConnectedBus implements Bus {
  readonly instance = randomBytes(INSTANCE_BYTES).toString('hex');
  readonly #options: BusOptions;
  readonly #link: Link;
  readonly #here: Station;
  readonly #calls: Calls;
  readonly #events: Events;
  readonly #bodies: BodyFetcher;
  readonly #sender: PieceSender;
  readonly #servings = new Set<Serving>();
  #surveys = 0;
  #closed: Promise<void> | undefined;

  constructor(link: Link, options: BusOptions) {
    const self = { kind: 'service', name: options.service } as const;
    const here: Station = { ...link.site, instance: this.instance };
    this.#options = options;
    this.#link = link;
    this.#here = here;
    this.#events = new Events(link, options.log);
    this.#bodies = new BodyFetcher(link, here);
    this.#sender = new PieceSender(link, here);
    this.#calls = new Calls(link, here, this.#sender, self, options.restartGraceMs ?? RESTART_GRACE_MS);
    this.#events.subscribe('service.ready', ({ service, address }) => this.#calls.ready(service, address));
    this.#events.subscribe('service.stopped', ({ service, address }) => this.#calls.stopped(service, address));
  }

  get connected(): boolean {
    return this.#link.connected;
  }

  call<M extends MethodName>(method: M, params: Params<M>, options: CallOptions = {}): Promise<Result<M>> {
    return this.#calls.call(method, params, options) as Promise<Result<M>>;
  }

  callNamed(method: string, params: unknown, options: CallOptions = {}): Promise<unknown> {
    return this.#calls.call(method, params, options);
  }

  async serve<S extends ServiceName>(
    service: S,
    address: string,
    handlers: Handlers<S, HandlerContext>,
    gauges: Gauges = () => ({}),
  ): Promise<Served> {
    checkToken('address', address);
    const serving = new Serving({
      link: this.#link,
      bodies: this.#bodies,
      sender: this.#sender,
      log: this.#options.log,
      service,
      address,
      instance: this.instance,
      handlers: new Map(Object.entries(handlers) as [string, AnyHandler][]),
      gauges,
      announce: (event) => {
        const facts = { service, address, instance: this.instance };
        if (event === 'service.ready') this.#events.publish(event, { ...facts, version: VERSION });
        else this.#events.publish(event, facts);
      },
    });
    this.#servings.add(serving);
    // When this resolves a call from anywhere finds us. A broker that went away just now makes no difference: the
    // subscription is renewed, and the announcement repeated, when it is back.
    await this.#link.flush().catch(() => undefined);
    return serving;
  }

  present(service: ServiceName, address: string, gauges: Gauges): () => void {
    return answerDiscovery(this.#link, {
      name: service,
      id: this.instance,
      address,
      subject: servedSubject(this.#here, service, address),
      methods: 0,
      startedAt: Date.now(),
      tally: { requests: 0, errors: 0, lastError: '', busyMs: 0 },
      inFlight: () => 0,
      gauges,
    });
  }

  survey(options: SurveyOptions): Promise<ServiceReport[]> {
    return survey(this.#link, surveyReplies(this.#here, ++this.#surveys), options);
  }

  publish<E extends BusEventName>(event: E, data: BusEvent<E>): void {
    this.#events.publish(event, data);
  }

  subscribe<E extends BusEventName>(event: E, fn: (data: BusEvent<E>, host: string) => void): () => void {
    return this.#events.subscribe(event, fn);
  }

  onReconnect(fn: () => void): () => void {
    return this.#link.onUp(fn);
  }

  flush(): Promise<void> {
    return this.#link.flush();
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    await Promise.all([...this.#servings].map((serving) => serving.stop()));
    this.#bodies.close();
    this.#sender.close();
    this.#calls.close();
    await this.#link.close();
  }
}
