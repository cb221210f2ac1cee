import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { canMount, SmallDisk, type TempDir, tempDir, waitFor } from '@switchyard/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AuditEntry, AuditLog } from './audit-log.js';

const AT = Date.UTC(2026, 0, 2, 3, 4, 5);
const caller = { name: 'client-1', socket: 'main', uid: 1, pid: 2, surface_id: null, token: null } as const;
const entry = (method: string, afterMs = 0): Omit<AuditEntry, 'seq'> => ({
  at: new Date(AT + afterMs).toISOString(),
  method,
  caller,
  target: {},
  outcome: 'ok',
  ms: 1,
});

let dir: TempDir;
beforeEach(() => {
  dir = tempDir();
});
afterEach(() => dir.remove());

const open = (writer: 'gateway' | 'supervisor', fileBytes?: number) =>
  new AuditLog({ folder: dir.path, writer, ...(fileBytes !== undefined && { fileBytes }) });
const methods = (entries: AuditEntry[]) => entries.map(({ method }) => method);

describe('the audit trail', () => {
  it('is one, whichever process wrote what, newest first', () => {
    const [gateway, supervisor] = [open('gateway'), open('supervisor')];
    gateway.append(entry('a', 0));
    supervisor.append(entry('b', 1));
    supervisor.append(entry('c', 1));
    gateway.append(entry('d', 2));
    const all = gateway.read({ limit: 10 });
    expect(methods(all)).toEqual(['d', 'c', 'b', 'a']);
    expect(new Set(all.map(({ seq }) => seq)).size).toBe(4);
    expect(methods(gateway.read({ limit: 1 }))).toEqual(['d']);
    expect(methods(gateway.read({ limit: 10, before: all[1]?.seq ?? 0 }))).toEqual(['b', 'a']);
    gateway.close();
    supervisor.close();
  });

  it('goes on with rising numbers after a restart, also when the clock went back', () => {
    const first = open('gateway');
    first.append(entry('a', 1000));
    first.close();
    const second = open('gateway');
    second.append(entry('b', 0));
    expect(methods(second.read({ limit: 10 }))).toEqual(['b', 'a']);
    second.close();
  });

  it('loses no entry to a line that was cut off in the middle', () => {
    writeFileSync(join(dir.path, 'audit.jsonl'), '{"seq":1,"meth');
    const log = open('gateway');
    log.append(entry('a'));
    expect(methods(log.read({ limit: 10 }))).toEqual(['a']);
    log.close();
  });

  it('keeps as many full files as it may', () => {
    const log = open('supervisor', 400);
    for (let i = 0; i < 50; i++) log.append(entry(`m${i}`, i));
    expect(readdirSync(dir.path).sort()).toEqual(['supervisor.1.jsonl', 'supervisor.jsonl']);
    expect(methods(log.read({ limit: 2 }))).toEqual(['m49', 'm48']);
    log.close();
  });

  it('holds what a full disk does not take, and writes it in order when there is room', async (context) => {
    context.skip(!canMount(join(dir.path, 'probe')), 'file systems can be mounted by root only');
    const disk = new SmallDisk(join(dir.path, 'disk'), '8m');
    try {
      const log = new AuditLog({ folder: join(disk.path, 'audit'), writer: 'gateway' });
      disk.fill();
      for (let n = 0; n < 5000; n++) log.append(entry(`m${n}`, n));
      disk.empty();
      await waitFor('everything is written', () => log.waiting === 0);
      log.append(entry('after', 6000));
      const written = log.read({ limit: 10_000 }).reverse();
      const lost = written.find(({ method }) => method === 'audit.lost');
      const kept = methods(written).filter((method) => /^m\d/.test(method));
      expect(kept).toEqual(kept.map((_, n) => `m${n}`));
      expect(kept.length + Number(lost?.target['entries'])).toBe(5000);
      expect(methods(written).slice(-2)).toEqual(['audit.lost', 'after']);
      log.close();
    } finally {
      disk.remove();
    }
  });
});
