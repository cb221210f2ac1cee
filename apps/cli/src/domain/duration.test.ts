import { describe, expect, it } from 'vitest';
import { parseDuration, showDuration } from './duration.js';

describe('durations', () => {
  it('are read with a unit, or as seconds', () => {
    expect(['500ms', '10s', '1.5m', '2h', '7'].map(parseDuration)).toEqual([500, 10_000, 90_000, 7_200_000, 7000]);
  });

  it('are refused when they are none, nothing, or longer than a timer can wait', () => {
    expect(['', 'soon', '-1s', '0', '10 s', '1d', '999h'].map(parseDuration)).toEqual(Array(7).fill(undefined));
  });

  it('are shown in their two largest units', () => {
    expect([400, 61_000, 3_600_000, 270_000_000].map(showDuration)).toEqual(['0.4s', '1m 1s', '1h 0m', '3d 3h']);
  });
});
