import { describe, expect, it } from 'vitest';
import {
  clampRatio,
  dividerBeside,
  equalize,
  hasSplitAlong,
  leaf,
  leaves,
  removeLeaf,
  type SplitNode,
  setRatio,
  splitLeaf,
} from './split-tree.js';

/** A, with B right of it, and C below B. */
const abc = (): SplitNode => splitLeaf(splitLeaf(leaf('A'), 'A', 'B', 'right', 'ab'), 'B', 'C', 'down', 'bc');

describe('a split tree (§6.1)', () => {
  it('puts a new pane after the old one, or before it for left and up', () => {
    expect(leaves(splitLeaf(leaf('A'), 'A', 'B', 'right', 's'))).toEqual(['A', 'B']);
    expect(leaves(splitLeaf(leaf('A'), 'A', 'B', 'down', 's'))).toEqual(['A', 'B']);
    expect(leaves(splitLeaf(leaf('A'), 'A', 'B', 'left', 's'))).toEqual(['B', 'A']);
    expect(leaves(splitLeaf(leaf('A'), 'A', 'B', 'up', 's'))).toEqual(['B', 'A']);
  });

  it('halves, side by side for left and right', () => {
    expect(abc()).toMatchObject({ axis: 'horizontal', ratio: 0.5, second: { axis: 'vertical', ratio: 0.5 } });
  });

  it('orders panes depth first, first child first', () => {
    expect(leaves(splitLeaf(abc(), 'A', 'D', 'up', 'da'))).toEqual(['D', 'A', 'B', 'C']);
  });

  it('leaves the rest as it is when a pane goes, and names the first of the sibling subtree as heir (§6.4)', () => {
    const withoutA = removeLeaf(abc(), 'A');
    expect(withoutA.heir).toBe('B');
    expect(leaves(withoutA.tree ?? leaf('?'))).toEqual(['B', 'C']);
    expect(removeLeaf(abc(), 'C')).toMatchObject({ heir: 'B' });
    expect(removeLeaf(abc(), 'unknown').tree).toEqual(abc());
    expect(removeLeaf(leaf('A'), 'A')).toEqual({ tree: null, heir: null });
  });

  it('keeps dividers between 0.1 and 0.9', () => {
    expect([clampRatio(0), clampRatio(0.5), clampRatio(2)]).toEqual([0.1, 0.5, 0.9]);
    expect(setRatio(abc(), 'bc', 0.95)).toMatchObject({ ratio: 0.5, second: { ratio: 0.9 } });
  });

  it('gives every pane its share by leaf counts, of one axis if asked', () => {
    const row = splitLeaf(splitLeaf(leaf('A'), 'A', 'B', 'right', 'ab'), 'B', 'C', 'right', 'bc');
    expect(equalize(row)).toMatchObject({ ratio: 1 / 3, second: { ratio: 0.5 } });
    expect(equalize(row, 'vertical')).toBe(row);
  });

  it('finds the nearest divider on the asked side of a pane (§5.7)', () => {
    expect(dividerBeside(abc(), 'A', 'right')?.id).toBe('ab');
    expect(dividerBeside(abc(), 'A', 'left')).toBeNull();
    expect(dividerBeside(abc(), 'C', 'left')?.id).toBe('ab');
    expect(dividerBeside(abc(), 'C', 'up')?.id).toBe('bc');
    expect(dividerBeside(abc(), 'B', 'down')?.id).toBe('bc');
    expect(dividerBeside(abc(), 'unknown', 'down')).toBeNull();
    expect(hasSplitAlong(abc(), 'A', 'left')).toBe(true);
    expect(hasSplitAlong(abc(), 'A', 'up')).toBe(false);
  });
});
