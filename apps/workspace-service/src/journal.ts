import type { Bus } from '@switchyard/bus';
import type { JournalEvent, JournalNote, Result } from '@switchyard/protocol';
import type { Log } from '@switchyard/service';
import { expiredTo, HISTORY, type HistoryLimits } from './domain/history.js';
import type { Extent, JournalStore, StagedEvent } from './store/journal-store.js';

/** A mark carries its events itself up to here, which spares its readers the question; a tenth of a bus message. */
const MARK_BYTES = 64 * 1024;
const MARK_EVENTS = 256;
/** A page is one reply of the bus, and one row may be larger than this. */
const PAGE_BYTES = 512 * 1024;
/** How many events come between two looks at what has expired, and how many may go at one look. */
const TRIM_EVERY = 256;
const TRIM_AT_ONCE = 1024;

export type JournalGap = NonNullable<Result<'journal.read'>['gap']>;

export interface JournalParts {
  readonly store: JournalStore;
  readonly bus: Pick<Bus, 'publish' | 'onReconnect'>;
  readonly now: () => number;
  readonly log: Log;
  readonly limits?: HistoryLimits;
}

/** A note with the name that makes a repeat of it harmless. */
export interface KeyedNote {
  readonly key: string;
  readonly note: JournalNote;
}

/**
 * What happened, in order, numbered from 1 without a gap. Events of a change are written in the transaction of the
 * change: {@link stage} numbers them, {@link write} is part of the transaction, {@link accept} follows it.
 *
 * Readers are told by one mark on the bus for all that happened in one turn of the event loop. A mark may be lost; the
 * next one tells by its numbers that it was.
 */
export class Journal {
  readonly id: string;
  readonly #parts: JournalParts;
  readonly #limits: HistoryLimits;
  readonly #listeners = new Set<(events: readonly JournalEvent[]) => void>();
  readonly #forgetReconnect: () => void;
  #extent: Extent;
  #untold: StagedEvent[] = [];
  #telling: NodeJS.Immediate | undefined;
  #trimmedAt: number;

  constructor(parts: JournalParts) {
    this.#parts = parts;
    this.#limits = parts.limits ?? HISTORY;
    this.id = parts.store.id;
    this.#extent = parts.store.extent();
    this.#trimmedAt = this.#extent.last;
    // Marks may have been lost with the connection, and nothing might ever follow them.
    this.#forgetReconnect = parts.bus.onReconnect(() => this.#publish([]));
  }

  /** Number of the newest event; 0: there is none. */
  get last(): number {
    return this.#extent.last;
  }

  /** Number of the oldest event that is kept; one above {@link last} when there is none. */
  get first(): number {
    return this.#extent.first;
  }

  /** Of the data of all events that are kept, about. */
  get bytes(): number {
    return this.#extent.bytes;
  }

  /** Gives notes their numbers, which hold once they are written and accepted. */
  stage(notes: readonly JournalNote[], keys: readonly string[] = []): StagedEvent[] {
    const at = this.#parts.now();
    return notes.map((note, i) => {
      const event = { ...note, seq: this.last + 1 + i, at };
      return { event, text: JSON.stringify(note.data), key: keys[i] ?? null };
    });
  }

  /** Part of a transaction. */
  write(staged: readonly StagedEvent[]): void {
    this.#parts.store.insert(staged);
  }

  /** After that transaction: the events are in the journal. */
  accept(staged: readonly StagedEvent[]): void {
    const newest = staged.at(-1)?.event;
    if (newest === undefined) return;
    const { first, bytes } = this.#extent;
    this.#extent = { first, last: newest.seq, bytes: bytes + sizeOf(staged) };
    this.#untold.push(...staged);
    this.#telling ??= setImmediate(() => this.#tell());
    const events = staged.map(({ event }) => event);
    for (const listener of [...this.#listeners]) this.#hear(listener, events);
  }

  /** Writes what another service tells. @returns how many were new */
  append(notes: readonly KeyedNote[]): number {
    const { store } = this.#parts;
    const seen = new Set<string>();
    const fresh = notes.filter(({ key }) => {
      const isNew = !seen.has(key) && !store.hasKey(key);
      seen.add(key);
      return isNew;
    });
    if (fresh.length === 0) return 0;
    const staged = this.stage(
      fresh.map(({ note }) => note),
      fresh.map(({ key }) => key),
    );
    store.tx(() => this.write(staged));
    this.accept(staged);
    return staged.length;
  }

  /** The events after a number, at most `limit`, fewer when they are large; at least one if there is one. */
  page(after: number, limit: number): JournalEvent[] {
    return this.#parts.store.page(after, limit, PAGE_BYTES);
  }

  /** Number of the newest event from before a time, Unix milliseconds. */
  lastBefore(at: number): number {
    return Math.max(this.#parts.store.lastBefore(at), this.first - 1);
  }

  /** What a reader that wants the events after `after` cannot get any more. */
  gapAfter(after: number): JournalGap | undefined {
    if (after > this.last) return { reason: 'rewound', to: this.last, count: null };
    const missing = this.first - 1 - after;
    return missing > 0 ? { reason: 'expired', to: this.first - 1, count: missing } : undefined;
  }

  /** `fn` hears of every event once it is in the journal. @returns ends it */
  listen(fn: (events: readonly JournalEvent[]) => void): () => void {
    this.#listeners.add(fn);
    return () => this.#listeners.delete(fn);
  }

  stop(): void {
    this.#forgetReconnect();
    clearImmediate(this.#telling);
    this.#tell();
  }

  /** The change is made: whatever a listener does, it stays. */
  #hear(listener: (events: readonly JournalEvent[]) => void, events: readonly JournalEvent[]): void {
    try {
      listener(events);
    } catch (error) {
      this.#parts.log.error({ err: error }, 'a listener of the journal failed');
    }
  }

  #tell(): void {
    this.#telling = undefined;
    const staged = this.#untold;
    this.#untold = [];
    if (staged.length > 0) this.#publish(staged);
    if (this.last - this.#trimmedAt < TRIM_EVERY && this.#extent.bytes <= this.#limits.bytes) return;
    try {
      this.#trim();
    } catch (error) {
      // As on a full disk: the next events try again.
      this.#parts.log.error({ err: error }, 'old events could not be removed');
    }
  }

  #publish(staged: readonly StagedEvent[]): void {
    const mark = { journal: this.id, first: staged[0]?.event.seq ?? this.last + 1, last: this.last };
    const isSmall = staged.length <= MARK_EVENTS && sizeOf(staged) <= MARK_BYTES;
    const events = isSmall ? { events: staged.map(({ event }) => event) } : {};
    this.#parts.bus.publish('journal.appended', { ...mark, ...events });
  }

  #trim(): void {
    const { store, now } = this.#parts;
    this.#trimmedAt = this.last;
    const oldest = store.oldest(TRIM_AT_ONCE);
    const upTo = expiredTo(this.#limits, this.#extent, oldest, now());
    if (upTo === 0) return;
    store.removeTo(upTo);
    const gone = oldest.filter(({ seq }) => seq <= upTo).reduce((sum, { bytes }) => sum + bytes, 0);
    this.#extent = { ...this.#extent, first: upTo + 1, bytes: this.#extent.bytes - gone };
  }
}

const sizeOf = (staged: readonly StagedEvent[]): number => staged.reduce((sum, { text }) => sum + text.length, 0);
