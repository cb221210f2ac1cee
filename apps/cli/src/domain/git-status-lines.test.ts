import { describe, expect, it } from 'vitest';
import { statusReportLines } from './git-status-lines.js';

type Status = Parameters<typeof statusReportLines>[0];
const HEAD = 'abcdef0123456789abcdef0123456789abcdef01';
const status = (more: Partial<Status>): Status => ({
  is_repository: true,
  root: '/r',
  bare: false,
  branch: 'main',
  detached: false,
  head: HEAD,
  upstream: null,
  ahead: null,
  behind: null,
  counts: { staged: 0, unstaged: 0, untracked: 0, conflicted: 0 },
  files: [],
  hidden: 0,
  snapshot: 's',
  ...more,
});
const file = (path: string, more: Partial<Status['files'][number]>): Status['files'][number] => ({
  path,
  old_path: null,
  staged: null,
  unstaged: null,
  untracked: false,
  conflict: null,
  submodule: null,
  ...more,
});
const lines = (more: Partial<Status>) => statusReportLines(status(more), (_, text) => text);

describe('the status of a worktree', () => {
  it('begins with the branch, its upstream and how far they are apart', () => {
    expect(lines({ upstream: 'origin/main', ahead: 2, behind: 0 })).toEqual(['main → origin/main ↑2 ↓0']);
    expect(lines({ branch: null, detached: true })).toEqual(['detached at abcdef012345']);
    expect(lines({ head: null })).toEqual(['main (no commit yet)']);
    expect(lines({ bare: true })).toEqual(['main (bare: no files)']);
    expect(lines({ is_repository: false })).toEqual(['Not in a git repository.']);
  });

  it('has a line for each file, and says how many more there are', () => {
    expect(
      lines({
        files: [
          file('both', { staged: 'modified', unstaged: 'modified' }),
          file('new name', { staged: 'renamed', old_path: 'old\nname' }),
          file('gone', { unstaged: 'deleted' }),
          file('torn', { conflict: 'deleted_by_us' }),
          file('ä\x1b[31m', { untracked: true }),
        ],
        hidden: 3,
      }),
    ).toEqual([
      'main',
      'MM both',
      'R  old name → new name',
      ' D gone',
      '!! torn (deleted by us)',
      '?? ä',
      '… and 3 more',
    ]);
  });
});
