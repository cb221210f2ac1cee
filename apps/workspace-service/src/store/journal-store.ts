import type { JournalEvent, JournalKind } from '@switchyard/protocol';
import type { Database, Migration } from '@switchyard/store/sqlite';

/** The rows have no gaps in their numbers, and the newest is always kept, so that numbers go on after a restart. */
export const JOURNAL_MIGRATION: Migration = `
  CREATE TABLE journal (id TEXT NOT NULL);
  INSERT INTO journal VALUES (lower(hex(randomblob(8))));
  CREATE TABLE events (
    seq INTEGER PRIMARY KEY, at INTEGER NOT NULL, kind TEXT NOT NULL,
    workspace_id TEXT, surface_id TEXT, data TEXT NOT NULL, key TEXT
  );
  CREATE UNIQUE INDEX event_keys ON events (key) WHERE key IS NOT NULL;`;

/** An event on its way into the table. */
export interface StagedEvent {
  readonly event: JournalEvent;
  /** Its data as JSON, written once. */
  readonly text: string;
  /** The key under which another service handed it in. */
  readonly key: string | null;
}

/** What the table holds. */
export interface Extent {
  /** Number of the oldest event; one above `last` when there is none. */
  readonly first: number;
  readonly last: number;
  /** Of all data as JSON, about: characters are counted. */
  readonly bytes: number;
}

interface Row {
  readonly seq: number;
  readonly at: number;
  readonly kind: string;
  readonly workspace_id: string | null;
  readonly surface_id: string | null;
  readonly data: string;
}

const INSERT = `INSERT INTO events (seq, at, kind, workspace_id, surface_id, data, key) VALUES (?, ?, ?, ?, ?, ?, ?)`;
const PAGE = 'SELECT seq, at, kind, workspace_id, surface_id, data FROM events WHERE seq > ? ORDER BY seq LIMIT ?';
const EXTENT = `SELECT coalesce(min(seq), 1) AS first, coalesce(max(seq), 0) AS last, total(length(data)) AS bytes FROM events`;
const OLDEST = 'SELECT seq, at, length(data) AS bytes FROM events ORDER BY seq LIMIT ?';

/** Its kind may be one of a newer version that was here before: then it goes to those who asked for it by name. */
function eventOf({ kind, data, ...row }: Row): JournalEvent {
  return { ...row, kind: kind as JournalKind, data: JSON.parse(data) } as JournalEvent;
}

/** The journal's table. Decides nothing. */
export class JournalStore {
  readonly #db: Database;
  readonly id: string;

  constructor(db: Database) {
    this.#db = db;
    this.id = (db.prepare('SELECT id FROM journal').get() as unknown as { id: string }).id;
  }

  extent(): Extent {
    return this.#db.prepare(EXTENT).get() as unknown as Extent;
  }

  /** Part of a transaction. */
  insert(events: readonly StagedEvent[]): void {
    const insert = this.#db.prepare(INSERT);
    for (const { event, text, key } of events) {
      const { seq, at, kind, workspace_id, surface_id } = event;
      insert.run(seq, at, kind, workspace_id, surface_id, text, key);
    }
  }

  hasKey(key: string): boolean {
    return this.#db.prepare('SELECT 1 FROM events WHERE key = ?').get(key) !== undefined;
  }

  /** The events after a number, oldest first: as many as `limit` and `maxBytes` allow, and at least one. */
  page(after: number, limit: number, maxBytes: number): JournalEvent[] {
    const rows = this.#db.prepare(PAGE).all(after, limit) as unknown as Row[];
    let bytes = 0;
    const tooMany = rows.findIndex(({ data }) => {
      bytes += data.length;
      return bytes > maxBytes;
    });
    return (tooMany < 0 ? rows : rows.slice(0, Math.max(tooMany, 1))).map(eventOf);
  }

  /** Number of the newest event from before a time; 0: there is none. Looks at all: only for what is rare. */
  lastBefore(at: number): number {
    const row = this.#db.prepare('SELECT coalesce(max(seq), 0) AS seq FROM events WHERE at < ?').get(at);
    return (row as unknown as { seq: number }).seq;
  }

  /** Facts of the oldest events. */
  oldest(limit: number): { readonly seq: number; readonly at: number; readonly bytes: number }[] {
    return this.#db.prepare(OLDEST).all(limit) as unknown as { seq: number; at: number; bytes: number }[];
  }

  /** Removes the events up to a number. */
  removeTo(seq: number): void {
    this.#db.prepare('DELETE FROM events WHERE seq <= ?').run(seq);
  }

  tx<T>(fn: () => T): T {
    return this.#db.tx(fn);
  }
}
