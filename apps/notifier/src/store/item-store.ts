import type { Database } from '@switchyard/store/sqlite';
import type { Row } from '../domain/words.js';

/** A person looks at a handful; the oldest of more than this has been overtaken by events. */
export const MOST_LIVE = 1000;

export interface ItemFilter {
  readonly workspaceId?: string | undefined;
  readonly surfaceId?: string | undefined;
  readonly ids?: readonly string[] | undefined;
  /** Created before, Unix milliseconds. */
  readonly before?: number | undefined;
  readonly isRead?: boolean | undefined;
}

export interface StoredItem extends Row {
  readonly seq: number;
}

type Raw = Omit<StoredItem, 'is_read' | 'action'> & { readonly is_read: number; readonly action: string };

/** The live notifications: at most one for each surface. Every change is on disk when its transaction is. */
export class ItemStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Takes the place of the one that the surface had. @returns ids of those that went for it */
  put(item: Row): { readonly replaced: string | null; readonly overtaken: readonly string[] } {
    const replaced = item.surface_id === null ? undefined : this.of(item.surface_id);
    if (replaced !== undefined) this.#remove([replaced.id]);
    this.#run(
      `INSERT INTO items (id, workspace_id, surface_id, title, subtitle, body, is_read, reason, agent, workspace,
        excerpt, action, suppressed, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ...[item.id, item.workspace_id, item.surface_id, item.title, item.subtitle, item.body, item.is_read ? 1 : 0],
      ...[item.reason, item.agent, item.workspace, item.excerpt, JSON.stringify(item.action), item.suppressed],
      item.created_at,
    );
    const overtaken = this.#all('SELECT * FROM items ORDER BY seq DESC LIMIT -1 OFFSET ?', MOST_LIVE).map(
      ({ id }) => id,
    );
    this.#remove(overtaken);
    return { replaced: replaced?.id ?? null, overtaken };
  }

  /** The one of a surface. */
  of(surfaceId: string): StoredItem | undefined {
    return this.#all('SELECT * FROM items WHERE surface_id = ?', surfaceId)[0];
  }

  /** Whether it is there and nobody has read it. */
  isUnread(id: string): boolean {
    return this.#all('SELECT * FROM items WHERE id = ? AND is_read = 0', id).length > 0;
  }

  /** Newest first. @param older only rows older than this one */
  page(filter: ItemFilter, older: number | undefined, limit: number): StoredItem[] {
    return this.#all(
      `SELECT * FROM items WHERE seq < ? AND workspace_id = coalesce(?, workspace_id) AND is_read = coalesce(?, is_read)
        ORDER BY seq DESC LIMIT ?`,
      older ?? Number.MAX_SAFE_INTEGER,
      filter.workspaceId ?? null,
      filter.isRead === undefined ? null : Number(filter.isRead),
      limit,
    );
  }

  /** All that a filter lets through. */
  matching({ workspaceId, surfaceId, ids, before, isRead }: ItemFilter): StoredItem[] {
    const named = ids && new Set(ids.map((id) => id.toUpperCase()));
    return this.#all('SELECT * FROM items ORDER BY seq').filter(
      (item) =>
        (workspaceId === undefined || item.workspace_id === workspaceId) &&
        (surfaceId === undefined || item.surface_id === surfaceId) &&
        (before === undefined || item.created_at < before) &&
        (isRead === undefined || item.is_read === isRead) &&
        (named === undefined || named.has(item.id)),
    );
  }

  mark(ids: readonly string[], isRead: boolean): void {
    for (const id of ids) this.#run('UPDATE items SET is_read = ? WHERE id = ?', isRead ? 1 : 0, id);
  }

  remove(ids: readonly string[]): void {
    this.#remove(ids);
  }

  /** A surface is in another workspace. */
  move(surfaceId: string, workspaceId: string): void {
    this.#run('UPDATE items SET workspace_id = ? WHERE surface_id = ?', workspaceId, surfaceId);
  }

  #remove(ids: readonly string[]): void {
    for (const id of ids) this.#run('DELETE FROM items WHERE id = ?', id);
  }

  #all(sql: string, ...values: (string | number | null)[]): StoredItem[] {
    const rows = this.#db.prepare(sql).all(...values) as Raw[];
    return rows.map((row) => ({ ...row, is_read: row.is_read !== 0, action: JSON.parse(row.action) }));
  }

  #run(sql: string, ...values: (string | number | null)[]): void {
    this.#db.prepare(sql).run(...values);
  }
}
