import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { forgetLog, LogPool, LogReader, LogWriter, listLogs } from './index.js';

const KiB = 1024;
const BUDGET = 64 * KiB;
const SEGMENT = BUDGET / 8;

let root: string;
let open: { close(): void }[];
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sy-log-'));
  open = [];
});
afterEach(() => {
  for (const each of open) each.close();
  rmSync(root, { recursive: true, force: true });
});

function writer(budgetBytes = BUDGET): LogWriter {
  const made = new LogWriter({ root, surfaceId: 'S', budgetBytes });
  open.push(made);
  return made;
}

function reader(surfaceId = 'S'): LogReader {
  const made = new LogReader(root, surfaceId);
  open.push(made);
  return made;
}

/** Bytes whose value tells their offset. */
function bytes(from: number, length: number): Buffer {
  return Buffer.from(Array.from({ length }, (_, i) => (from + i) % 251));
}

const segments = () => readdirSync(join(root, 'S')).filter((name) => name.endsWith('.log'));

describe('a byte log', () => {
  it('reads back what was written, from any offset', () => {
    const log = writer();
    expect(log.append(bytes(0, 20_000))).toBe(20_000);
    expect(log.end).toBe(20_000);
    const from = reader();
    expect(from.read(0, 1e6).data).toEqual(bytes(0, 20_000));
    expect(from.read(9000, 500)).toEqual({ offset: 9000, data: bytes(9000, 500) });
    expect(from.read(SEGMENT - 1, 3).data).toEqual(bytes(SEGMENT - 1, 3));
    expect(from.end()).toBe(20_000);
  });

  it('is empty where there is none, and at its end', () => {
    expect(reader().read(0, 10)).toEqual({ offset: 0, data: Buffer.alloc(0) });
    const log = writer();
    log.append(Buffer.from('abc'));
    expect(reader().read(3, 10)).toEqual({ offset: 3, data: Buffer.alloc(0) });
    expect(reader().read(99, 10)).toEqual({ offset: 99, data: Buffer.alloc(0) });
  });

  it('is cut into segments named by their first offset, for the owner only', () => {
    writer().append(bytes(0, 3 * SEGMENT));
    expect(segments()).toEqual([0, SEGMENT, 2 * SEGMENT].map((at) => `${String(at).padStart(20, '0')}.log`));
    expect(statSync(join(root, 'S')).mode & 0o777).toBe(0o700);
    expect(statSync(join(root, 'S', segments()[0] ?? '')).mode & 0o777).toBe(0o600);
  });

  it('removes the oldest segments beyond its budget once they are parsed, and states the gap', () => {
    const log = writer();
    for (let at = 0; at < 3 * BUDGET; at += SEGMENT) {
      log.append(bytes(at, SEGMENT));
      log.ack(log.end);
    }
    expect(log.end - log.start).toBe(BUDGET);
    const slice = reader().read(10, 100);
    expect(slice.gap).toEqual({ from: 10, to: log.start });
    expect(slice).toMatchObject({ offset: log.start, data: bytes(log.start, 100) });
  });

  it('keeps all logs within a budget of their own: the largest gives its oldest parsed segments, and states the gap', () => {
    const logs: LogWriter[] = [];
    const pool = new LogPool(BUDGET, () => logs);
    const begin = (surfaceId: string) => {
      const log = new LogWriter({ root, surfaceId, budgetBytes: BUDGET, onSegment: () => pool.trim() });
      logs.push(log);
      open.push(log);
      return log;
    };
    const [large, small, unread] = [begin('large'), begin('small'), begin('unread')];
    const grow = (log: LogWriter, segments_: number, parsed = true) => {
      for (let i = 0; i < segments_; i++) {
        log.append(bytes(log.end, SEGMENT));
        if (parsed) log.ack(log.end);
      }
    };
    grow(large, 6);
    grow(small, 2);
    grow(unread, 4, false);
    expect(logs.map(({ held }) => held / SEGMENT)).toEqual([3, 2, 4]);
    expect(reader('large').read(0, 10)).toMatchObject({ gap: { from: 0, to: 3 * SEGMENT }, offset: 3 * SEGMENT });
    expect(reader('unread').read(0, 10).gap).toBeUndefined();
    unread.ack(unread.end);
    grow(small, 2);
    expect(logs.reduce((sum, { held }) => sum + held, 0)).toBeLessThanOrEqual(BUDGET + SEGMENT);
    expect(small.start).toBe(0);
  });

  it('keeps everything that nobody has parsed, and says when that is a whole budget', () => {
    const log = writer();
    log.append(bytes(0, BUDGET - 1));
    expect(log.unparsedBudget).toBe(false);
    log.append(bytes(BUDGET - 1, SEGMENT));
    expect(log.unparsedBudget).toBe(true);
    expect(log.start).toBe(0);
    log.ack(SEGMENT + 5);
    expect(log.unparsedBudget).toBe(false);
    expect(log.start).toBe(SEGMENT);
    log.ack(0);
    expect(log.acked).toBe(SEGMENT + 5);
  });

  it('goes on after its end in the next process, whatever was cut short', () => {
    const first = writer();
    first.append(bytes(0, SEGMENT + 100));
    first.close();
    const second = writer();
    expect(second.end).toBe(SEGMENT + 100);
    second.append(bytes(SEGMENT + 100, 50));
    expect(reader().read(0, 1e6).data).toEqual(bytes(0, SEGMENT + 150));
  });

  it('lets a reader follow while the writer rotates and removes', () => {
    const log = writer();
    const follower = reader();
    let at = 0;
    for (let round = 0; round < 500; round++) {
      const length = 1 + ((round * 7919) % 3000);
      log.append(bytes(log.end, length));
      const slice = follower.read(at, 1e6);
      expect(slice.gap).toBeUndefined();
      expect(slice.data.equals(bytes(at, length))).toBe(true);
      at += slice.data.length;
      log.ack(at);
    }
    expect(at).toBe(log.end);
    expect(segments().length).toBeLessThanOrEqual(9);
  });

  it('lets a reader finish the segment that it has open when the log is forgotten', () => {
    writer().append(bytes(0, 100));
    const late = reader();
    expect(late.read(0, 10).data.length).toBe(10);
    forgetLog(root, 'S');
    expect(late.read(10, 1e6).data).toEqual(bytes(10, 90));
    expect(late.read(100, 10).data.length).toBe(0);
    expect(late.end()).toBe(0);
    expect(listLogs(root)).toEqual([]);
  });

  it('states a hole between segments as a gap', () => {
    writer().append(bytes(0, 3 * SEGMENT));
    rmSync(join(root, 'S', segments()[1] ?? ''));
    const torn = reader();
    const first = torn.read(0, 1e6);
    expect(first.data.length).toBe(SEGMENT);
    expect(torn.read(SEGMENT, 10)).toMatchObject({ offset: 2 * SEGMENT, gap: { from: SEGMENT, to: 2 * SEGMENT } });
  });
});

