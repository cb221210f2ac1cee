import { setTimeout as delay } from 'node:timers/promises';
import { encodeCursor, type Result } from '@switchyard/protocol';
import type { RingEvent } from '../domain/event-ring.js';
import type { FetchedPage, Follower, JournalReader } from './journal-reader.js';

type RowGap = NonNullable<Result<'journal.read'>['gap']>;

/** Events that are handed on in one step: a batch that is one write for a client that keeps up. */
const BATCH = 256;
/** While workspace-service is away. */
const RETRY_MS = 1000;

/** A gap in what a reader gets, in the words of the wire. */
export interface Gap {
  readonly reason: RowGap['reason'];
  readonly from: string;
  readonly to: string;
  readonly count: number | null;
}

/** Who gets the events of a feed. */
export interface FeedTarget {
  /** Whether it takes more now. When that changes, it calls {@link JournalFeed.grown}. */
  readonly hasRoom: boolean;
  take(events: readonly RingEvent[]): void;
  gap(gap: Gap): void;
}

export interface FeedStart {
  readonly journal: string;
  /** Events after it are handed on. */
  readonly after: number;
  /** The newest there was when this was asked. */
  readonly last: number;
}

/**
 * Hands on the journal from one place, each event once and in order, as fast as its target takes them. It holds nothing:
 * what the target has no room for stays in the journal, and what has left the journal by then is told as a gap.
 */
export class JournalFeed implements Follower {
  readonly #reader: JournalReader;
  readonly #target: FeedTarget;
  readonly #leave: () => void;
  #journal: string;
  #after: number;
  #fetching = false;
  #closed = false;

  constructor(reader: JournalReader, target: FeedTarget, start: FeedStart) {
    this.#reader = reader;
    this.#target = target;
    this.#journal = start.journal;
    this.#after = start.after;
    this.#leave = reader.follow(this, start);
  }

  grown(): void {
    while (!this.#closed && !this.#fetching && this.#target.hasRoom) {
      const events = this.#reader.after(this.#journal, this.#after, BATCH);
      if (events === undefined) {
        void this.#fetch();
        return;
      }
      if (!this.#take(events)) return;
    }
  }

  replaced(journal: string): void {
    if (journal === this.#journal) return;
    this.#tellGap(journal, { reason: 'replaced', to: 0, count: null });
  }

  close(): void {
    this.#closed = true;
    this.#leave();
  }

  /** @returns whether there were any */
  #take(events: readonly RingEvent[]): boolean {
    const newest = events.at(-1)?.event.seq;
    if (newest === undefined) return false;
    this.#after = newest;
    this.#target.take(events);
    return true;
  }

  async #fetch(): Promise<void> {
    this.#fetching = true;
    const page = await this.#reader.fetch(this.#after);
    // Nothing is lost by waiting.
    if (page === undefined) await delay(RETRY_MS, undefined, { ref: false });
    this.#fetching = false;
    if (page !== undefined && !this.#closed) this.#takePage(page);
    this.grown();
  }

  #takePage({ journal, gap, ring }: FetchedPage): void {
    if (journal !== this.#journal) {
      this.replaced(journal);
      return;
    }
    if (gap !== undefined) this.#tellGap(journal, gap);
    this.#take(ring);
  }

  #tellGap(journal: string, { reason, to, count }: RowGap): void {
    const from = encodeCursor({ journal: this.#journal, seq: this.#after });
    this.#journal = journal;
    this.#after = to;
    this.#target.gap({ reason, from, to: encodeCursor({ journal, seq: to }), count });
  }
}
