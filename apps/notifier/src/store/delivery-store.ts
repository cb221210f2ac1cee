import type { Database } from '@switchyard/store/sqlite';
import type { AdapterName, Delivery } from '../domain/words.js';

/** What is kept of the past: some days of a busy yard. */
const MOST_KEPT = 2000;

/** One that has to be made, with what is to be delivered as JSON. */
export interface DueDelivery extends Delivery {
  readonly message: string;
}

interface StoredDelivery extends Delivery {
  readonly seq: number;
}

export interface DeliveryFilter {
  readonly workspaceId?: string | undefined;
  readonly state?: Delivery['state'] | undefined;
}

const COLUMNS =
  'seq, id, notification_id, workspace_id, surface_id, adapter, state, title, attempts, error, created_at, next_at, finished_at';

/** Every delivery: those that are to be made, and what became of the last ones. */
export class DeliveryStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  add(
    given: Pick<Delivery, 'id' | 'notification_id' | 'workspace_id' | 'surface_id' | 'adapter' | 'title'>,
    message: string,
    at: number,
  ): void {
    this.#run(
      `INSERT INTO deliveries (id, notification_id, workspace_id, surface_id, adapter, state, title, created_at, next_at,
        message) VALUES (?, ?, ?, ?, ?, 'pending', ?, ?, ?, ?)`,
      ...[given.id, given.notification_id, given.workspace_id, given.surface_id, given.adapter, given.title],
      ...[at, at, message],
    );
    this.#run(
      `DELETE FROM deliveries WHERE state <> 'pending' AND seq <= (SELECT max(seq) FROM deliveries) - ?`,
      MOST_KEPT,
    );
  }

  waiting(adapter: AdapterName): number {
    const row = this.#db
      .prepare(`SELECT count(*) AS count FROM deliveries WHERE adapter = ? AND state = 'pending'`)
      .get(adapter) as { count: number };
    return row.count;
  }

  /** The one of an adapter that comes next, whenever that is. */
  next(adapter: AdapterName): DueDelivery | undefined {
    return this.#db
      .prepare(
        `SELECT ${COLUMNS}, message FROM deliveries WHERE adapter = ? AND state = 'pending' ORDER BY next_at, seq LIMIT 1`,
      )
      .get(adapter) as DueDelivery | undefined;
  }

  /** Those whose adapter is not set up any more. */
  orphans(adapters: readonly AdapterName[]): string[] {
    const rows = this.#db.prepare(`SELECT id, adapter FROM deliveries WHERE state = 'pending'`).all() as Delivery[];
    return rows.filter(({ adapter }) => !adapters.includes(adapter)).map(({ id }) => id);
  }

  retry(id: string, attempts: number, error: string, nextAt: number): void {
    this.#run('UPDATE deliveries SET attempts = ?, error = ?, next_at = ? WHERE id = ?', attempts, error, nextAt, id);
  }

  finish(
    id: string,
    state: 'delivered' | 'failed' | 'dropped',
    attempts: number,
    error: string | null,
    at: number,
  ): void {
    this.#run(
      'UPDATE deliveries SET state = ?, attempts = ?, error = ?, next_at = NULL, finished_at = ?, message = NULL WHERE id = ?',
      ...[state, attempts, error, at, id],
    );
  }

  /** Newest first. @param older only rows older than this one */
  page({ workspaceId, state }: DeliveryFilter, older: number | undefined, limit: number): StoredDelivery[] {
    return this.#db
      .prepare(
        `SELECT ${COLUMNS} FROM deliveries WHERE seq < ? AND (? IS NULL OR workspace_id = ?)
          AND state = coalesce(?, state) ORDER BY seq DESC LIMIT ?`,
      )
      .all(
        older ?? Number.MAX_SAFE_INTEGER,
        workspaceId ?? null,
        workspaceId ?? null,
        state ?? null,
        limit,
      ) as StoredDelivery[];
  }

  #run(sql: string, ...values: (string | number | null)[]): void {
    this.#db.prepare(sql).run(...values);
  }
}
