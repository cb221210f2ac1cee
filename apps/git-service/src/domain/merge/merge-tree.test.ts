import { expect, it } from 'vitest';
import { parseMergeTree } from './merge-tree.js';

const TREE = 'a'.repeat(40);

it('reads a clean merge', () => {
  expect(parseMergeTree(`${TREE}\0`)).toEqual({ tree: TREE, conflicts: [], messages: [] });
});

it('F1: reads conflicts by the exact names of their files, and what git says of them', () => {
  const output = [
    TREE,
    'a b',
    'ä\n"c"',
    '',
    '1',
    'a b',
    'Auto-merging',
    'Auto-merging a b\n',
    '1',
    'a b',
    'CONFLICT (contents)',
    'CONFLICT (content): Merge conflict in a b\n',
    '2',
    'x',
    'y',
    'CONFLICT (rename/delete)',
    'CONFLICT (rename/delete): x renamed\n',
    '',
  ].join('\0');
  expect(parseMergeTree(output)).toEqual({
    tree: TREE,
    conflicts: ['a b', 'ä\n"c"'],
    messages: ['CONFLICT (content): Merge conflict in a b', 'CONFLICT (rename/delete): x renamed'],
  });
});
