import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type StorageFault, storageFault } from '../fault/index.js';
import { type Database, openDatabase, storageGauges } from './index.js';

let folder: string;
let database: Database | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sy-db-'));
});
afterEach(() => {
  database?.close();
  spawnSync('umount', ['-l', join(folder, 'disk')]);
  rmSync(folder, { recursive: true, force: true });
});

const SCHEMA = 'CREATE TABLE thing (text TEXT NOT NULL) STRICT';

function faultOf(fn: () => unknown): StorageFault | undefined {
  try {
    fn();
    return undefined;
  } catch (error) {
    return storageFault(error);
  }
}

it('tells a database that may not be written to from other faults', () => {
  database = openDatabase(join(folder, 'a.db'), { migrations: [SCHEMA] });
  const insert = database.prepare('INSERT INTO thing VALUES (?)');
  expect(faultOf(() => insert.run(null))).toBeUndefined();
  database.prepare('PRAGMA query_only = ON').all();
  expect(faultOf(() => insert.run('x'))).toBe('storage_read_only');
  expect(database.fault).toBe('storage_read_only');
  expect(storageGauges(database)).toEqual({ storage_full: 0, storage_read_only: 1 });
});

it('opens on a full disk, refuses changes whole, and takes them by itself once there is room', async (context) => {
  const disk = join(folder, 'disk');
  mkdirSync(disk);
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'none', disk]).status === 0;
  context.skip(!mounted, 'file systems can be mounted by root only');
  const path = join(disk, 'a.db');
  openDatabase(path, { migrations: [SCHEMA] }).close();
  expect(faultOf(() => writeFileSync(join(disk, 'ballast'), Buffer.alloc(2 ** 21)))).toBe('storage_full');
  const told: (StorageFault | undefined)[] = [];
  const recovered = new Promise<void>((resolve) => {
    const onFault = (fault: StorageFault | undefined) => {
      told.push(fault);
      if (fault === undefined) resolve();
    };
    database = openDatabase(path, { migrations: [SCHEMA], onFault });
  });
  const insert = database?.prepare('INSERT INTO thing VALUES (?)');
  const refused = () =>
    database?.tx(() => {
      insert?.run('a');
      insert?.run('x'.repeat(100_000));
    });
  expect(faultOf(refused)).toBe('storage_full');
  expect(database?.fault).toBe('storage_full');
  rmSync(join(disk, 'ballast'));
  await recovered;
  expect(told).toEqual(['storage_full', undefined]);
  expect(database?.fault).toBeUndefined();
  expect(database?.prepare('SELECT count(*) AS n FROM thing').get()).toEqual({ n: 0 });
  refused();
  expect(database?.prepare('SELECT count(*) AS n FROM thing').get()).toEqual({ n: 2 });
});
