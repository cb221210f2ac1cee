import { describe, expect, it } from 'vitest';
import { afterCrash, type CrashHistory } from './restart-policy.js';

function crashes(count: number, everyMs: number, readyForMs = 0) {
  let history: CrashHistory = [];
  const decisions = [];
  for (let i = 0; i < count; i++) {
    const decision = afterCrash(history, i * everyMs, readyForMs);
    history = decision.history;
    decisions.push(decision);
  }
  return decisions;
}

describe('the restart policy', () => {
  it('restarts at once at first, then later and later', () => {
    expect(crashes(5, 1000).map(({ delayMs }) => delayMs)).toEqual([50, 100, 200, 400, 800]);
  });

  it('calls a process failed after more than five crashes in five minutes, and still tries every 30 s', () => {
    const last = crashes(7, 1000).slice(-2);
    expect(last).toMatchObject([
      { failed: true, delayMs: 30_000 },
      { failed: true, delayMs: 30_000 },
    ]);
  });

  it('forgets crashes that are long ago', () => {
    expect(crashes(50, 70_000).every(({ failed }) => !failed)).toBe(true);
  });

  it('lets a long quiet run make up for earlier crashes', () => {
    const { history } = afterCrash([0, 1, 2, 3, 4], 200_000, 190_000);
    expect(history).toEqual([3, 4, 200_000]);
  });
});
