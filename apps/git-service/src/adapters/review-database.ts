import { type Database, openDatabase, type SetAside } from '@switchyard/store/sqlite';
import { CommentTable } from './review-comments.js';
import { REVIEW_MIGRATIONS } from './review-schema.js';
import { ReviewTable } from './reviews-table.js';

/** Enough for a caller to repeat a request of the last minutes. */
const REQUESTS_KEPT = 1024;

/** What is known of reviews, on disk: what a method has changed is there before it answers. */
export class ReviewDatabase {
  readonly reviews: ReviewTable;
  readonly comments: CommentTable;
  readonly #db: Database;

  /** @param path of the SQLite file. @param onSetAside told when an unreadable file was replaced by a new one */
  constructor(path: string, onSetAside: (event: SetAside) => void) {
    this.#db = openDatabase(path, { migrations: REVIEW_MIGRATIONS, onSetAside });
    this.reviews = new ReviewTable(this.#db);
    this.comments = new CommentTable(this.#db);
  }

  /** All that `fn` does is stored, or, when it throws, nothing. Must not be nested. */
  tx<T>(fn: () => T): T {
    return this.#db.tx(fn);
  }

  /** What an earlier run of the request answered; undefined when it did not come so far. */
  answerTo(requestId: string): { readonly method: string; readonly result: unknown } | undefined {
    const row = this.#db.prepare('SELECT method, result FROM requests WHERE request_id = ?').get(requestId);
    if (row === undefined) return undefined;
    const { method, result } = row as unknown as { method: string; result: string };
    return { method, result: JSON.parse(result) };
  }

  /** Part of the transaction that does what was asked. */
  saveAnswer(requestId: string, method: string, result: unknown): void {
    const saved = this.#db
      .prepare('INSERT OR REPLACE INTO requests (request_id, method, result) VALUES (?, ?, ?) RETURNING seq')
      .get(requestId, method, JSON.stringify(result)) as unknown as { seq: number };
    this.#db.prepare('DELETE FROM requests WHERE seq <= ?').run(saved.seq - REQUESTS_KEPT);
  }

  close(): void {
    this.#db.close();
  }
}
