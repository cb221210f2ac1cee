import { type Removed, removeSurface } from './closing.js';
import { createWorkspace, newSurface } from './creating.js';
import type { Id, PaneRecord, SurfaceRecord, WorkspaceRecord } from './entities.js';
import { focusInside } from './focus.js';
import { type PlanNode, type PlannedSurface, plannedSurfaces } from './layout-plan.js';
import type { Model } from './model.js';
import type { NewWorkspacePlace } from './placement.js';
import { leaf, type SplitNode } from './split-tree.js';

/** A surface that stands for one of the layout. */
export interface Placed {
  readonly surface: SurfaceRecord;
  /** It was there already, and its program runs. */
  readonly isReused: boolean;
  /** Its title in the layout. */
  readonly title: string | null;
  /** Name for its agent. */
  readonly agentName: string | null;
}

/** While the layout is being built. */
interface Tab extends Placed {
  readonly focus: boolean;
}

export interface Built {
  readonly workspaceId: Id;
  /** In the order of the layout. */
  readonly placed: readonly Placed[];
  /** The terminal whose place the layout took. */
  readonly removed: Removed | null;
}

/** A new, unselected workspace with a layout in it. */
export function buildInNewWorkspace(
  model: Model,
  windowId: Id,
  place: NewWorkspacePlace,
  given: { readonly title?: string | undefined; readonly directory: string },
  root: PlanNode,
): Built {
  const [first, ...rest] = plannedSurfaces(root);
  if (first === undefined) throw new Error('a planned layout has a surface');
  const { workspace, surface } = createWorkspace(model, windowId, place, { title: given.title }, first.terminal);
  model.patchWorkspace(workspace.id, { directory: given.directory });
  const seed = tabOf(surface, first);
  const placed = [seed, ...fill(model, workspace.id, surface.paneId, root, seed, rest)];
  focusWanted(model, placed);
  return { workspaceId: workspace.id, placed, removed: null };
}

/**
 * A layout in a workspace that exists (programa-api §8.2). The only terminal of a workspace is its first surface, or makes
 * place for one that wants something else; beside anything more the layout gets a half of the focused pane, and what is
 * there stays.
 */
export function buildInWorkspace(model: Model, workspaceId: Id, root: PlanNode): Built {
  const workspace = model.workspace(workspaceId);
  const [only, ...more] = model.surfacesIn(workspace);
  const isInitial = only !== undefined && more.length === 0 && isPlainShell(only);
  return isInitial ? buildInstead(model, workspace, only, root) : buildBeside(model, workspace, root);
}

const isPlainShell = ({ type, launch, exit }: SurfaceRecord): boolean =>
  type === 'terminal' && launch.argv === null && exit === null;

function buildInstead(model: Model, workspace: WorkspaceRecord, initial: SurfaceRecord, root: PlanNode): Built {
  const [first, ...rest] = plannedSurfaces(root);
  if (first === undefined) throw new Error('a planned layout has a surface');
  const isReused = !first.isOwn && directoryFits(initial, first);
  const seed = isReused ? reused(model, initial, first) : replacement(model, initial, first);
  const removed = isReused ? null : removeSurface(model, initial);
  const placed = [seed, ...fill(model, workspace.id, initial.paneId, root, seed, rest)];
  focusWanted(model, placed);
  return { workspaceId: workspace.id, placed, removed };
}

const directoryFits = (initial: SurfaceRecord, { terminal }: PlannedSurface): boolean =>
  (initial.cwd ?? initial.launch.cwd) === terminal.launch.cwd;

function reused(model: Model, initial: SurfaceRecord, planned: PlannedSurface): Tab {
  const { title, declared, typedDue } = planned.terminal;
  model.patchSurface(initial.id, {
    ...(title === undefined ? {} : { customTitle: title }),
    ...(declared === undefined ? {} : { declared }),
    ...(typedDue == null ? {} : { typedDue }),
  });
  return { ...tabOf(model.surface(initial.id), planned), isReused: true };
}

function replacement(model: Model, initial: SurfaceRecord, planned: PlannedSurface): Tab {
  const surface = newSurface(model, initial.paneId, planned.terminal);
  model.patchPane(initial.paneId, { surfaceIds: [initial.id, surface.id], selectedId: surface.id });
  return tabOf(surface, planned);
}

