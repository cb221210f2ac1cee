import { describe, expect, it } from 'vitest';
import { logLine } from './log-line.js';

describe('a line of a log', () => {
  it('shows time, level, process, message and facts of an entry of ours', () => {
    const entry = {
      level: 40,
      time: Date.UTC(2026, 0, 2, 3, 4, 5, 6),
      pid: 1,
      hostname: 'h',
      name: 'x',
      msg: 'late',
      ms: 7,
    };
    expect(logLine('gateway', JSON.stringify(entry))).toBe('03:04:05.006 warn  gateway: late ms=7');
  });

  it('leaves what a program printed by itself as it is', () => {
    expect(logLine('bus', '[1] Server is ready')).toBe('bus: [1] Server is ready');
    expect(logLine('bus', '{"half":')).toBe('bus: {"half":');
    expect(logLine('bus', '{"time":"soon"}')).toBe('bus: {"time":"soon"}');
  });
});
