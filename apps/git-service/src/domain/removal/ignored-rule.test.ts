import { expect, it } from 'vitest';
import { classOfIgnored } from './ignored-rule.js';

it.each([
  ['node_modules/', 'rebuildable'],
  ['packages/a/node_modules/b/.env', 'rebuildable'],
  ['dist/', 'rebuildable'],
  ['dist/main.js', 'rebuildable'],
  ['src/__pycache__/a.pyc', 'rebuildable'],
  ['a.o', 'rebuildable'],
  ['.DS_Store', 'rebuildable'],
] as const)('%s is what a tool makes again', (path, expected) => {
  expect(classOfIgnored(path)).toBe(expected);
});

it.each([
  ['.env'],
  ['.env.local'],
  ['dist/.env'],
  ['build/server.key'],
  ['target/data.sqlite'],
  ['notes/'],
  ['notes/plan.md'],
  ['results.csv'],
  ['distribution/a'],
])('%s counts as work', (path) => {
  expect(classOfIgnored(path)).toBe('kept');
});
