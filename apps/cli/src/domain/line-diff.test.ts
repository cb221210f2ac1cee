import { expect, it } from 'vitest';
import { lineDiff } from './line-diff.js';

const shown = (before: string | null, after: string | null) =>
  lineDiff(before, after).map(({ mark, text }) => mark + text);

it('shows what comes and goes, with the lines around it', () => {
  const before = 'a\nb\nc\nd\ne\nf\ng\nh\n';
  expect(shown(before, 'a\nb\nc\nd\nX\ne\nf\ng\nh\n')).toEqual([' c', ' d', '+X', ' e', ' f']);
  expect(shown(before, 'a\nc\nd\ne\nf\ng\nY\n')).toEqual([' a', '-b', ' c', ' d', ' f', ' g', '-h', '+Y']);
});

it('shows a whole file that comes or goes, and nothing where nothing changes', () => {
  expect(shown(null, 'a\nb\n')).toEqual(['+a', '+b']);
  expect(shown('a\n', null)).toEqual(['-a']);
  expect(shown('a\n', 'a\n')).toEqual([]);
});

it('does not compare what is too long to compare', () => {
  const lines = (name: string) => Array.from({ length: 3000 }, (_, i) => `${name}${i}`).join('\n');
  expect(lineDiff(lines('a'), lines('b'))).toHaveLength(6000);
});