const tabOf = (surface: SurfaceRecord, { terminal, agentName, focus }: PlannedSurface): Tab => ({
  surface,
  isReused: false,
  title: terminal.title ?? null,
  agentName,
  focus,
});

function buildBeside(model: Model, workspace: WorkspaceRecord, root: PlanNode): Built {
  const [first, ...rest] = plannedSurfaces(root);
  if (first === undefined) throw new Error('a planned layout has a surface');
  const pane = newPane(model, workspace.id);
  const seed = tabOf(newSurface(model, pane.id, first.terminal), first);
  model.panes.put({ ...pane, surfaceIds: [seed.surface.id], selectedId: seed.surface.id });
  model.patchWorkspace(workspace.id, {
    tree: besideLeaf(workspace.tree, workspace.focusedPaneId, pane.id, model.newId()),
  });
  const placed = [seed, ...fill(model, workspace.id, pane.id, root, seed, rest)];
  focusWanted(model, placed);
  return { workspaceId: workspace.id, placed, removed: null };
}

/**
 * Turns one pane, which holds the first surface already, into the tree of the layout.
 *
 * @param rest the other surfaces in the order of the tree
 */
function fill(
  model: Model,
  workspaceId: Id,
  seedPaneId: Id,
  root: PlanNode,
  seed: Tab,
  rest: readonly PlannedSurface[],
): Tab[] {
  const placed: Tab[] = [];
  const left = [...rest];
  let paneId: Id | null = seedPaneId;
  const take = (intoPane: Id, count: number): Tab[] =>
    left.splice(0, count).map((planned) => tabOf(newSurface(model, intoPane, planned.terminal), planned));
  const visit = (node: PlanNode): SplitNode => {
    if (node.kind === 'split') {
      const first = visit(node.first);
      return {
        kind: 'split',
        id: model.newId(),
        axis: node.axis,
        ratio: node.ratio,
        first,
        second: visit(node.second),
      };
    }
    const isSeed = paneId !== null;
    const pane: PaneRecord = paneId === null ? newPane(model, workspaceId) : model.pane(paneId);
    paneId = null;
    const added = take(pane.id, node.surfaces.length - (isSeed ? 1 : 0));
    placed.push(...added);
    const tabs = [...(isSeed ? [seed] : []), ...added];
    putTabs(model, pane, tabs);
    return leaf(pane.id);
  };
  const subtree = visit(root);
  const { tree } = model.workspace(workspaceId);
  model.patchWorkspace(workspaceId, { tree: replaceLeaf(tree, seedPaneId, subtree) });
  return placed;
}

function putTabs(model: Model, pane: PaneRecord, tabs: readonly Tab[]): void {
  const ids = tabs.map(({ surface }) => surface.id);
  const inFront = tabs.find(({ focus }) => focus) ?? tabs[0];
  model.panes.put({ ...pane, surfaceIds: ids, selectedId: inFront?.surface.id ?? pane.selectedId });
}

function newPane(model: Model, workspaceId: Id): PaneRecord {
  return { id: model.newId(), ref: model.nextRef('pane'), workspaceId, surfaceIds: [], selectedId: '' };
}

function replaceLeaf(node: SplitNode, paneId: Id, subtree: SplitNode): SplitNode {
  if (node.kind === 'leaf') return node.paneId === paneId ? subtree : node;
  return {
    ...node,
    first: replaceLeaf(node.first, paneId, subtree),
    second: replaceLeaf(node.second, paneId, subtree),
  };
}

const besideLeaf = (tree: SplitNode, paneId: Id, added: Id, splitId: Id): SplitNode =>
  replaceLeaf(tree, paneId, {
    kind: 'split',
    id: splitId,
    axis: 'horizontal',
    ratio: 0.5,
    first: leaf(paneId),
    second: leaf(added),
  });

/** Inside its workspace; the selection of the workspace is nobody's business here (programa-api §6.2). */
function focusWanted(model: Model, placed: readonly Tab[]): void {
  const wanted = placed.find(({ focus }) => focus) ?? placed[0];
  if (wanted !== undefined) focusInside(model, wanted.surface.id);
}
