import { decodeCursor, fail, type JournalEvent, type Result } from '@switchyard/protocol';
import type { Answers, FakeBus } from '@switchyard/testing';

type Opened = Result<'journal.open'>;

export const WORKSPACE = 'B0000000-0000-4000-8000-000000000001';
export const SURFACE = 'D0000000-0000-4000-8000-000000000001';
const ADDRESS = 'local-0';

/** Stands for workspace-service: a journal that keeps as many events as it is told to. */
export class FakeJournal {
  id = 'aaaa';
  /** How many of the newest events are kept. */
  keeps = Number.POSITIVE_INFINITY;
  /** Pages that were asked for. */
  reads = 0;
  /** Whether marks carry the events. */
  marksCarry = true;
  agents: Opened['agents'] = [];
  bus: FakeBus | undefined;
  #events: JournalEvent[] = [];

  readonly answers: Answers = {
    'journal.open': ({ surfaces = [], workspaces = [], cursor }) => {
      for (const surface of surfaces) if (surface !== SURFACE) fail('not_found', 'There is no such surface', {});
      const from = cursor === undefined ? this.last : decodeCursor(cursor)?.seq;
      const after = from ?? fail('invalid_params', 'Missing or invalid cursor', { path: 'cursor' });
      const place = { surface_id: SURFACE, surface_ref: 'surface:1', workspace_id: WORKSPACE, address: ADDRESS };
      const { journal, last, agents } = { journal: this.id, last: this.last, agents: this.agents };
      const gap = this.#gap(after);
      const found = { surfaces: surfaces.map(() => place), workspaces, agents };
      return { journal, last, ...found, after: gap?.to ?? after, ...(gap && { gap }) };
    },
    'journal.read': ({ after, limit }) => {
      this.reads++;
      const gap = this.#gap(after);
      const from = gap?.to ?? after;
      const events = this.#events.filter(({ seq }) => seq > from).slice(0, limit);
      return { journal: this.id, events, last: this.last, ...(gap && { gap }) };
    },
  };

  get last(): number {
    return this.#last;
  }
  #last = 0;

  /** A workspace is renamed to each of the titles, in one turn. */
  rename(...titles: string[]): void {
    this.append(
      ...titles.map((title) => ({
        kind: 'workspace.renamed' as const,
        workspace_id: WORKSPACE,
        surface_id: null,
        data: { title, custom_title: title },
      })),
    );
  }

  append(
    ...notes: (JournalEvent extends infer E ? (E extends unknown ? Omit<E, 'seq' | 'at'> : never) : never)[]
  ): void {
    const first = this.last + 1;
    const events = notes.map((note, i) => ({ ...note, seq: first + i, at: Date.now() }) as JournalEvent);
    this.#last += events.length;
    this.#events = [...this.#events, ...events].slice(-Math.min(this.keeps, 1e9));
    this.mark(first, this.marksCarry ? events : undefined);
  }

  mark(first = this.last + 1, events?: JournalEvent[]): void {
    this.bus?.emit('journal.appended', { journal: this.id, first, last: this.last, ...(events && { events }) });
  }

  /** Something is written whose mark is lost. */
  silently(fn: () => void): void {
    const { bus } = this;
    this.bus = undefined;
    fn();
    this.bus = bus;
  }

  /** The database is lost. */
  replace(): void {
    this.id = 'bbbb';
    this.#last = 0;
    this.#events = [];
  }

  #gap(after: number) {
    if (after > this.last) return { reason: 'rewound' as const, to: this.last, count: null };
    const first = this.#events[0]?.seq ?? this.last + 1;
    return after < first - 1 ? { reason: 'expired' as const, to: first - 1, count: first - 1 - after } : undefined;
  }
}
