import type { Database } from '@switchyard/store/sqlite';
import { type Changes, diffableCount } from '../domain/review/changes.js';
import type { ReviewFile } from '../domain/review/file-text.js';

/** A review and the generation that it shows. */
export interface Review {
  readonly surfaceId: string;
  readonly sourceId: string;
  /** Top of the worktree. */
  readonly directory: string;
  readonly mode: 'uncommitted' | 'branch';
  readonly baseAsked: string | null;
  readonly baseBranch: string;
  readonly baseCommit: string | null;
  readonly generation: number;
  /** Unix milliseconds. */
  readonly generatedAt: number;
  readonly fileCount: number;
  readonly diffableFileCount: number;
  /** Unix milliseconds; null: it is open. */
  readonly closedAt: number | null;
}

const COLUMNS = `surface_id AS surfaceId, source_id AS sourceId, directory, mode, base_asked AS baseAsked,
  base_branch AS baseBranch, base_commit AS baseCommit, generation, generated_at AS generatedAt,
  file_count AS fileCount, diffable_file_count AS diffableFileCount, closed_at AS closedAt`;

/** Reviews with the files that they show. */
export class ReviewTable {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  find(surfaceId: string): Review | undefined {
    return this.#db.prepare(`SELECT ${COLUMNS} FROM reviews WHERE surface_id = ?`).get(surfaceId) as Review | undefined;
  }

  open(): Review[] {
    return this.#db.prepare(`SELECT ${COLUMNS} FROM reviews WHERE closed_at IS NULL`).all() as unknown as Review[];
  }

  /** Those that are about a surface. */
  openOf(sourceId: string): Review[] {
    const sql = `SELECT ${COLUMNS} FROM reviews WHERE closed_at IS NULL AND source_id = ?`;
    return this.#db.prepare(sql).all(sourceId) as unknown as Review[];
  }

  /** The closed review of a worktree that has comments left: of the same surface if there is one, then the last. */
  closedOf({ sourceId, directory }: Pick<Review, 'sourceId' | 'directory'>): Review | undefined {
    const sql = `SELECT ${COLUMNS} FROM reviews WHERE closed_at IS NOT NULL AND directory = ?
      AND EXISTS (SELECT 1 FROM comments WHERE comments.surface_id = reviews.surface_id)
      ORDER BY source_id = ? DESC, closed_at DESC LIMIT 1`;
    return this.#db.prepare(sql).get(directory, sourceId) as Review | undefined;
  }

  /** Puts a review, new or refreshed, with what it shows. */
  put(review: Omit<Review, 'fileCount' | 'diffableFileCount'>, { files }: Pick<Changes, 'files'>): void {
    this.#db
      .prepare(
        `INSERT INTO reviews (surface_id, source_id, directory, mode, base_asked, base_branch, base_commit, generation,
          generated_at, file_count, diffable_file_count, closed_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT DO UPDATE SET base_branch = excluded.base_branch, base_commit = excluded.base_commit,
          generation = excluded.generation, generated_at = excluded.generated_at, file_count = excluded.file_count,
          diffable_file_count = excluded.diffable_file_count, closed_at = excluded.closed_at`,
      )
      .run(
        review.surfaceId,
        review.sourceId,
        review.directory,
        review.mode,
        review.baseAsked,
        review.baseBranch,
        review.baseCommit,
        review.generation,
        review.generatedAt,
        files.length,
        diffableCount(files),
        review.closedAt,
      );
    this.#db.prepare('DELETE FROM review_files WHERE surface_id = ?').run(review.surfaceId);
    const insert = this.#db.prepare(
      'INSERT INTO review_files (surface_id, position, path, renamed_from, json) VALUES (?, ?, ?, ?, ?)',
    );
    for (const [position, file] of files.entries()) {
      const renamedFrom = file.status === 'renamed' ? file.old_path : null;
      insert.run(review.surfaceId, position, file.path, renamedFrom, JSON.stringify(file));
    }
  }

  /** Nothing has changed since the generation was made. */
  confirm(surfaceId: string, at: number): void {
    this.#db.prepare('UPDATE reviews SET generated_at = ? WHERE surface_id = ?').run(at, surfaceId);
  }

  /** The surface is gone, or there again. */
  setClosed(surfaceId: string, at: number | null): void {
    this.#db.prepare('UPDATE reviews SET closed_at = ? WHERE surface_id = ?').run(at, surfaceId);
  }

  /** With all that belongs to it. */
  remove(surfaceId: string): void {
    this.#db.prepare('DELETE FROM reviews WHERE surface_id = ?').run(surfaceId);
  }

  /**
   * Forgets closed reviews: those without comments, those closed before a time, and the oldest beyond a number.
   *
   * @param before Unix milliseconds
   */
  forgetClosed(before: number, kept: number): void {
    this.#db
      .prepare(
        `DELETE FROM reviews WHERE closed_at IS NOT NULL AND (closed_at < ?
          OR NOT EXISTS (SELECT 1 FROM comments WHERE comments.surface_id = reviews.surface_id))`,
      )
      .run(before);
    this.#db
      .prepare(
        `DELETE FROM reviews WHERE surface_id IN
          (SELECT surface_id FROM reviews WHERE closed_at IS NOT NULL ORDER BY closed_at DESC LIMIT -1 OFFSET ?)`,
      )
      .run(kept);
  }

  /** The files of a review from a position on, as JSON texts, by path. */
  *filesFrom(surfaceId: string, position: number, limit: number): Generator<string> {
    const sql = 'SELECT json FROM review_files WHERE surface_id = ? AND position >= ? ORDER BY position LIMIT ?';
    const rows = this.#db.prepare(sql).all(surfaceId, position, limit) as unknown as { json: string }[];
    for (const { json } of rows) yield json;
  }

  /** What a review shows of the file that has a path, or had it before it was renamed. */
  file(surfaceId: string, path: string): ReviewFile | undefined {
    return this.#fileWhere('path = ?', surfaceId, path) ?? this.#fileWhere('renamed_from = ?', surfaceId, path);
  }

  #fileWhere(condition: 'path = ?' | 'renamed_from = ?', surfaceId: string, path: string): ReviewFile | undefined {
    const sql = `SELECT json FROM review_files WHERE surface_id = ? AND ${condition} ORDER BY position LIMIT 1`;
    const row = this.#db.prepare(sql).get(surfaceId, path) as unknown as { json: string } | undefined;
    return row && (JSON.parse(row.json) as ReviewFile);
  }
}
