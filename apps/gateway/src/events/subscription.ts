import { type Dialect, type EventFilter, isJournalKind, passes } from '@switchyard/protocol';
import type { RingEvent } from '../domain/event-ring.js';
import { frameLine, membersOf, type PushChannel } from './channel.js';
import { type FeedStart, type FeedTarget, type Gap, JournalFeed } from './journal-feed.js';
import type { JournalReader } from './journal-reader.js';

/** What a connection holds of something that is pushed to it. */
export interface Pushing {
  readonly id: string;
  /** Begins to push; called once, after the answer that announced it. */
  start(): void;
  /** Nothing is pushed after it. */
  close(): void;
}

/** A source of frames besides the journal: it may push while it is open and the channel has room. */
export interface LiveSource {
  start(sink: LiveSink): void;
  /** There is room again. */
  resume(): void;
  close(): void;
}

export interface LiveSink {
  readonly hasRoom: boolean;
  push(kind: string, facts: object): void;
}

export interface SubscriptionOptions {
  readonly id: string;
  readonly dialect: Dialect;
  readonly channel: PushChannel;
  readonly reader: JournalReader;
  readonly filter: EventFilter & { readonly kinds: ReadonlySet<string> };
  readonly start: FeedStart;
  /** Frames that are made of an event besides its own. */
  readonly derive: (event: RingEvent) => { readonly kind: string; readonly data: object } | undefined;
  readonly live: readonly LiveSource[];
}

/** One subscription of `events.subscribe`: what it asked for of the journal, and what is live. */
export class Subscription implements Pushing, FeedTarget, LiveSink {
  readonly id: string;
  readonly #options: SubscriptionOptions;
  readonly #idMember: string;
  #feed: JournalFeed | undefined;
  #endRoom: () => void = () => undefined;

  constructor(options: SubscriptionOptions) {
    this.id = options.id;
    this.#options = options;
    this.#idMember = membersOf({ subscription_id: options.id });
  }

  get hasRoom(): boolean {
    return this.#options.channel.hasRoom;
  }

  start(): void {
    const { channel, reader, start, live, filter } = this.#options;
    this.#endRoom = channel.onRoom(() => this.#resume());
    for (const source of live) source.start(this);
    if (![...filter.kinds].some((kind) => isJournalKind(kind) || kind === 'agent_status')) return;
    this.#feed = new JournalFeed(reader, this, start);
    this.#feed.grown();
  }

  close(): void {
    this.#endRoom();
    this.#feed?.close();
    for (const source of this.#options.live) source.close();
  }

  take(events: readonly RingEvent[]): void {
    const lines = events.map((event) => this.#linesOf(event)).join('');
    if (lines !== '') this.#options.channel.push(lines);
  }

  gap(gap: Gap): void {
    const { channel, dialect } = this.#options;
    channel.push(frameLine(dialect, 'gap', membersOf({ subscription_id: this.id, ...gap })));
  }

  push(kind: string, facts: object): void {
    const { channel, dialect } = this.#options;
    channel.push(frameLine(dialect, kind, membersOf({ subscription_id: this.id, ...facts })));
  }

  #linesOf(ring: RingEvent): string {
    const { filter, dialect, derive } = this.#options;
    const { event, head, data } = ring;
    const own = passes(filter, event) ? frameLine(dialect, event.kind, `${this.#idMember},${head},"data":${data}`) : '';
    const derived = derive(ring);
    if (derived === undefined) return own;
    const members = `${this.#idMember},${head},"data":${JSON.stringify(derived.data)}`;
    return own + frameLine(dialect, derived.kind, members);
  }

  #resume(): void {
    this.#feed?.grown();
    for (const source of this.#options.live) source.resume();
  }
}
