import type { Database, Migration } from '@switchyard/store/sqlite';
import type { Model, TableName } from '../domain/model.js';
import type { Table } from '../domain/table.js';
import { JOURNAL_MIGRATION } from './journal-store.js';

/** One row per entity, so that a change costs as many writes as it touches entities. */
const create = (...tables: TableName[]) =>
  tables.map((table) => `CREATE TABLE ${table} (id TEXT PRIMARY KEY, json TEXT NOT NULL) WITHOUT ROWID;`);

export const MIGRATIONS: readonly Migration[] = [
  [
    ...create('yard', 'windows', 'workspaces', 'panes', 'surfaces', 'closed'),
    'CREATE TABLE requests (seq INTEGER PRIMARY KEY, request_id TEXT NOT NULL UNIQUE, method TEXT NOT NULL, result TEXT);',
  ].join('\n'),
  create('agents', 'prompts').join('\n'),
  JOURNAL_MIGRATION,
  create('metadata').join('\n'),
  create('hosts').join('\n'),
];

/** Enough for a caller to repeat a request of the last minutes, few enough to stay in memory. */
const REQUESTS_KEPT = 4096;

/** The outcome of a request that carried a `request_id`; `result` is null while it is not complete. */
export interface StoredRequest {
  readonly requestId: string;
  readonly method: string;
  readonly result: unknown;
}

type Row = { readonly id: string };

/** Keeps a model and the outcomes of repeatable requests in a database. The only writer of both. */
export class ModelStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Fills an empty model with what was stored. */
  load(model: Model): void {
    for (const [name, table] of entriesOf(model)) {
      const rows = this.#db.prepare(`SELECT json FROM ${name}`).all() as unknown as { json: string }[];
      table.load(rows.map((row) => JSON.parse(row.json) as Row));
    }
  }

  /**
   * Writes what changed in the model, the outcome of the request that changed it, and what `also` writes, in one
   * transaction. Nothing to write costs nothing.
   */
  commit(model: Model, request?: StoredRequest, also?: () => void): void {
    const changes = entriesOf(model).map(([name, table]) => ({ name, ...table.changes() }));
    const dirty = changes.filter(({ put, removed }) => put.length + removed.length > 0);
    if (dirty.length === 0 && !request && !also) return;
    this.#db.tx(() => {
      for (const { name, put, removed } of dirty) {
        for (const row of put) this.#db.prepare(putInto(name)).run(row.id, JSON.stringify(row));
        for (const id of removed) this.#db.prepare(`DELETE FROM ${name} WHERE id = ?`).run(id);
      }
      if (request) this.#saveRequest(request);
      also?.();
    });
  }

  /** What an earlier run of the request answered. */
  request(requestId: string): StoredRequest | undefined {
    const row = this.#db.prepare(FIND_REQUEST).get(requestId) as unknown as RequestRow | undefined;
    return row && { requestId, method: row.method, result: row.result === null ? null : JSON.parse(row.result) };
  }

  /** Remembers the outcome of a request that changed nothing in the model, or completes one that did. */
  saveRequest(request: StoredRequest): void {
    this.#db.tx(() => this.#saveRequest(request));
  }

  /** Forgets a request whose change was undone: a repeat tries again. */
  forgetRequest(requestId: string): void {
    this.#db.prepare('DELETE FROM requests WHERE request_id = ?').run(requestId);
  }

  close(): void {
    this.#db.close();
  }

  #saveRequest({ requestId, method, result }: StoredRequest): void {
    const text = result === null ? null : JSON.stringify(result);
    const { seq } = this.#db.prepare(SAVE_REQUEST).get(requestId, method, text) as unknown as { seq: number };
    this.#db.prepare('DELETE FROM requests WHERE seq <= ?').run(seq - REQUESTS_KEPT);
  }
}

interface RequestRow {
  readonly method: string;
  readonly result: string | null;
}

const FIND_REQUEST = 'SELECT method, result FROM requests WHERE request_id = ?';
const SAVE_REQUEST = `INSERT INTO requests (request_id, method, result) VALUES (?, ?, ?)
  ON CONFLICT (request_id) DO UPDATE SET result = excluded.result RETURNING seq`;

const putInto = (table: string): string =>
  `INSERT INTO ${table} (id, json) VALUES (?, ?) ON CONFLICT DO UPDATE SET json = excluded.json`;

function entriesOf(model: Model): [string, Table<Row>][] {
  return Object.entries(model.tables()) as unknown as [string, Table<Row>][];
}
