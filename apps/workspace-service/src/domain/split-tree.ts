import type { Id } from './entities.js';

/** `horizontal` means side by side (programa-api §6.1). */
export type Axis = 'horizontal' | 'vertical';
export type Direction = 'left' | 'right' | 'up' | 'down';

export interface Leaf {
  readonly kind: 'leaf';
  readonly paneId: Id;
}
export interface Split {
  readonly kind: 'split';
  readonly id: Id;
  readonly axis: Axis;
  /** Share of the first child. */
  readonly ratio: number;
  readonly first: SplitNode;
  readonly second: SplitNode;
}
export type SplitNode = Leaf | Split;

/** Dividers stay between these shares so that no pane can be squeezed away (programa-api §6.1). */
const RATIO_MIN = 0.1;
const RATIO_MAX = 0.9;

export const leaf = (paneId: Id): Leaf => ({ kind: 'leaf', paneId });
export const clampRatio = (ratio: number): number => Math.min(RATIO_MAX, Math.max(RATIO_MIN, ratio));
export const axisOf = (direction: Direction): Axis =>
  direction === 'left' || direction === 'right' ? 'horizontal' : 'vertical';

/** Pane ids depth first, first child first: the order of panes everywhere. */
export function leaves(node: SplitNode): Id[] {
  const found: Id[] = [];
  const visit = (at: SplitNode): void => {
    if (at.kind === 'leaf') {
      found.push(at.paneId);
      return;
    }
    visit(at.first);
    visit(at.second);
  };
  visit(node);
  return found;
}

export function leafCount(node: SplitNode): number {
  return node.kind === 'leaf' ? 1 : leafCount(node.first) + leafCount(node.second);
}

export function firstLeaf(node: SplitNode): Id {
  return node.kind === 'leaf' ? node.paneId : firstLeaf(node.first);
}

/** Halves a pane; left and up put the new pane first. The tree is returned unchanged if it has no such pane. */
export function splitLeaf(node: SplitNode, paneId: Id, added: Id, direction: Direction, splitId: Id): SplitNode {
  if (node.kind === 'leaf') {
    if (node.paneId !== paneId) return node;
    const addedFirst = direction === 'left' || direction === 'up';
    const pair = addedFirst ? [leaf(added), node] : [node, leaf(added)];
    const [first, second] = pair as [SplitNode, SplitNode];
    return { kind: 'split', id: splitId, axis: axisOf(direction), ratio: 0.5, first, second };
  }
  return withChildren(
    node,
    splitLeaf(node.first, paneId, added, direction, splitId),
    splitLeaf(node.second, paneId, added, direction, splitId),
  );
}

/** The tree without the pane, and the pane that inherits its focus: the first of the sibling subtree (§6.4). */
export function removeLeaf(node: SplitNode, paneId: Id): { tree: SplitNode | null; heir: Id | null } {
  if (node.kind === 'leaf') return { tree: node.paneId === paneId ? null : node, heir: null };
  const first = removeLeaf(node.first, paneId);
  if (first.tree === null) return { tree: node.second, heir: firstLeaf(node.second) };
  if (first.tree !== node.first) return { tree: withChildren(node, first.tree, node.second), heir: first.heir };
  const second = removeLeaf(node.second, paneId);
  if (second.tree === null) return { tree: node.first, heir: firstLeaf(node.first) };
  return { tree: withChildren(node, node.first, second.tree), heir: second.heir };
}

export function setRatio(node: SplitNode, splitId: Id, ratio: number): SplitNode {
  if (node.kind === 'leaf') return node;
  if (node.id === splitId) return { ...node, ratio: clampRatio(ratio) };
  return withChildren(node, setRatio(node.first, splitId, ratio), setRatio(node.second, splitId, ratio));
}

/** Every divider (of one axis, if given) where its two sides' panes get equal shares, by leaf counts. */
export function equalize(node: SplitNode, axis?: Axis): SplitNode {
  if (node.kind === 'leaf') return node;
  const first = equalize(node.first, axis);
  const second = equalize(node.second, axis);
  if (axis !== undefined && node.axis !== axis) return withChildren(node, first, second);
  const count = leafCount(first);
  const ratio = clampRatio(count / (count + leafCount(second)));
  return ratio === node.ratio ? withChildren(node, first, second) : { ...node, ratio, first, second };
}

/** The path from the root to a pane's leaf: each split passed, with the side taken. Empty also if there is no such pane. */
function pathTo(node: SplitNode, paneId: Id): { split: Split; side: 'first' | 'second' }[] | null {
  if (node.kind === 'leaf') return node.paneId === paneId ? [] : null;
  for (const side of ['first', 'second'] as const) {
    const below = pathTo(node[side], paneId);
    if (below) return [{ split: node, side }, ...below];
  }
  return null;
}

/**
 * The divider that moves when a pane grows towards `direction`: the nearest split of that axis whose divider lies on
 * the asked side of the pane (programa-api §5.7). `extent` is the share of the container that the split spans.
 */
export function dividerBeside(node: SplitNode, paneId: Id, direction: Direction): Split | null {
  const axis = axisOf(direction);
  const side = direction === 'right' || direction === 'down' ? 'first' : 'second';
  const path = pathTo(node, paneId) ?? [];
  return path.findLast((step) => step.split.axis === axis && step.side === side)?.split ?? null;
}

/** True if some ancestor of the pane splits along the axis of the direction: tells "no split" from "no border there". */
export function hasSplitAlong(node: SplitNode, paneId: Id, direction: Direction): boolean {
  const axis = axisOf(direction);
  return (pathTo(node, paneId) ?? []).some((step) => step.split.axis === axis);
}

function withChildren(node: Split, first: SplitNode, second: SplitNode): Split {
  return first === node.first && second === node.second ? node : { ...node, first, second };
}
