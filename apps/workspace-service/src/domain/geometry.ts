import type { CellSize, Id } from './entities.js';
import type { SplitNode } from './split-tree.js';

/** There is no screen of ours, so a cell has the size that the peer's headless prototype used. */
export const CELL_WIDTH_PX = 8;
export const CELL_HEIGHT_PX = 16;

/** Below these a terminal model misbehaves (a wide character needs two columns). */
const MIN_COLS = 2;
const MIN_ROWS = 1;

/** Pixels from the top left of the workspace. */
export interface Frame {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export function containerFrame(cells: CellSize): Frame {
  return { x: 0, y: 0, width: cells.cols * CELL_WIDTH_PX, height: cells.rows * CELL_HEIGHT_PX };
}

/** Frame of every pane; a split's second child gets exactly what the first leaves, so that no pixel is lost. */
export function paneFrames(tree: SplitNode, container: Frame): Map<Id, Frame> {
  const frames = new Map<Id, Frame>();
  place(tree, container, (paneId, frame) => frames.set(paneId, frame));
  return frames;
}

/** Frame that a split spans, or undefined if the tree has no such split. */
export function splitFrame(tree: SplitNode, container: Frame, splitId: Id): Frame | undefined {
  if (tree.kind === 'leaf') return undefined;
  if (tree.id === splitId) return container;
  const [first, second] = divide(tree.axis === 'horizontal', tree.ratio, container);
  return splitFrame(tree.first, first, splitId) ?? splitFrame(tree.second, second, splitId);
}

export function cellsOf(frame: Frame): CellSize {
  return {
    cols: Math.max(MIN_COLS, Math.floor(frame.width / CELL_WIDTH_PX)),
    rows: Math.max(MIN_ROWS, Math.floor(frame.height / CELL_HEIGHT_PX)),
  };
}

function place(node: SplitNode, frame: Frame, emit: (paneId: Id, frame: Frame) => void): void {
  if (node.kind === 'leaf') {
    emit(node.paneId, frame);
    return;
  }
  const [first, second] = divide(node.axis === 'horizontal', node.ratio, frame);
  place(node.first, first, emit);
  place(node.second, second, emit);
}

function divide(sideBySide: boolean, ratio: number, frame: Frame): [Frame, Frame] {
  if (sideBySide) {
    const width = Math.round(frame.width * ratio);
    return [
      { ...frame, width },
      { ...frame, x: frame.x + width, width: frame.width - width },
    ];
  }
  const height = Math.round(frame.height * ratio);
  return [
    { ...frame, height },
    { ...frame, y: frame.y + height, height: frame.height - height },
  ];
}
