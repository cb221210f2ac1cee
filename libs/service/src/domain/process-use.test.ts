import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CpuUse, parsePsUse, parseStatUse, processesOf, usedBetween } from './process-use.js';

const use = (pid: number, parent: number, cpuMs: number, childrenCpuMs = 0, start = `s${pid}`): CpuUse => ({
  pid,
  parent,
  start,
  cpuMs,
  childrenCpuMs,
});

describe('what the system tells of a process', () => {
  it('is read from /proc, with any name a program may have', () => {
    const stat = '42 (a) b (c)) S 7 42 41 34816 99 4194304 1 2 3 4 50 6 7 8 20 0 1 0 12345 1000';
    expect(parseStatUse(stat)).toEqual({
      pid: 42,
      parent: 7,
      session: '41',
      start: '12345',
      cpuMs: 560,
      childrenCpuMs: 150,
    });
    expect(parseStatUse(stat.replace(') S', ') Z'))).toBeUndefined();
    expect(parseStatUse('42 (half) S 7')).toBeUndefined();
  });

  it('is read from ps', () => {
    const line = '  412   401 S+   ttys003  Mon Nov 30 17:20:01 2026     1-02:03:04.50   2048';
    const cpuMs = ((24 + 2) * 3600 + 3 * 60 + 4) * 1000 + 500;
    expect(parsePsUse(line)).toMatchObject({ pid: 412, parent: 401, session: 'ttys003', cpuMs, rssBytes: 2097152 });
    expect(parsePsUse('nonsense')).toBeUndefined();
  });
});

describe('the processes of a program', () => {
  it('are its session, and what has left it but descends from one of it', () => {
    const all = [
      { pid: 1, parent: 0, session: '1' },
      { pid: 10, parent: 1, session: '10' },
      { pid: 11, parent: 10, session: '10' },
      { pid: 12, parent: 11, session: '12' },
      { pid: 13, parent: 12, session: '12' },
      { pid: 14, parent: 1, session: '10' },
      { pid: 20, parent: 1, session: '20' },
    ];
    expect(processesOf(all, '10').map(({ pid }) => pid)).toEqual([10, 11, 14, 12, 13]);
    expect(processesOf(all, '99')).toEqual([]);
  });
});

describe('the CPU time between two readings', () => {
  it('is what the processes used that were there and that came', () => {
    expect(usedBetween([use(1, 0, 100)], [use(1, 0, 150), use(2, 1, 30)])).toBe(80);
  });

  it('has what a process used that ended in between, once', () => {
    const before = [use(1, 0, 100), use(2, 1, 40)];
    expect(usedBetween(before, [use(1, 0, 100, 70)])).toBe(30);
  });

  it('has it also when its parent ended with it', () => {
    const before = [use(1, 0, 0), use(2, 1, 10), use(3, 2, 40)];
    expect(usedBetween(before, [use(1, 0, 0, 60)])).toBe(10);
  });

  it('takes a pid that was given out again for another process', () => {
    expect(usedBetween([use(1, 0, 500)], [use(1, 0, 20, 0, 'later')])).toBe(20);
  });

  it('is never negative, whatever the system forgot', () => {
    const one = fc.record({
      pid: fc.integer({ min: 1, max: 6 }),
      parent: fc.integer({ min: 0, max: 6 }),
      cpuMs: fc.nat(1000),
      childrenCpuMs: fc.nat(1000),
    });
    const reading = fc.uniqueArray(one, { selector: ({ pid }) => pid });
    fc.assert(
      fc.property(reading, reading, (first, second) => {
        const started = (list: typeof first, mark: string) => list.map((process) => ({ ...process, start: mark }));
        const grown = second.map((process) => {
          const then = first.find(({ pid }) => pid === process.pid);
          return { ...process, cpuMs: process.cpuMs + (then?.cpuMs ?? 0), start: then === undefined ? 'b' : 'a' };
        });
        expect(usedBetween(started(first, 'a'), grown)).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});
