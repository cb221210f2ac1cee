import { describe, expect, it } from 'vitest';
import { isHalfMade, parseWorktrees } from './parse-worktrees.js';

const HEAD = 'a1b2c3d4'.repeat(5);
const plain = { isMain: false, locked: null, prunable: null };
const entry = (...attributes: string[]) => `${attributes.join('\0')}\0\0`;

describe('parseWorktrees', () => {
  it('reads path, branch and head of each entry', () => {
    const output =
      entry('worktree /r/main', `HEAD ${HEAD}`, 'branch refs/heads/main') +
      entry('worktree /r/fix', `HEAD ${HEAD}`, 'branch refs/heads/fix/it');
    expect(parseWorktrees(output)).toEqual([
      { ...plain, path: '/r/main', branch: 'main', head: HEAD, isMain: true },
      { ...plain, path: '/r/fix', branch: 'fix/it', head: HEAD },
    ]);
  });

  it('has no branch for a detached head, and keeps the zeros of a branch without a commit', () => {
    const output =
      entry('worktree /r/a', `HEAD ${HEAD}`, 'detached') +
      entry('worktree /r/b', `HEAD ${'0'.repeat(40)}`, 'branch refs/heads/new');
    expect(parseWorktrees(output)).toEqual([
      { ...plain, path: '/r/a', branch: null, head: HEAD, isMain: true },
      { ...plain, path: '/r/b', branch: 'new', head: '0'.repeat(40) },
    ]);
  });

  it('leaves bare entries out, so that none is the main one, and ignores attributes it does not know', () => {
    const output =
      entry('worktree /r/bare.git', 'bare') +
      entry('worktree /r/a', `HEAD ${HEAD}`, 'branch refs/heads/a', 'novel thing');
    expect(parseWorktrees(output)).toEqual([{ ...plain, path: '/r/a', branch: 'a', head: HEAD }]);
  });

  it('F2: tells what is locked and what would be pruned, with the reasons there are', () => {
    const at = (path: string, ...more: string[]) => entry(`worktree ${path}`, `HEAD ${HEAD}`, 'detached', ...more);
    const output = at('/r') + at('/a', 'locked', 'prunable gone') + at('/b', 'locked on a disk');
    expect(parseWorktrees(output).map(({ locked, prunable }) => [locked, prunable])).toEqual([
      [null, null],
      ['', 'gone'],
      ['on a disk', null],
    ]);
  });

  it('knows a worktree that git is still making', () => {
    expect(isHalfMade({ locked: 'initializing' })).toBe(true);
    expect([null, '', 'mine'].map((locked) => isHalfMade({ locked }))).toEqual([false, false, false]);
  });

  it('F1: keeps quotes, arrows, newlines and letters of any script in a path', () => {
    const path = '/r/ä b -> c/q"uote\nnext';
    expect(parseWorktrees(entry(`worktree ${path}`, `HEAD ${HEAD}`, 'detached'))).toEqual([
      { ...plain, path, branch: null, head: HEAD, isMain: true },
    ]);
  });

  it('finds nothing in nothing', () => {
    expect(parseWorktrees('')).toEqual([]);
  });
});
