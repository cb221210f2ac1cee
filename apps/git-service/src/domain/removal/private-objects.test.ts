import { expect, it } from 'vitest';
import { isOfThePresent, mayNameObjects, objectIdsIn, operationsIn, parseStash, tipsOf } from './private-objects.js';

const A = 'a'.repeat(40);
const B = 'b'.repeat(40);
const C = 'c'.repeat(64);

it('finds the objects a private file names, whatever stands around them, each once', () => {
  const log = `${'0'.repeat(40)} ${A} Ada <a@b> 1 +0000\tcommit: x\n${A} ${B} Ada <a@b> 2 +0000\treset: to ${A}\n`;
  expect(objectIdsIn(log)).toEqual([A, B]);
  expect(objectIdsIn(`pick ${C} long`)).toEqual([C]);
  expect(objectIdsIn(`${A}b not an id, ${'a'.repeat(39)} neither, x${A} neither`)).toEqual([]);
});

it('reads no binary file for objects', () => {
  expect(['HEAD', 'logs/HEAD', 'rebase-merge/onto', 'refs/bisect/bad'].every(mayNameObjects)).toBe(true);
  expect(['index', 'sharedindex.1', 'modules/a/HEAD', 'reftable/x.ref', 'gitdir'].some(mayNameObjects)).toBe(false);
});

it('tells what goes on from what was', () => {
  expect(operationsIn(['HEAD', 'rebase-merge/onto', 'BISECT_LOG'])).toEqual(['rebase', 'bisect']);
  expect(operationsIn(['HEAD', 'ORIG_HEAD', 'logs/HEAD'])).toEqual([]);
  expect([isOfThePresent('MERGE_HEAD'), isOfThePresent('HEAD')]).toEqual([true, true]);
  expect(['logs/HEAD', 'ORIG_HEAD', 'FETCH_HEAD'].some(isOfThePresent)).toBe(false);
});

it('needs references to the tips of lost history only', () => {
  expect(tipsOf(`${A} ${B}\n${B} ${'d'.repeat(40)}\n${'e'.repeat(40)}\n`)).toEqual([A, 'e'.repeat(40)]);
  expect(tipsOf('')).toEqual([]);
});

it('knows on which branch a stash entry was made', () => {
  const output = [
    `${A}\tstash@{0}\tWIP on fix/it: 1234567 first`,
    `${B}\tstash@{1}\tOn main: half done: really`,
    `${A}\tstash@{2}\tWIP on (no branch): 1234567 first`,
    '',
  ].join('\0');
  expect(parseStash(output).map(({ name, branch }) => [name, branch])).toEqual([
    ['stash@{0}', 'fix/it'],
    ['stash@{1}', 'main'],
    ['stash@{2}', null],
  ]);
});
