import type { CellSize, Id, SurfaceRecord, WorkspaceRecord } from './entities.js';
import { cellsOf, containerFrame, type Frame, paneFrames, splitFrame } from './geometry.js';
import type { Model } from './model.js';
import { clampRatio, type Direction, dividerBeside, hasSplitAlong, setRatio } from './split-tree.js';

/** Size that each surface of a workspace should have: what a client dictates, else what its pane gives. */
export function surfaceSizes(model: Model, workspace: WorkspaceRecord, cells: CellSize): Map<Id, CellSize> {
  const sizes = new Map<Id, CellSize>();
  for (const [paneId, frame] of paneFrames(workspace.tree, containerFrame(cells))) {
    const fromPane = cellsOf(frame);
    for (const id of model.pane(paneId).surfaceIds) sizes.set(id, model.surface(id).size ?? fromPane);
  }
  return sizes;
}

export function surfaceSize(model: Model, surface: SurfaceRecord, cells: CellSize): CellSize {
  if (surface.size) return surface.size;
  const frame = paneFrames(model.workspaceOf(surface).tree, containerFrame(cells)).get(surface.paneId);
  return cellsOf(frame ?? containerFrame(cells));
}

export interface DividerMove {
  readonly splitId: Id;
  readonly before: number;
  readonly after: number;
}

/**
 * Moves the border of a pane by pixels towards a direction (programa-api §5.7): right and down move the divider
 * forward, left and up back; it stays within its bounds.
 *
 * @returns null when no border lies on that side; `axis` tells whether there is any split along it at all
 */
export function resizePane(
  model: Model,
  workspace: WorkspaceRecord,
  paneId: Id,
  direction: Direction,
  amount: number,
  cells: CellSize,
): DividerMove | { readonly missing: 'split' | 'border' } {
  const split = dividerBeside(workspace.tree, paneId, direction);
  if (!split) return { missing: hasSplitAlong(workspace.tree, paneId, direction) ? 'border' : 'split' };
  const frame = splitFrame(workspace.tree, containerFrame(cells), split.id) ?? containerFrame(cells);
  const pixels = extentAlong(split.axis, frame);
  const sign = direction === 'right' || direction === 'down' ? 1 : -1;
  const after = clampRatio(split.ratio + (sign * amount) / pixels);
  model.patchWorkspace(workspace.id, { tree: setRatio(workspace.tree, split.id, after) });
  return { splitId: split.id, before: split.ratio, after };
}

const extentAlong = (axis: 'horizontal' | 'vertical', frame: Frame): number =>
  axis === 'horizontal' ? frame.width : frame.height;
