import { suggest } from '@switchyard/config';
import { describe, expect, it } from 'vitest';
import { chosenLogs } from './chosen-logs.js';
import { parseSince } from './since.js';

describe('a time that a person wrote', () => {
  it('is how long ago, or when', () => {
    expect(parseSince('10m', 1_000_000)).toBe(400_000);
    expect(parseSince('2026-11-30T22:00:00Z', 0)).toBe(Date.UTC(2026, 10, 30, 22));
    expect(parseSince('yesterday', 0)).toBeUndefined();
  });
});

describe('the logs that a person means', () => {
  const known = ['detector', 'detector-2', 'gateway', 'pty-host'];

  it('are those of a process or of a kind', () => {
    expect(chosenLogs(['detector', 'gateway'], known, suggest)).toEqual(['detector', 'detector-2', 'gateway']);
    expect(chosenLogs(['detector-2'], known, suggest)).toEqual(['detector-2']);
  });

  it('are suggested when there are none of that name', () => {
    expect(chosenLogs(['gatewy'], known, suggest)).toMatch(/no log of gatewy; did you mean gateway/);
  });
});
