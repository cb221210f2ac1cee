import { randomUUID } from 'node:crypto';
import { type Database, openDatabase, type SetAside } from '@switchyard/store/sqlite';
import type { Notice } from '../domain/notice.js';

/** A person looks at a handful; the oldest of more than this has been overtaken by events. */
const MOST_LIVE = 1000;

const MIGRATIONS = [
  `CREATE TABLE notifications (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    workspace_id TEXT NOT NULL,
    surface_id TEXT NOT NULL,
    title TEXT NOT NULL,
    subtitle TEXT NOT NULL,
    body TEXT NOT NULL,
    is_read INTEGER NOT NULL DEFAULT 0,
    created_at INTEGER NOT NULL,
    UNIQUE (workspace_id, surface_id)
  ) STRICT`,
];

export interface StoredNotification extends Notice {
  readonly id: string;
  readonly workspace_id: string;
  readonly surface_id: string;
  readonly is_read: boolean;
}

type Row = Omit<StoredNotification, 'is_read'> & { readonly is_read: number };

/** The live notifications: at most one per workspace and surface. Every change is on disk when its call returns. */
export class NotificationStore {
  readonly #db: Database;

  /** @param path of the SQLite file. @param onSetAside told when an unreadable file was replaced by a new one */
  constructor(path: string, onSetAside: (event: SetAside) => void) {
    this.#db = openDatabase(path, { migrations: MIGRATIONS, onSetAside });
  }

  /** Takes the place of the one that the surface had, unread and newest. */
  put(where: { workspace_id: string; surface_id: string }, notice: Notice): void {
    const { workspace_id, surface_id } = where;
    this.#db.tx(() => {
      this.#run('DELETE FROM notifications WHERE workspace_id = ? AND surface_id = ?', workspace_id, surface_id);
      this.#run(
        `INSERT INTO notifications (id, workspace_id, surface_id, title, subtitle, body, created_at)
         VALUES (?, ?, ?, ?, ?, ?, ?)`,
        randomUUID().toUpperCase(),
        workspace_id,
        surface_id,
        notice.title,
        notice.subtitle,
        notice.body,
        Date.now(),
      );
      this.#run(
        `DELETE FROM notifications WHERE seq <= (SELECT seq FROM notifications ORDER BY seq DESC LIMIT 1 OFFSET ?)`,
        MOST_LIVE,
      );
    });
  }

  /** Newest first. */
  list(): StoredNotification[] {
    const rows = this.#db
      .prepare(
        'SELECT id, workspace_id, surface_id, is_read, title, subtitle, body FROM notifications ORDER BY seq DESC',
      )
      .all() as Row[];
    return rows.map((row) => ({ ...row, is_read: row.is_read !== 0 }));
  }

  markRead(surfaceId: string): void {
    this.#run('UPDATE notifications SET is_read = 1 WHERE surface_id = ? AND is_read = 0', surfaceId);
  }

  removeOfSurface(surfaceId: string): void {
    this.#run('DELETE FROM notifications WHERE surface_id = ?', surfaceId);
  }

  removeOfWorkspace(workspaceId: string): void {
    this.#run('DELETE FROM notifications WHERE workspace_id = ?', workspaceId);
  }

  clear(): void {
    this.#run('DELETE FROM notifications');
  }

  close(): void {
    this.#db.close();
  }

  #run(sql: string, ...values: (string | number)[]): void {
    this.#db.prepare(sql).run(...values);
  }
}
