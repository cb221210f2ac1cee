import { chmodSync, existsSync, mkdirSync, renameSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type DatabaseSyncInstance, type StatementSyncInstance } from '@photostructure/sqlite';
import { type StorageFault, storageFault } from '../fault/index.js';
import { StorageWatch } from './storage-watch.js';

/** The database as the library has it; its interface is that of `node:sqlite`. */
export type RawDatabase = DatabaseSyncInstance;

/** One step of a schema: SQL, or code that runs in the same transaction. */
export type Migration = string | ((raw: RawDatabase) => void);

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
  /** Told once when the disk begins to refuse what is written, and once (undefined) when it takes it again. */
  readonly onFault?: (fault: StorageFault | undefined) => void;
}

export type Statement = Pick<StatementSyncInstance, 'run' | 'get' | 'all'>;

export interface Database {
  /** Each SQL text is prepared once; so it must be one of a few, with `?` for what varies. */
  prepare(sql: string): Statement;
  /** What was set aside at open, if anything. */
  readonly setAside: SetAside | undefined;
  /** Runs `fn` in an immediate transaction: all of it is stored, or, when it throws, nothing. */
  tx<T>(fn: () => T): T;
  /** Why the disk takes nothing at present. It is tried again every second, so this ends by itself. */
  readonly fault: StorageFault | undefined;
  close(): void;
}

/** A backup or an inspecting shell may hold the lock for a moment. */
const BUSY_TIMEOUT_MS = 5000;
const OWNER_ONLY_FILE = 0o600;
const OWNER_ONLY_FOLDER = 0o700;
const COMPANIONS = ['', '-wal', '-shm'];
/** SQLITE_CORRUPT and SQLITE_NOTADB; extended codes have the primary one in their low byte. */
const UNREADABLE = new Set([11, 26]);
const PRIMARY_CODE = 0xff;

/**
 * Opens (or makes) a database file, mode 0600, in WAL mode, with its schema up to date. A corrupted file is renamed
 * aside and a new one begun, so that a broken disk block does not keep a service from starting for ever.
 * @throws when the file was written by a newer version, or for any other fault (no space, no permission)
 */
export function openDatabase(path: string, options: OpenOptions): Database {
  mkdirSync(dirname(path), { recursive: true, mode: OWNER_ONLY_FOLDER });
  try {
    return wrap(openChecked(path, options.migrations), undefined, options);
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    const setAside = moveAside(path, error.message);
    options.onSetAside?.(setAside);
    return wrap(openChecked(path, options.migrations), setAside, options);
  }
}

function wrap(raw: RawDatabase, setAside: SetAside | undefined, { onFault }: OpenOptions): Database {
  const prepared = new Map<string, Statement>();
  const watch = new StorageWatch(
    () => inTransaction(raw, () => setVersion(raw, Number(pragma(raw, 'user_version')))),
    onFault,
  );
  return {
    setAside,
    get fault() {
      return watch.fault;
    },
    prepare: (sql) => {
      const statement = prepared.get(sql) ?? watched(raw.prepare(sql), watch);
      prepared.set(sql, statement);
      return statement;
    },
    tx: (fn) => watch.write(() => inTransaction(raw, fn)),
    close: () => {
      watch.stop();
      if (!raw.isOpen) return;
      try {
        // The library lets go of the files only when the last statement is collected, which would leave the journal full.
        raw.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      } catch (error) {
        // Then the journal stays full, and the next to open it reads it: nothing is lost.
        if (storageFault(error) === undefined) throw error;
      } finally {
        raw.close();
      }
    },
  };
}

/** What a service that keeps a database tells `system.health` of its disk. */
export function storageGauges({ fault }: Pick<Database, 'fault'>): Readonly<Record<string, number>> {
  return { storage_full: Number(fault === 'storage_full'), storage_read_only: Number(fault === 'storage_read_only') };
}

/** A statement outside a transaction is one of its own. */
function watched(statement: StatementSyncInstance, watch: StorageWatch): Statement {
  return {
    run: (...values) => watch.write(() => statement.run(...values)),
    get: (...values) => statement.get(...values),
    all: (...values) => statement.all(...values),
  };
}

function openChecked(path: string, migrations: readonly Migration[]): RawDatabase {
  const raw = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
  try {
    chmodSync(path, OWNER_ONLY_FILE);
    raw.exec('PRAGMA journal_mode = WAL');
    // In WAL mode a power cut can cost the last transactions but never the database; a killed process costs nothing.
    raw.exec('PRAGMA synchronous = NORMAL');
    raw.exec('PRAGMA foreign_keys = ON');
    const health = pragma(raw, 'quick_check(1)');
    if (health !== 'ok') throw new DamagedError(String(health));
    migrate(raw, path, migrations);
    return raw;
  } catch (error) {
    raw.close();
    throw error;
  }
}

function inTransaction<T>(raw: RawDatabase, fn: () => T): T {
  raw.exec('BEGIN IMMEDIATE');
  try {
    const result = fn();
    raw.exec('COMMIT');
    return result;
  } catch (error) {
    // A full disk or the like may have ended the transaction already.
    if (raw.isTransaction) raw.exec('ROLLBACK');
    throw error;
  }
}

/** The one value of a pragma that has one. */
function pragma(raw: RawDatabase, name: string): unknown {
  return Object.values(raw.prepare(`PRAGMA ${name}`).get() ?? {})[0];
}

function setVersion(raw: RawDatabase, version: number): void {
  raw.exec(`PRAGMA user_version = ${version}`);
}

function migrate(raw: RawDatabase, path: string, migrations: readonly Migration[]): void {
  // One that is up to date is not written to: it opens on a full disk too.
  if (Number(pragma(raw, 'user_version')) === migrations.length) return;
  inTransaction(raw, () => {
    const version = Number(pragma(raw, 'user_version'));
    if (version > migrations.length) {
      throw new Error(`${path} has schema ${version}; this version knows ${migrations.length}: it is newer.`);
    }
    for (const step of migrations.slice(version)) {
      if (typeof step === 'string') raw.exec(step);
      else step(raw);
    }
    setVersion(raw, migrations.length);
  });
}

/** The file opens, but its pages do not fit together. */
class DamagedError extends Error {}

function isUnreadable(error: unknown): error is Error {
  if (error instanceof DamagedError) return true;
  if (!(error instanceof Error) || !('errcode' in error) || typeof error.errcode !== 'number') return false;
  return UNREADABLE.has(error.errcode & PRIMARY_CODE);
}

function moveAside(path: string, reason: string): SetAside {
  const movedTo = `${path}.corrupt-${new Date().toISOString().replaceAll(':', '')}`;
  for (const suffix of COMPANIONS) {
    if (existsSync(path + suffix)) renameSync(path + suffix, movedTo + suffix);
  }
  return { path, movedTo, reason };
}
