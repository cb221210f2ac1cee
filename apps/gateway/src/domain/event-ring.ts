import { encodeCursor, type JournalEvent } from '@switchyard/protocol';

/** An event of the journal with what every subscriber gets of it, written once for all of them. */
export interface RingEvent {
  readonly event: JournalEvent;
  /** `"cursor":…,"at":…,"workspace_id":…,"surface_id":…` */
  readonly head: string;
  /** Its data as JSON. */
  readonly data: string;
}

/** Enough for a client that stumbles; who is further behind reads from the journal itself. */
const MAX_EVENTS = 4096;
const MAX_CHARS = 4 * 1024 * 1024;

/** The newest events of the journal, in order and without a gap. */
export class EventRing {
  readonly journal: string;
  #events: RingEvent[] = [];
  /** Events at the beginning of the list that are no longer held: removed in one go, since each removal moves the rest. */
  #stale = 0;
  #chars = 0;
  #last: number;

  /** @param last number of the event after which it begins */
  constructor(journal: string, last: number) {
    this.journal = journal;
    this.#last = last;
  }

  /** Number of the newest event. */
  get last(): number {
    return this.#last;
  }

  /** Adds what follows the newest; what it has already is left out. @returns false: something between is missing */
  add(events: readonly JournalEvent[]): boolean {
    for (const event of events) {
      if (event.seq <= this.#last) continue;
      if (event.seq !== this.#last + 1) return false;
      this.#push(ringEvent(this.journal, event));
    }
    return true;
  }

  /** Events after a number, at most `limit`; undefined: it does not go back so far. */
  after(seq: number, limit: number): readonly RingEvent[] | undefined {
    const held = this.#events.length - this.#stale;
    const first = this.#last - held + 1;
    if (seq < first - 1) return undefined;
    const start = this.#stale + Math.max(0, seq + 1 - first);
    return this.#events.slice(start, start + limit);
  }

  #push(event: RingEvent): void {
    this.#events.push(event);
    this.#last = event.event.seq;
    this.#chars += sizeOf(event);
    while (this.#events.length - this.#stale > MAX_EVENTS || this.#chars > MAX_CHARS) {
      const oldest = this.#events[this.#stale++];
      if (oldest === undefined) break;
      this.#chars -= sizeOf(oldest);
    }
    if (this.#stale < MAX_EVENTS) return;
    this.#events = this.#events.slice(this.#stale);
    this.#stale = 0;
  }
}

const sizeOf = ({ head, data }: RingEvent): number => head.length + data.length;

export function ringEvent(journal: string, event: JournalEvent): RingEvent {
  const { seq, at, workspace_id, surface_id } = event;
  const head = JSON.stringify({ cursor: encodeCursor({ journal, seq }), at, workspace_id, surface_id }).slice(1, -1);
  return { event, head, data: JSON.stringify(event.data) };
}
