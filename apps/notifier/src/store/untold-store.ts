import type { JournalData, JournalKind } from '@switchyard/protocol';
import type { Database } from '@switchyard/store/sqlite';

/** An event that the journal has not got yet. */
export interface Untold {
  readonly seq: number;
  readonly key: string;
  readonly kind: string;
  readonly workspace_id: string | null;
  readonly surface_id: string | null;
  readonly data: object;
}

/** Far more than happens while workspace-service restarts. */
const MOST_WAITING = 4096;

/** Events on their way to the journal, written together with what they tell: none is lost with the process. */
export class UntoldStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** @param key names it for ever */
  add<K extends JournalKind>(
    key: string,
    kind: K,
    place: { readonly workspace_id: string | null; readonly surface_id: string | null },
    data: JournalData<K>,
  ): void {
    this.#db
      .prepare('INSERT INTO untold (key, kind, workspace_id, surface_id, data) VALUES (?, ?, ?, ?, ?)')
      .run(key, kind, place.workspace_id, place.surface_id, JSON.stringify(data));
    this.#db.prepare('DELETE FROM untold WHERE seq <= (SELECT max(seq) FROM untold) - ?').run(MOST_WAITING);
  }

  first(limit: number): Untold[] {
    const rows = this.#db.prepare('SELECT * FROM untold ORDER BY seq LIMIT ?').all(limit) as (Omit<Untold, 'data'> & {
      data: string;
    })[];
    return rows.map((row) => ({ ...row, data: JSON.parse(row.data) as object }));
  }

  /** Everything up to `seq` is in the journal. */
  removeTo(seq: number): void {
    this.#db.prepare('DELETE FROM untold WHERE seq <= ?').run(seq);
  }
}
