import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cellsOf, containerFrame, paneFrames, splitFrame } from './geometry.js';
import { leaf, leaves, type SplitNode, setRatio, splitLeaf } from './split-tree.js';

const container = containerFrame({ cols: 200, rows: 50 });

describe('geometry (decision 14)', () => {
  it('is 8 by 16 pixels a cell', () => {
    expect(container).toEqual({ x: 0, y: 0, width: 1600, height: 800 });
    expect(cellsOf(container)).toEqual({ cols: 200, rows: 50 });
  });

  it('gives both halves the same', () => {
    const frames = paneFrames(splitLeaf(leaf('A'), 'A', 'B', 'right', 's'), container);
    expect(frames.get('A')).toEqual({ x: 0, y: 0, width: 800, height: 800 });
    expect(frames.get('B')).toEqual({ x: 800, y: 0, width: 800, height: 800 });
  });

  it('never falls below what a terminal needs', () => {
    expect(cellsOf({ x: 0, y: 0, width: 3, height: 3 })).toEqual({ cols: 2, rows: 1 });
  });

  it('knows what a split spans', () => {
    const tree = splitLeaf(splitLeaf(leaf('A'), 'A', 'B', 'right', 'ab'), 'B', 'C', 'down', 'bc');
    expect(splitFrame(tree, container, 'bc')).toEqual({ x: 800, y: 0, width: 800, height: 800 });
    expect(splitFrame(tree, container, 'unknown')).toBeUndefined();
  });

  it('tiles the container without gap or overlap, whatever the splits', () => {
    const step = fc.record({
      at: fc.nat(),
      direction: fc.constantFrom('left', 'right', 'up', 'down'),
      ratio: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        let tree: SplitNode = leaf('P');
        for (const [index, { at, direction, ratio }] of steps.entries()) {
          const panes = leaves(tree);
          const pane = panes[at % panes.length] ?? 'P';
          tree = setRatio(splitLeaf(tree, pane, `P${index}`, direction, `S${index}`), `S${index}`, ratio);
        }
        const frames = [...paneFrames(tree, container).values()];
        expect(frames).toHaveLength(leaves(tree).length);
        const area = frames.reduce((sum, { width, height }) => sum + width * height, 0);
        expect(area).toBe(container.width * container.height);
        for (const { x, y, width, height } of frames) {
          expect(x >= 0 && y >= 0 && x + width <= container.width && y + height <= container.height).toBe(true);
        }
      }),
    );
  });
});
