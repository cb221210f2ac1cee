import { type Database, openDatabase, type SetAside } from '@switchyard/store/sqlite';

const FIRST = `CREATE TABLE notifications (
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
) STRICT`;

/** Reasons, deliveries, levels, what was heard and seen already, and what the journal has not got yet. */
const SECOND = `
CREATE TABLE items (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  workspace_id TEXT NOT NULL,
  surface_id TEXT UNIQUE,
  title TEXT NOT NULL,
  subtitle TEXT NOT NULL,
  body TEXT NOT NULL,
  is_read INTEGER NOT NULL DEFAULT 0,
  reason TEXT NOT NULL,
  agent TEXT,
  workspace TEXT NOT NULL,
  excerpt TEXT NOT NULL,
  action TEXT NOT NULL,
  suppressed TEXT,
  created_at INTEGER NOT NULL
) STRICT;
INSERT OR REPLACE INTO items
  SELECT seq, id, workspace_id, surface_id, title, subtitle, body, is_read, 'request', NULL, '', '',
    '{"kind":"look","command":"sy notifications"}', 'no_adapter', created_at FROM notifications ORDER BY seq;
DROP TABLE notifications;
CREATE INDEX items_workspace ON items (workspace_id);
CREATE TABLE causes (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  cause TEXT NOT NULL UNIQUE,
  answer TEXT NOT NULL
) STRICT;
CREATE TABLE deliveries (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  notification_id TEXT,
  workspace_id TEXT,
  surface_id TEXT,
  adapter TEXT NOT NULL,
  state TEXT NOT NULL,
  title TEXT NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  error TEXT,
  created_at INTEGER NOT NULL,
  next_at INTEGER,
  finished_at INTEGER,
  message TEXT
) STRICT;
CREATE INDEX deliveries_due ON deliveries (adapter, next_at) WHERE state = 'pending';
CREATE TABLE levels (workspace_id TEXT PRIMARY KEY, level TEXT NOT NULL) STRICT;
CREATE TABLE heard (surface_id TEXT PRIMARY KEY, upto INTEGER NOT NULL, at INTEGER NOT NULL) STRICT;
CREATE TABLE turns (surface_id TEXT PRIMARY KEY, workspace_id TEXT, facts TEXT NOT NULL) STRICT;
CREATE TABLE place (one INTEGER PRIMARY KEY CHECK (one = 1), journal TEXT NOT NULL, seq INTEGER NOT NULL) STRICT;
CREATE TABLE untold (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  key TEXT NOT NULL,
  kind TEXT NOT NULL,
  workspace_id TEXT,
  surface_id TEXT,
  data TEXT NOT NULL
) STRICT`;

/** Everything the notifier keeps, in one file: what belongs together is changed in one transaction. */
export function openNotifierDatabase(path: string, onSetAside: (event: SetAside) => void): Database {
  return openDatabase(path, { migrations: [FIRST, SECOND], onSetAside });
}
