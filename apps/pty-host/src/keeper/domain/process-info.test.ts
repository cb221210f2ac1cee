import { describe, expect, it } from 'vitest';
import { parsePsLine, parseStat } from './process-info.js';

describe('the process table', () => {
  it('reads /proc/PID/stat, whatever the program calls itself', () => {
    const fields = 'S 10 42 42 34816 42 4194304 1 2 3 4 5 6 7 8 20 0 1 0 987654 1000 200';
    expect(parseStat(`42 (a (b) c) 7) ${fields}`)).toEqual({
      pid: 42,
      start: '987654',
      startOrder: 987654,
      session: '42',
      zombie: false,
      command: 'a (b) c) 7',
    });
  });

  it('knows a zombie, and refuses half a line', () => {
    expect(parseStat(`7 (x) Z ${'0 '.repeat(30)}`)?.zombie).toBe(true);
    expect(parseStat('7 (x) S 1 2')).toBeUndefined();
    expect(parseStat('')).toBeUndefined();
  });

  it('reads a line of ps', () => {
    expect(parsePsLine('  501 S+   ttys003  Mon Jun  3 09:05:07 2024 /usr/bin/some thing')).toEqual({
      pid: 501,
      start: 'Mon Jun  3 09:05:07 2024',
      startOrder: Date.parse('Mon Jun 3 09:05:07 2024'),
      session: 'ttys003',
      zombie: false,
      command: '/usr/bin/some thing',
    });
    expect(parsePsLine('')).toBeUndefined();
  });
});
