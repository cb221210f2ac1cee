import { describe, expect, it } from 'vitest';
import { linesOf, newLines, type ReviewFile } from './file-text.js';

type Hunk = ReviewFile['hunks'][number];
const KINDS = { ' ': 'context', '+': 'added', '-': 'removed' } as const;

function hunk(old_start: number, old_lines: number, ...lines: string[]): Hunk {
  return {
    old_start,
    old_lines,
    new_start: 0,
    new_lines: 0,
    heading: '',
    lines: lines.map((line) => ({ kind: KINDS[line[0] as keyof typeof KINDS], text: line.slice(1) })),
  };
}

describe('linesOf', () => {
  it('counts a last line without a line end, and none after the last line end', () => {
    expect(linesOf('a\nb\n')).toEqual(['a', 'b']);
    expect(linesOf('a\nb')).toEqual(['a', 'b']);
    expect(linesOf('')).toEqual([]);
    expect(linesOf('a\r\n\n')).toEqual(['a\r', '']);
  });
});

describe('newLines', () => {
  const old = ['1', '2', '3', '4', '5', '6'];

  it('puts the hunks between what did not change', () => {
    const hunks = [hunk(1, 2, ' 1', '-2', '+two', '+2b'), hunk(5, 1, '-5')];
    expect(newLines(old, hunks)).toEqual(['1', 'two', '2b', '3', '4', '6']);
  });

  it('puts lines after the one that a hunk without old lines names', () => {
    expect(newLines(old, [hunk(6, 0, '+7')])).toEqual([...old, '7']);
    expect(newLines(old, [hunk(0, 0, '+0')])).toEqual(['0', ...old]);
    expect(newLines([], [hunk(0, 0, '+a', '+b')])).toEqual(['a', 'b']);
  });

  it('refuses hunks of another text', () => {
    expect(() => newLines(old, [hunk(6, 2, ' 6', '-7')])).toThrow(RangeError);
    expect(() => newLines(old, [hunk(3, 1, '-3'), hunk(2, 1, '-2')])).toThrow(RangeError);
  });
});
