import { describe, expect, it } from 'vitest';
import { followLines } from './follow.js';

const BEFORE = [
  'import fs',
  '',
  'function one() {',
  '  return fs.read(1);',
  '}',
  '',
  'function two() {',
  '  return 2;',
  '}',
];
const follow = (after: readonly string[], start: number, end = start) => followLines(BEFORE, after, { start, end });

describe('the lines of a comment', () => {
  it('stay where they are while nothing above them changes', () => {
    expect(follow(BEFORE, 4)).toEqual({ start: 4, end: 4, changed: false });
    expect(follow([...BEFORE.slice(0, 6), 'something else'], 4)).toEqual({ start: 4, end: 4, changed: false });
  });

  it('move with what is put above them or taken away', () => {
    expect(follow(['// new', '// head', ...BEFORE], 3, 5)).toEqual({ start: 5, end: 7, changed: false });
    expect(follow(BEFORE.slice(2), 3, 5)).toEqual({ start: 1, end: 3, changed: false });
  });

  it('grow with what is put between them, and are called changed', () => {
    const after = [...BEFORE.slice(0, 3), '  log();', ...BEFORE.slice(3)];
    expect(follow(after, 3, 5)).toEqual({ start: 3, end: 6, changed: true });
  });

  it('are followed when they are edited, also among new ones', () => {
    const after = [
      ...BEFORE.slice(0, 3),
      '  const n = count();',
      '  check(n);',
      '  return fs.read(n + 1);',
      ...BEFORE.slice(4),
    ];
    expect(follow(after, 4)).toEqual({ start: 6, end: 6, changed: true });
  });

  it('keep their place when a block is written anew', () => {
    const after = [...BEFORE.slice(0, 2), 'class A {', '  x = 5', '}', ...BEFORE.slice(5)];
    expect(follow(after, 4)).toEqual({ start: 4, end: 4, changed: true });
  });

  it('are gone when they are removed and nothing takes their place', () => {
    expect(follow([...BEFORE.slice(0, 2), ...BEFORE.slice(6)], 4)).toBeNull();
    expect(follow([], 1)).toBeNull();
  });

  it('lose those that are removed and keep the others', () => {
    expect(follow([...BEFORE.slice(0, 3), ...BEFORE.slice(4)], 3, 5)).toEqual({ start: 3, end: 4, changed: true });
  });

  it('are gone when nothing but a brace is left that could be theirs', () => {
    expect(follow([...BEFORE.slice(0, 2), '}', ...BEFORE.slice(6)], 3, 5)).toBeNull();
  });

  it('are found where a block was moved to', () => {
    const after = [...BEFORE.slice(0, 2), ...BEFORE.slice(6), '', ...BEFORE.slice(2, 5)];
    expect(follow(after, 3, 5)).toEqual({ start: 7, end: 9, changed: false });
  });

  it('are not found in a line that looks like any other', () => {
    const brace = ['a();', '{', 'b();', '}'];
    expect(followLines(brace, ['}', 'a();', '{', 'b();'], { start: 4, end: 4 })).toBeNull();
  });
});
