import type { Dialect, JournalEvent } from '@switchyard/protocol';
import type { RingEvent } from '../domain/event-ring.js';
import { FrameQueue } from '../domain/frame-queue.js';
import type { PushChannel } from './channel.js';
import { type FeedStart, type FeedTarget, type Gap, JournalFeed } from './journal-feed.js';
import type { JournalReader } from './journal-reader.js';
import type { Pushing } from './subscription.js';

export const PEER_CLASSES = ['agent_state', 'output', 'workspace_lifecycle'] as const;
export type PeerClass = (typeof PEER_CLASSES)[number];

/** What the peer's clients are told the bound is. */
export const MAX_QUEUED = 256;
/** Of frames with much text fewer wait. */
const MAX_QUEUED_CHARS = 512 * 1024;

export interface PeerSubscriptionOptions {
  readonly id: string;
  readonly classes: ReadonlySet<PeerClass>;
  readonly dialect: Dialect;
  readonly channel: PushChannel;
  readonly reader: JournalReader;
  readonly start: FeedStart;
}

/**
 * One `subscribe` (programa-api §7.3). Unlike a subscription of ours it never lags: what a slow client does not take waits
 * in a short queue, whose oldest frames give way.
 */
export class PeerSubscription implements Pushing, FeedTarget {
  readonly id: string;
  readonly #options: PeerSubscriptionOptions;
  readonly #queue = new FrameQueue(MAX_QUEUED, MAX_QUEUED_CHARS);
  readonly #ends: (() => void)[] = [];
  #isOpen = false;

  constructor(options: PeerSubscriptionOptions) {
    this.id = options.id;
    this.#options = options;
  }

  /** The journal is taken in as it comes. */
  readonly hasRoom = true;

  start(): void {
    const { channel, classes, reader, start } = this.#options;
    this.#isOpen = true;
    this.#ends.push(channel.onRoom(() => this.#flush()));
    if (classes.has('agent_state') || classes.has('workspace_lifecycle')) {
      const feed = new JournalFeed(reader, this, start);
      this.#ends.push(() => feed.close());
      feed.grown();
    }
    this.#flush();
  }

  close(): void {
    this.#isOpen = false;
    for (const end of this.#ends.splice(0)) end();
  }

  /** Ends together with the subscription. */
  endsWith(end: () => void): void {
    this.#ends.push(end);
  }

  take(events: readonly RingEvent[]): void {
    for (const { event } of events) this.#tell(event);
    this.#flush();
  }

  gap({ count }: Gap): void {
    // What the journal has lost counts as lost, though some of it would not have been for this client.
    this.#queue.lose(count ?? 1);
  }

  /** A terminal has printed. Heard before the subscription has been announced, it waits. */
  output(workspaceId: string | null, surfaceId: string, text: string): void {
    this.#add('output', { workspace_id: workspaceId, surface_id: surfaceId, text, ts: Date.now() / 1000 });
    this.#flush();
  }

  #tell(event: JournalEvent): void {
    const { classes } = this.#options;
    const ts = event.at / 1000;
    const { workspace_id, surface_id } = event;
    if (event.kind === 'agent.state_changed' && classes.has('agent_state')) {
      const { state, source, previous } = event.data;
      if (state === previous.state && source === previous.source) return;
      this.#add('agent_state', { workspace_id, surface_id, state, source, ts });
      return;
    }
    const kind = LIFECYCLE[event.kind];
    if (kind !== undefined && classes.has('workspace_lifecycle')) {
      this.#add('workspace_lifecycle', { kind, workspace_id, title: titleOf(event), ts });
    }
  }

  #add(event: string, data: Record<string, unknown>): void {
    this.#queue.add(`${this.#options.dialect.encodeEvent({ event, data })}\n`);
  }

  #flush(): void {
    const { channel, dialect } = this.#options;
    const dropped = (count: number) => `${dialect.encodeEvent({ event: 'dropped', data: { count } })}\n`;
    while (this.#isOpen && channel.hasRoom) {
      const frame = this.#queue.next(dropped);
      if (frame === undefined) return;
      channel.push(frame);
    }
  }
}

const LIFECYCLE: Readonly<Record<string, string>> = {
  'workspace.created': 'created',
  'workspace.closed': 'closed',
  'workspace.renamed': 'renamed',
};

function titleOf(event: JournalEvent): string | null {
  switch (event.kind) {
    case 'workspace.created':
    case 'workspace.renamed':
      return event.data.title;
    case 'workspace.closed':
      return event.data.custom_title;
    default:
      return null;
  }
}
