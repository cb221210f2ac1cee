import type { Result } from '@switchyard/protocol';
import { describe, expect, it } from 'vitest';
import { setupLines, statusLines, worktreeRow } from './worktree-lines.js';

const facts = { head: 'a'.repeat(40), is_main: false, is_missing: false, locked: null, prunable: null };
const closed = { is_open: false, workspace_id: null, workspace_ref: null };
const status: Result<'worktree.status'> = {
  worktree: { path: '/w/fix', branch: 'fix', repo: '/r' },
  ...facts,
  upstream: 'origin/fix',
  ahead: 2,
  behind: 0,
  changes: { staged: 1, unstaged: 0, untracked: 3, conflicted: 0 },
  in_progress: 'cherry_pick',
  setup: 'none',
  ...closed,
};
const setup: Result<'worktree.setup'>['setup'] = {
  state: 'done',
  detail: null,
  copied: 1,
  skipped: [],
  surface_id: null,
  surface_ref: null,
};

describe('a row of the list', () => {
  it('names every state a worktree is in', () => {
    const row = worktreeRow({ path: '/w', branch: null, ...facts, locked: '', is_missing: true, ...closed });
    expect(row).toEqual(['(detached)', '', 'locked, missing', '/w']);
  });
});

describe('the status', () => {
  it('says what there is, and leaves out what there is not', () => {
    expect(statusLines(status)).toEqual([
      'fix at aaaaaaaaaaaa in /w/fix',
      'workspace  none',
      'upstream   origin/fix, 2 ahead, 0 behind',
      'changes    1 staged, 3 untracked',
      'middle of  cherry-pick',
    ]);
  });

  it('of a missing worktree says so, and nothing of changes', () => {
    const lines = statusLines({ ...status, is_missing: true, locked: 'disk', changes: null, in_progress: null });
    expect(lines).toContain('state      locked, missing (disk)');
    expect(lines.some((line) => line.startsWith('changes'))).toBe(false);
  });
});

describe('the report of a setup', () => {
  it('says what was done, and what not and why', () => {
    const skipped = [{ path: '.env', reason: 'not_a_file' as const }];
    const lines = setupLines({ ...setup, skipped, surface_id: 'S', surface_ref: 'surface:3' });
    expect(lines).toEqual(['Copied 1 file.', 'Not copied: .env (not a file)', 'The commands run in surface:3.']);
  });

  it('says how to allow what is not trusted, and nothing when there is nothing', () => {
    expect(setupLines({ ...setup, state: 'untrusted' })).toEqual([expect.stringContaining('sy worktree trust')]);
    expect(setupLines({ ...setup, state: 'changed' })).toEqual([expect.stringContaining('has changed')]);
    expect(setupLines({ ...setup, state: 'none' })).toEqual([]);
  });
});