describe('the records beside the bytes', () => {
  it('keep the size by offset, past a line that a crash has cut short', () => {
    const log = writer();
    log.journal('spawn', 80, 24);
    log.append(Buffer.from('abc'));
    log.journal('resize', 100, 30);
    appendFileSync(join(root, 'S', 'journal.ndjson'), '{"kind":"resize","off');
    const next = writer();
    next.journal('resize', 90, 20);
    expect(reader().journal()).toEqual([
      { kind: 'spawn', offset: 0, cols: 80, rows: 24 },
      { kind: 'resize', offset: 3, cols: 100, rows: 30 },
      { kind: 'resize', offset: 3, cols: 90, rows: 20 },
    ]);
  });

  it('keep the journal short, and in it every size that held output was written for', () => {
    const log = writer();
    for (let round = 0; round < 10_000; round++) {
      log.journal('resize', 1 + (round % 900), 24);
      if (round % 100 === 0) log.append(bytes(log.end, 500));
    }
    const journal = reader().journal();
    expect(journal.length).toBeLessThan(3000);
    const sizeAt = (offset: number) => journal.findLast((entry) => entry.offset <= offset)?.cols;
    expect(sizeAt(0)).toBe(1);
    expect(sizeAt(500)).toBe(1 + (100 % 900));
    expect(journal.at(-1)?.cols).toBe(1 + (9999 % 900));
  });

  it('keep what was started and how it ended; a new start takes the end away', () => {
    const log = writer();
    const meta = {
      surface_id: 'S',
      argv: ['sh'],
      cwd: '/',
      pid: 1,
      started_at: 2,
      started_offset: 0,
      cols: 80,
      rows: 24,
    };
    log.writeMeta(meta);
    expect(reader().exit()).toBeUndefined();
    const exit = { exit_code: 0, signal: null, offset: 0, at: 3, reason: 'exited' } as const;
    log.writeExit(exit);
    expect(reader().meta()).toEqual(meta);
    expect(reader().exit()).toEqual(exit);
    log.writeMeta(meta);
    expect(reader().exit()).toBeUndefined();
  });
});

describe('a disk that takes no more', () => {
  it('blocks the append with its reason, and the rest goes in later', () => {
    const log = writer();
    log.append(bytes(0, SEGMENT));
    // The next segment cannot be made: its name is taken by a folder.
    const blocked = join(root, 'S', `${String(SEGMENT).padStart(20, '0')}.log`);
    mkdirSync(blocked);
    expect(log.append(bytes(SEGMENT, 10))).toBe(0);
    expect(log.blocked).toBe('EISDIR');
    rmSync(blocked, { recursive: true });
    expect(log.append(bytes(SEGMENT, 10))).toBe(10);
    expect(log.blocked).toBeUndefined();
    expect(reader().read(0, 1e6).data).toEqual(bytes(0, SEGMENT + 10));
  });
});
