import { createHash } from 'node:crypto';
import type { Database } from '@switchyard/store/sqlite';
import { type Anchor, type Comment, excerptOf, firstPlace, type Place } from '../domain/review/comment.js';

/** A message with comments that was or may have been given to the prompt path. */
export interface Sending {
  readonly surfaceId: string;
  /** Its client_message_id: under it it is typed at most once. */
  readonly id: string;
  /** The surface that it goes to. */
  readonly targetId: string;
  readonly text: string;
  readonly commentCount: number;
}

interface CommentRow extends Omit<Comment, 'is_stale' | 'is_changed'> {
  readonly is_stale: number;
  readonly is_changed: number;
}

interface AnchorRow {
  readonly path: string;
  readonly start: number;
  readonly end: number;
  readonly text: string | null;
}

export interface NewComment {
  readonly id: string;
  readonly text: string;
  /** Unix seconds. */
  readonly created_at: number;
}

const SENDINGS =
  'SELECT surface_id AS surfaceId, id, target_id AS targetId, text, comment_count AS commentCount FROM sendings';

/** Comments, what they were written on, and the messages that they are sent with. */
export class CommentTable {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  add(surfaceId: string, { id, text, created_at }: NewComment, anchor: Anchor): void {
    const place = firstPlace(anchor);
    this.#db
      .prepare(
        `INSERT INTO comments (id, surface_id, file_path, start_line, end_line, text, created_at, is_stale, is_changed,
          excerpt, anchor_path, anchor_start, anchor_end, anchor_hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      )
      .run(
        id,
        surfaceId,
        place.file_path,
        place.start_line,
        place.end_line,
        text,
        created_at,
        Number(place.is_stale),
        Number(place.is_changed),
        excerptOf(anchor),
        anchor.path,
        anchor.range.start,
        anchor.range.end,
        this.#keptText(anchor),
      );
  }

  /** By file, then by line. */
  of(surfaceId: string): Comment[] {
    const sql = `SELECT id, file_path, start_line, end_line, text, created_at, is_stale, is_changed, excerpt
      FROM comments WHERE surface_id = ? ORDER BY file_path, start_line, end_line, created_at, rowid`;
    const rows = this.#db.prepare(sql).all(surfaceId) as unknown as CommentRow[];
    return rows.map((row) => ({ ...row, is_stale: row.is_stale !== 0, is_changed: row.is_changed !== 0 }));
  }

  anchorOf(id: string): Anchor {
    const sql = `SELECT anchor_path AS path, anchor_start AS start, anchor_end AS "end", texts.text AS text
      FROM comments LEFT JOIN texts ON texts.hash = anchor_hash WHERE id = ?`;
    const { path, start, end, text } = this.#db.prepare(sql).get(id) as unknown as AnchorRow;
    return { path, range: { start, end }, lines: text === null ? null : text.split('\n') };
  }

  move(id: string, place: Place): void {
    this.#db
      .prepare(
        'UPDATE comments SET file_path = ?, start_line = ?, end_line = ?, is_stale = ?, is_changed = ? WHERE id = ?',
      )
      .run(place.file_path, place.start_line, place.end_line, Number(place.is_stale), Number(place.is_changed), id);
  }

  /** @returns whether the review had it */
  remove(surfaceId: string, id: string): boolean {
    const { changes } = this.#db.prepare('DELETE FROM comments WHERE surface_id = ? AND id = ?').run(surfaceId, id);
    this.#dropTexts();
    return changes > 0;
  }

  /** Gives what one review has to another. @returns how many comments that are */
  handOver(from: string, to: string): number {
    const moved = this.#db.prepare('UPDATE comments SET surface_id = ? WHERE surface_id = ?').run(to, from);
    this.#db.prepare('UPDATE sendings SET surface_id = ? WHERE surface_id = ?').run(to, from);
    return Number(moved.changes);
  }

  /** The message of a review that is not known to have arrived, or not to have. */
  sendingOf(surfaceId: string): Sending | undefined {
    return this.#db.prepare(`${SENDINGS} WHERE surface_id = ?`).get(surfaceId) as Sending | undefined;
  }

  sendings(): Sending[] {
    return this.#db.prepare(SENDINGS).all() as unknown as Sending[];
  }

  /** All comments that a review has now are in the message. */
  beginSending(sending: Sending): void {
    this.#db
      .prepare('INSERT INTO sendings (surface_id, id, target_id, text, comment_count) VALUES (?, ?, ?, ?, ?)')
      .run(sending.surfaceId, sending.id, sending.targetId, sending.text, sending.commentCount);
    this.#db.prepare('UPDATE comments SET sending = ? WHERE surface_id = ?').run(sending.id, sending.surfaceId);
  }

  /** The message has arrived: its comments go. */
  endSending({ surfaceId, id }: Sending): void {
    this.#db.prepare('DELETE FROM comments WHERE surface_id = ? AND sending = ?').run(surfaceId, id);
    this.#db.prepare('DELETE FROM sendings WHERE surface_id = ?').run(surfaceId);
    this.#dropTexts();
  }

  /** The message has not arrived, or is given up: its comments are as they were. */
  cancelSending({ surfaceId }: Sending): void {
    this.#db.prepare('UPDATE comments SET sending = NULL WHERE surface_id = ?').run(surfaceId);
    this.#db.prepare('DELETE FROM sendings WHERE surface_id = ?').run(surfaceId);
  }

  /** Texts are kept once, however many comments are on them. */
  #keptText({ lines }: Anchor): string | null {
    if (lines === null) return null;
    const text = lines.join('\n');
    const hash = createHash('sha256').update(text).digest('base64');
    this.#db.prepare('INSERT OR IGNORE INTO texts (hash, text) VALUES (?, ?)').run(hash, text);
    return hash;
  }

  #dropTexts(): void {
    this.#db
      .prepare(`DELETE FROM texts WHERE NOT EXISTS (SELECT 1 FROM comments WHERE comments.anchor_hash = texts.hash)`)
      .run();
  }
}
