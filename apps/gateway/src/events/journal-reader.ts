import type { Bus } from '@switchyard/bus';
import { type BusEvent, type JournalEvent, type Result, SwitchyardError } from '@switchyard/protocol';
import type { Log } from '@switchyard/service';
import { EventRing, type RingEvent, ringEvent } from '../domain/event-ring.js';

export type JournalPage = Result<'journal.read'>;

export interface FetchedPage extends JournalPage {
  /** Its events, as those at hand are. */
  readonly ring: readonly RingEvent[];
}

/** Somebody who is told whenever the journal has grown. */
export interface Follower {
  /** There may be events after those it has seen. */
  grown(): void;
  /** The journal was lost; another one has begun. */
  replaced(journal: string): void;
}

/** A page of the journal; a read costs a round trip, so it is worth some. */
const PAGE = 500;
/** While workspace-service is away it is asked again this often, besides whenever it says that it is back. */
const RETRY_MS = 1000;

/**
 * Follows the journal for all subscriptions of this gateway together, and only while there are any: from the marks on the
 * bus, which carry the events, and by asking for those that a lost mark had.
 */
export class JournalReader {
  readonly #bus: Pick<Bus, 'call' | 'subscribe' | 'onReconnect'>;
  readonly #log: Log;
  readonly #followers = new Set<Follower>();
  readonly #ends: (() => void)[];
  #ring: EventRing | undefined;
  /** The newest mark: events up to it exist. */
  #told: { readonly journal: string; readonly last: number } | undefined;
  #catchingUp = false;
  #retry: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(bus: Pick<Bus, 'call' | 'subscribe' | 'onReconnect'>, log: Log) {
    this.#bus = bus;
    this.#log = log;
    this.#ends = [
      bus.subscribe('journal.appended', (mark) => this.#marked(mark)),
      bus.subscribe('service.ready', ({ service }) => service === 'workspace-service' && this.#catchUp()),
      bus.onReconnect(() => this.#catchUp()),
    ];
  }

  /** @param at the newest event at a moment just past. @returns ends it */
  follow(follower: Follower, at: { readonly journal: string; readonly last: number }): () => void {
    this.#followers.add(follower);
    if (this.#ring === undefined) {
      this.#ring = new EventRing(at.journal, at.last);
      // A mark that came since is not in the ring.
      if (this.#told !== undefined && isPast(this.#told, this.#ring)) this.#catchUp();
    } else if (this.#ring.journal !== at.journal || this.#ring.last < at.last) {
      this.#catchUp();
    }
    return () => {
      this.#followers.delete(follower);
      if (this.#followers.size === 0) this.#ring = undefined;
    };
  }

  /** Events after a number, at most `limit`, that are at hand; undefined: they have to be fetched with {@link fetch}. */
  after(journal: string, seq: number, limit: number): readonly RingEvent[] | undefined {
    return this.#ring?.journal === journal ? this.#ring.after(seq, limit) : undefined;
  }

  /** A page from the journal itself, for who is too far behind. @returns undefined: not now */
  async fetch(after: number): Promise<FetchedPage | undefined> {
    try {
      const page = await this.#bus.call('journal.read', { after, limit: PAGE });
      return { ...page, ring: page.events.map((event) => ringEvent(page.journal, event)) };
    } catch (error) {
      this.#log.info({ err: error, after }, 'a page of the journal cannot be read now');
      return undefined;
    }
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#retry);
    for (const end of this.#ends) end();
  }

  #marked({ journal, last, events }: BusEvent<'journal.appended'>): void {
    this.#told = { journal, last };
    const ring = this.#ring;
    if (ring === undefined) return;
    if (ring.journal !== journal || !this.#add(ring, events ?? []) || ring.last < last) this.#catchUp();
  }

  #add(ring: EventRing, events: readonly JournalEvent[]): boolean {
    const before = ring.last;
    const isWhole = ring.add(events);
    if (ring.last > before) for (const follower of [...this.#followers]) follower.grown();
    return isWhole;
  }

  #catchUp(): void {
    if (this.#catchingUp || this.#stopped || this.#ring === undefined) return;
    this.#catchingUp = true;
    clearTimeout(this.#retry);
    this.#readOn()
      .catch((error: unknown) => {
        this.#log.info({ err: error }, 'the journal cannot be read; trying again');
        if (!this.#stopped) this.#retry = setTimeout(() => this.#catchUp(), RETRY_MS);
      })
      .finally(() => {
        this.#catchingUp = false;
      });
  }

  async #readOn(): Promise<void> {
    for (let ring = this.#ring; ring !== undefined && !this.#stopped; ring = this.#ring) {
      const page = await this.#bus.call('journal.read', { after: ring.last, limit: PAGE });
      if (this.#ring !== ring) continue;
      if (page.journal !== ring.journal || page.gap !== undefined) this.#beginAnew(page);
      else this.#add(ring, page.events);
      if (this.#hasAllUpTo(page.last)) return;
    }
  }

  #hasAllUpTo(last: number): boolean {
    const ring = this.#ring;
    if (ring === undefined) return true;
    const told = this.#told?.journal === ring.journal ? this.#told.last : 0;
    return ring.last >= Math.max(last, told);
  }

  /** What followed is not there any more: those who follow find out themselves what they have missed. */
  #beginAnew({ journal, gap, events }: JournalPage): void {
    const before = this.#ring?.journal;
    const first = events[0]?.seq;
    this.#ring = new EventRing(journal, first === undefined ? (gap?.to ?? 0) : first - 1);
    this.#ring.add(events);
    for (const follower of [...this.#followers]) {
      if (before !== journal) follower.replaced(journal);
      follower.grown();
    }
  }
}

function isPast(told: { readonly journal: string; readonly last: number }, ring: EventRing): boolean {
  return told.journal !== ring.journal || told.last > ring.last;
}

/** Whether an error says that the one who should answer is away, so that asking again makes sense. */
export function isAway(error: unknown): boolean {
  return error instanceof SwitchyardError && AWAY.has(error.code);
}

const AWAY: ReadonlySet<string> = new Set(['service_unavailable', 'timeout', 'connection_closed', 'overloaded']);
