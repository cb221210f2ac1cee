import { expect, it } from 'vitest';
import { findingLines, inventoryLines, sizeText } from './removal-lines.js';

it('lists what a worktree holds, marks what speaks against removal, and cleans names', () => {
  const items = [
    {
      kind: 'untracked' as const,
      blocks: 'without_force' as const,
      saved_in: 'archive' as const,
      count: 13,
      bytes: 2048,
      text: '13 files not tracked.',
      entries: ['a\x1b[31m', ...Array.from({ length: 11 }, (_, i) => `f${i}`)],
    },
    {
      kind: 'unpushed' as const,
      blocks: 'no' as const,
      saved_in: 'stays' as const,
      count: 2,
      bytes: null,
      text: '2 commits that no remote has; the branch stays and holds them.',
      entries: [],
    },
  ];
  const lines = inventoryLines(items);
  expect(lines[0]).toBe('! 13 files not tracked. (2.0 KiB)');
  expect(lines.join('')).not.toContain('\x1b');
  expect(lines.slice(-2)).toEqual([
    '    and 3 more',
    '  2 commits that no remote has; the branch stays and holds them.',
  ]);
});

it('says of a finding what can still be done', () => {
  const finding = {
    name: 'a',
    path: '/w/a',
    branch: 'a',
    states: ['locked' as const, 'missing' as const],
    lock_reason: '',
    found_at: null,
    detail: 'It is not there.',
    repairs: ['unlock' as const, 'prune' as const],
    done: ['unlock' as const],
    recovery_id: null,
  };
  expect(findingLines(finding)).toEqual([
    '/w/a: locked, missing',
    '    It is not there.',
    '    done: unlock',
    '    to repair: --prune',
  ]);
});

it.each([
  [0, '0 B'],
  [1023, '1023 B'],
  [1536, '1.5 KiB'],
  [5 * 1024 ** 4, '5120.0 GiB'],
])('writes %d bytes as %s', (bytes, expected) => {
  expect(sizeText(bytes)).toBe(expected);
});
