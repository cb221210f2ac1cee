import type { BusEvent, BusEventName } from '@switchyard/protocol';
import { decode, encode } from './codec.js';
import type { Link } from './link.js';
import { eventSubject, eventsSubject, hostOfEvent, isAddressAt, LOCAL_HOST } from './subjects.js';
import type { Log } from './types.js';

type Listener = (data: never, host: string) => unknown;

interface Topic {
  readonly listeners: Set<Listener>;
  readonly unsubscribe: () => void;
}

/** Marks that something changed. They may be lost when the bus is away; who needs certainty asks after a reconnect. */
export class Events {
  readonly #link: Link;
  readonly #log: Log;
  readonly #topics = new Map<BusEventName, Topic>();
  #dropped = 0;

  constructor(link: Link, log: Log) {
    this.#link = link;
    this.#log = log;
    link.onUp(() => this.#reportDropped());
  }

  publish<E extends BusEventName>(event: E, data: BusEvent<E>): void {
    if (this.#link.publish(eventSubject(this.#link.site, event), encode(data))) return;
    // One line when it starts, one with the number when it is over: an outage must not fill the log.
    if (this.#dropped++ === 0) this.#log.warn({ event }, 'the bus takes no events, dropping them');
  }

  subscribe<E extends BusEventName>(event: E, fn: (data: BusEvent<E>, host: string) => unknown): () => void {
    const topic = this.#topics.get(event) ?? this.#open(event);
    // Its own function object, so that subscribing one function twice makes two subscriptions.
    const listener: Listener = (data, host) => fn(data, host);
    topic.listeners.add(listener);
    return () => {
      topic.listeners.delete(listener);
      if (topic.listeners.size === 0 && this.#topics.get(event) === topic) this.#close(event, topic);
    };
  }

  #open(event: BusEventName): Topic {
    const listeners = new Set<Listener>();
    const subscriptions = heardAt(this.#link.site.host).map((from) =>
      this.#link.subscribe(eventsSubject(this.#link.site, from, event), (message) => {
        const data = decode(message.data) as never;
        const host = hostOfEvent(message.subject);
        if (!mayTell(host, event, data)) return;
        for (const listener of [...listeners]) this.#tell(event, listener, data, host);
      }),
    );
    const unsubscribe = () => {
      for (const end of subscriptions) end();
    };
    const topic = { listeners, unsubscribe };
    this.#topics.set(event, topic);
    return topic;
  }

  #close(event: BusEventName, topic: Topic): void {
    topic.unsubscribe();
    this.#topics.delete(event);
  }

  /** One listener's failure is its own: it neither ends the connection nor keeps the event from the others. */
  #tell(event: BusEventName, listener: Listener, data: never, host: string): void {
    const failed = (err: unknown) => this.#log.error({ err, event }, 'a listener of an event failed');
    try {
      const result = listener(data, host);
      if (result instanceof Promise) result.catch(failed);
    } catch (err) {
      failed(err);
    }
  }

  #reportDropped(): void {
    if (this.#dropped === 0) return;
    this.#log.warn({ dropped: this.#dropped }, 'events were dropped while the bus was away');
    this.#dropped = 0;
  }
}

/** Of the coming and going of services a machine tells only its own: the calls of everybody depend on it. */
function mayTell(host: string, event: BusEventName, data: unknown): boolean {
  if (host === LOCAL_HOST || (event !== 'service.ready' && event !== 'service.stopped')) return true;
  const { service, address } = data as BusEvent<'service.ready'>;
  return service === 'detector' || (service === 'pty-host' && isAddressAt(host, address));
}

/** A machine of the fleet hears the yard and itself, never another machine. */
const heardAt = (host: string): string[] => (host === LOCAL_HOST ? ['*'] : [LOCAL_HOST, host]);
