import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Database, type Migration, openDatabase, type SetAside } from './index.js';

let folder: string;
let path: string;
let opened: Database[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sy-db-'));
  path = join(folder, 'state', 'test.db');
  opened = [];
});
afterEach(() => {
  for (const database of opened) database.close();
  rmSync(folder, { recursive: true, force: true });
});

const FIRST: Migration = 'CREATE TABLE thing (id TEXT PRIMARY KEY, json TEXT NOT NULL) STRICT';
const SECOND: Migration = (raw) => raw.exec('ALTER TABLE thing ADD COLUMN rev INTEGER NOT NULL DEFAULT 0');

function open(migrations: readonly Migration[], onSetAside?: (event: SetAside) => void): Database {
  const database = openDatabase(path, { migrations, ...(onSetAside && { onSetAside }) });
  opened.push(database);
  return database;
}

const value = (database: Database, sql: string) => Object.values(database.prepare(sql).get() ?? {})[0];
const count = (database: Database) => value(database, 'SELECT count(*) FROM thing');

describe('a database', () => {
  it('is made with its schema, for the owner only, in WAL mode', () => {
    const database = open([FIRST]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(value(database, 'PRAGMA journal_mode')).toBe('wal');
    expect(value(database, 'PRAGMA user_version')).toBe(1);
    expect(database.setAside).toBeUndefined();
  });

  it('is brought up to date and keeps what it holds', () => {
    const before = open([FIRST]);
    before.prepare(`INSERT INTO thing VALUES ('a', '{}')`).run();
    before.close();
    expect(count(open([FIRST, SECOND]))).toBe(1);
  });

  it('written by a newer version is left alone', () => {
    open([FIRST, SECOND]).close();
    expect(() => open([FIRST])).toThrow('newer');
    expect(count(open([FIRST, SECOND]))).toBe(0);
  });

  it('stays at its version when a step fails', () => {
    open([FIRST]).close();
    expect(() => open([FIRST, 'CREATE TABLE other (x); SELECT nonsense'])).toThrow('nonsense');
    const database = open([FIRST]);
    expect(value(database, 'PRAGMA user_version')).toBe(1);
    expect(database.prepare(`SELECT name FROM sqlite_master WHERE name = 'other'`).get()).toBeUndefined();
  });

  it('takes all of a transaction or nothing', () => {
    const database = open([FIRST]);
    const insert = database.prepare('INSERT INTO thing VALUES (?, ?)');
    const failing = () =>
      database.tx(() => {
        insert.run('a', '{}');
        throw new Error('no');
      });
    expect(failing).toThrow('no');
    expect(count(database)).toBe(0);
    expect(database.tx(() => insert.run('b', '{}').changes)).toBe(1);
    expect(count(database)).toBe(1);
  });

  it('has everything in its one file once it is closed', () => {
    const database = open([FIRST]);
    database.prepare(`INSERT INTO thing VALUES ('a', '{}')`).run();
    database.close();
    for (const journal of ['-wal', '-shm']) rmSync(path + journal, { force: true });
    expect(count(open([FIRST]))).toBe(1);
  });

  it('that is corrupted is set aside, said so, and begun anew', () => {
    open([FIRST]).close();
    writeFileSync(path, 'this is not a database at all, and longer than a header of one hundred bytes. '.repeat(20));
    const told: SetAside[] = [];
    const database = open([FIRST], (event) => told.push(event));
    expect(count(database)).toBe(0);
    expect(told).toEqual([database.setAside]);
    expect(existsSync(database.setAside?.movedTo ?? '')).toBe(true);
  });
});
