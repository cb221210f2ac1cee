import { checkEventData, type JournalKind } from '@switchyard/protocol';
import { describe, expect, it } from 'vitest';
import { meaningOfCompleted } from './told-events.js';

describe('an operation that was completed after a crash', () => {
  const facts = { path: '/w', branch: 'b', top: '/r', existed: false, base: 'main', after: 'c0ffee' };

  it.each(['worktree.create', 'worktree.remove', 'worktree.recover', 'worktree.merge'])('of %s is told', (kind) => {
    const told = meaningOfCompleted({ kind, repo: '/r/.git', facts });
    expect(told?.kind).toMatch(/^worktree\./);
    expect(checkEventData(told?.kind as JournalKind, told?.data)).toBeUndefined();
  });

  it('is not told when the worktree was there before, or of a kind that nobody has to hear of', () => {
    const there = { kind: 'worktree.create', repo: '/r/.git', facts: { ...facts, existed: true } };
    expect(meaningOfCompleted(there)).toBeNull();
    expect(meaningOfCompleted({ kind: 'worktree.paint', repo: '/r/.git', facts })).toBeNull();
  });
});
