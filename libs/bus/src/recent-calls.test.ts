import { describe, expect, it } from 'vitest';
import { RecentCalls } from './recent-calls.js';

const reply = (size: number) => ({ error: undefined, bytes: new Uint8Array(size) });

describe('the memory of recent calls', () => {
  it('knows running and finished calls, and the reply of the latter', () => {
    const recent = new RecentCalls(0);
    expect(recent.seen('a')).toBeUndefined();
    recent.start('a');
    expect(recent.seen('a')).toEqual({ state: 'running' });
    recent.finish('a', reply(3), 1);
    expect(recent.seen('a')).toEqual({ state: 'finished', reply: reply(3) });
  });

  it('forgets a call that was never started', () => {
    const recent = new RecentCalls(0);
    recent.start('a');
    recent.drop('a');
    expect(recent.seen('a')).toBeUndefined();
  });

  it('remembers that a large reply was given, not the reply', () => {
    const recent = new RecentCalls(0);
    recent.start('a');
    recent.finish('a', reply(1024 * 1024), 1);
    expect(recent.seen('a')).toEqual({ state: 'finished', reply: undefined });
  });

  it('is bounded in number and in bytes, and says how far back it is complete', () => {
    const recent = new RecentCalls(0);
    expect(recent.completeFor(50)).toBe(50);
    for (let i = 0; i < 10_000; i++) {
      recent.start(`n${i}`);
      recent.finish(`n${i}`, reply(10), 100 + i);
    }
    expect(recent.seen('n0')).toBeUndefined();
    expect(recent.seen('n9999')).toBeDefined();
    expect(recent.completeFor(20_000)).toBe(20_000 - (100 + 10_000 - 8192 - 1));
    for (let i = 0; i < 100; i++) {
      recent.start(`b${i}`);
      recent.finish(`b${i}`, reply(256 * 1024), 30_000 + i);
    }
    expect(recent.seen('b0')).toBeUndefined();
    expect(recent.seen('b99')).toBeDefined();
    // A call that still runs is never forgotten.
    recent.start('slow');
    for (let i = 0; i < 10_000; i++) recent.finish(`m${i}`, reply(0), 40_000);
    expect(recent.seen('slow')).toEqual({ state: 'running' });
  });
});
