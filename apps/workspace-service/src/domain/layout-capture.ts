import { posix } from 'node:path';
import { AGENT_HINT, agentKind } from './agent-kinds.js';
import { directoryOf } from './creating.js';
import type { Id, SurfaceRecord, WorkspaceRecord } from './entities.js';
import type { Model } from './model.js';
import type { LayoutNode, LayoutSurface } from './saved-layout.js';
import type { SplitNode } from './split-tree.js';

export interface CaptureOptions {
  /** `programa`: only what the peer captures: splits, titles and directories. */
  readonly schema: 'native' | 'programa';
  /** Also variables that did not come from a layout. */
  readonly env: boolean;
  /** Name of the agent in a surface. */
  readonly agentNameOf: (id: Id) => string | null;
}

/**
 * How a workspace is arranged, as a layout. What is no terminal is left out, and its split collapses to the other child.
 *
 * @returns null when nothing is left
 */
export function captureLayout(model: Model, workspace: WorkspaceRecord, options: CaptureOptions): LayoutNode | null {
  const visit = (node: SplitNode): LayoutNode | null => {
    if (node.kind === 'split') {
      const first = visit(node.first);
      const second = visit(node.second);
      if (first === null || second === null) return first ?? second;
      return { direction: node.axis, split: node.ratio, children: [first, second] };
    }
    const surfaces = model
      .pane(node.paneId)
      .surfaceIds.map((id) => model.surface(id))
      .filter(({ type }) => type === 'terminal')
      .map((surface) => captured(model, surface, workspace, options));
    return surfaces.length === 0 ? null : { pane: { surfaces } };
  };
  return visit(workspace.tree);
}

function captured(
  model: Model,
  surface: SurfaceRecord,
  workspace: WorkspaceRecord,
  options: CaptureOptions,
): LayoutSurface {
  const cwd = relativeCwd(directoryOf(model, surface), workspace.directory);
  return {
    type: 'terminal',
    ...(surface.customTitle === null ? {} : { name: surface.customTitle }),
    ...(cwd === null ? {} : { cwd }),
    ...(options.schema === 'native' ? program(surface, options) : {}),
  };
}

/** Inside the root it is relative to it, so that the layout can be opened elsewhere; null: the root itself. */
function relativeCwd(directory: string, root: string): string | null {
  const path = posix.relative(root, directory);
  if (path === '') return null;
  return path === '..' || path.startsWith('../') ? directory : path;
}

function program(surface: SurfaceRecord, { env, agentNameOf }: CaptureOptions): Partial<LayoutSurface> {
  const { launch, declared, remainOnExit } = surface;
  const { [AGENT_HINT]: hint, ...variables } = launch.env;
  const keepsEnv = (env || declared !== undefined) && Object.keys(variables).length > 0;
  const command = declared?.command ?? null;
  return {
    ...(command === null ? {} : { command }),
    ...(keepsEnv ? { env: variables } : {}),
    ...(hint === undefined ? argvOf(launch.argv) : agentOf(hint, launch.argv ?? [], agentNameOf(surface.id))),
    ...(remainOnExit ? { remainOnExit } : {}),
  };
}

const argvOf = (argv: readonly string[] | null): Partial<LayoutSurface> => (argv === null ? {} : { argv });

/** With its usual command only the arguments are worth a word. */
function agentOf(kind: string, argv: readonly string[], name: string | null): Partial<LayoutSurface> {
  const [program, ...args] = argv;
  const isUsual = program === agentKind(kind)?.command;
  const agent = { kind, ...(isUsual && args.length > 0 ? { args } : {}), ...(name === null ? {} : { name }) };
  return isUsual ? { agent } : { agent, argv };
}
