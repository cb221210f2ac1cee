import { expect, it } from 'vitest';
import { diagnose, type Evidence } from './diagnosis.js';

const well: Evidence = {
  name: 'a',
  path: '/w/a',
  branch: 'a',
  lockReason: null,
  folder: 'present',
  foundAt: null,
};

it('says nothing of a worktree that is well', () => {
  expect(diagnose(well)).toBeUndefined();
});

it('F2: names a registration that is locked and whose folder is gone, and what to do in which order', () => {
  expect(diagnose({ ...well, lockReason: 'on a stick', folder: 'missing' })).toMatchObject({
    states: ['locked', 'missing'],
    lock_reason: 'on a stick',
    repairs: ['unlock', 'prune'],
    detail: expect.stringContaining('keeps the branch a from being checked out'),
  });
});

it.each<[string, Partial<Evidence>, string[], string[]]>([
  ['a lock alone', { lockReason: '' }, ['locked'], ['unlock']],
  ['a missing folder', { folder: 'missing' }, ['missing'], ['prune']],
  ['a moved folder', { folder: 'missing', foundAt: '/w/b' }, ['missing'], ['relink']],
  ['something else in its place', { folder: 'foreign' }, ['stale'], []],
  ['a registration without a path', { path: null, folder: 'missing' }, ['stale'], ['prune']],
  ['a folder without a registration', { name: null }, ['orphaned'], []],
])('%s', (_, more, states, repairs) => {
  expect(diagnose({ ...well, ...more })).toMatchObject({ states, repairs });
});
