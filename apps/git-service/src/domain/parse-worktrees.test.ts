import { describe, expect, it } from 'vitest';
import { parseWorktrees } from './parse-worktrees.js';

const HEAD = 'a1b2c3d4'.repeat(5);
const entry = (...attributes: string[]) => `${attributes.join('\0')}\0\0`;

describe('parseWorktrees', () => {
  it('reads path, branch and head of each entry', () => {
    const output =
      entry('worktree /r/main', `HEAD ${HEAD}`, 'branch refs/heads/main') +
      entry('worktree /r/fix', `HEAD ${HEAD}`, 'branch refs/heads/fix/it');
    expect(parseWorktrees(output)).toEqual([
      { path: '/r/main', branch: 'main', head: HEAD },
      { path: '/r/fix', branch: 'fix/it', head: HEAD },
    ]);
  });

  it('has no branch for a detached head, and keeps the zeros of a branch without a commit', () => {
    const output =
      entry('worktree /r/a', `HEAD ${HEAD}`, 'detached') +
      entry('worktree /r/b', `HEAD ${'0'.repeat(40)}`, 'branch refs/heads/new');
    expect(parseWorktrees(output)).toEqual([
      { path: '/r/a', branch: null, head: HEAD },
      { path: '/r/b', branch: 'new', head: '0'.repeat(40) },
    ]);
  });

  it('leaves bare entries out and ignores attributes it does not know', () => {
    const output =
      entry('worktree /r/bare.git', 'bare') +
      entry('worktree /r/a', `HEAD ${HEAD}`, 'branch refs/heads/a', 'locked on a disk', 'prunable gone', 'novel thing');
    expect(parseWorktrees(output)).toEqual([{ path: '/r/a', branch: 'a', head: HEAD }]);
  });

  it('F1: keeps quotes, arrows, newlines and letters of any script in a path', () => {
    const path = '/r/ä b -> c/q"uote\nnext';
    expect(parseWorktrees(entry(`worktree ${path}`, `HEAD ${HEAD}`, 'detached'))).toEqual([
      { path, branch: null, head: HEAD },
    ]);
  });

  it('finds nothing in nothing', () => {
    expect(parseWorktrees('')).toEqual([]);
  });
});
