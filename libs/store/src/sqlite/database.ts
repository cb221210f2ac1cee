import { chmodSync, existsSync, mkdirSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import Sqlite from 'better-sqlite3';

/** One step of a schema: SQL, or code that runs in the same transaction. */
export type Migration = string | ((raw: Sqlite.Database) => void);

/** A database that could not be used was moved here and a new one begun. */
export interface SetAside {
  readonly path: string;
  readonly movedTo: string;
  readonly reason: string;
}

export interface OpenOptions {
  /** Step n brings the schema from version n to n + 1. Only ever append. */
  readonly migrations: readonly Migration[];
  /** Told when a corrupted database was set aside: the caller logs it, loudly. */
  readonly onSetAside?: (event: SetAside) => void;
}

export interface Database {
  /** For prepared statements. */
  readonly raw: Sqlite.Database;
  /** What was set aside at open, if anything. */
  readonly setAside: SetAside | undefined;
  /** Runs `fn` in an immediate transaction: all of it is stored, or, when it throws, nothing. */
  tx<T>(fn: () => T): T;
  close(): void;
}

/** A backup or an inspecting shell may hold the lock for a moment. */
const BUSY_TIMEOUT_MS = 5000;
const OWNER_ONLY_FILE = 0o600;
const OWNER_ONLY_FOLDER = 0o700;
const COMPANIONS = ['', '-wal', '-shm'];
const UNREADABLE = new Set(['SQLITE_CORRUPT', 'SQLITE_NOTADB']);

/**
 * Opens (or makes) a database file, mode 0600, in WAL mode, with its schema up to date. A corrupted file is renamed
 * aside and a new one begun, so that a broken disk block does not keep a service from starting for ever.
 * @throws when the file was written by a newer version, or for any other fault (no space, no permission)
 */
export function openDatabase(path: string, options: OpenOptions): Database {
  mkdirSync(dirname(path), { recursive: true, mode: OWNER_ONLY_FOLDER });
  try {
    return wrap(openChecked(path, options.migrations), undefined);
  } catch (error) {
    if (!(error instanceof Sqlite.SqliteError) || !isUnreadable(error.code)) throw error;
    const setAside = moveAside(path, error.message);
    options.onSetAside?.(setAside);
    return wrap(openChecked(path, options.migrations), setAside);
  }
}

function wrap(raw: Sqlite.Database, setAside: SetAside | undefined): Database {
  return {
    raw,
    setAside,
    tx: (fn) => raw.transaction(fn).immediate(),
    close: () => raw.close(),
  };
}

function openChecked(path: string, migrations: readonly Migration[]): Sqlite.Database {
  const raw = new Sqlite(path, { timeout: BUSY_TIMEOUT_MS });
  try {
    chmodSync(path, OWNER_ONLY_FILE);
    raw.pragma('journal_mode = WAL');
    // In WAL mode a power cut can cost the last transactions but never the database; a killed process costs nothing.
    raw.pragma('synchronous = NORMAL');
    raw.pragma('foreign_keys = ON');
    const health = raw.pragma('quick_check(1)', { simple: true });
    if (health !== 'ok') throw new Sqlite.SqliteError(String(health), 'SQLITE_CORRUPT');
    migrate(raw, migrations);
    return raw;
  } catch (error) {
    raw.close();
    throw error;
  }
}

function migrate(raw: Sqlite.Database, migrations: readonly Migration[]): void {
  raw
    .transaction(() => {
      const version = Number(raw.pragma('user_version', { simple: true }));
      if (version > migrations.length) {
        throw new Error(`${raw.name} has schema ${version}; this version knows ${migrations.length}: it is newer.`);
      }
      for (const step of migrations.slice(version)) {
        if (typeof step === 'string') raw.exec(step);
        else step(raw);
      }
      raw.pragma(`user_version = ${migrations.length}`);
    })
    .immediate();
}

function isUnreadable(code: string): boolean {
  return UNREADABLE.has(code) || code.startsWith('SQLITE_CORRUPT_');
}

function moveAside(path: string, reason: string): SetAside {
  const movedTo = `${path}.corrupt-${new Date().toISOString().replaceAll(':', '')}`;
  for (const suffix of COMPANIONS) {
    if (existsSync(path + suffix)) renameSync(path + suffix, movedTo + suffix);
  }
  return { path, movedTo, reason };
}
