import { agentProgram } from './agent-kinds.js';
import type { NewTerminal } from './creating.js';
import { resolveDirectory } from './paths.js';
import { type LayoutNode, LayoutProblem, type LayoutSurface, type SavedLayout } from './saved-layout.js';
import { type Axis, clampRatio } from './split-tree.js';

/** A layout with everything decided that can be decided before it meets the model. */
export type PlanNode = PlanLeaf | PlanSplit;

export interface PlanLeaf {
  readonly kind: 'leaf';
  /** At least one. */
  readonly surfaces: readonly PlannedSurface[];
}

export interface PlanSplit {
  readonly kind: 'split';
  readonly axis: Axis;
  readonly ratio: number;
  readonly first: PlanNode;
  readonly second: PlanNode;
}

export interface PlannedSurface {
  readonly terminal: NewTerminal;
  /** Its layout names a directory or variables or a program: a shell that is there already is not what it means. */
  readonly isOwn: boolean;
  readonly focus: boolean;
  /** Name for its agent. */
  readonly agentName: string | null;
}

/** Something of a layout that was left out. */
export interface Skipped {
  /** Title or type of a surface. */
  readonly what: string;
  readonly reason: string;
}

export interface LayoutPlan {
  /** null: nothing of it can be shown here. */
  readonly root: PlanNode | null;
  readonly skipped: readonly Skipped[];
}

export interface PlanContext {
  /** Directory that relative ones start from. */
  readonly base: string;
  readonly home: string;
  readonly host: string;
  /** Panes that there is room for. */
  readonly room: number;
}

/** Panes beyond the room, and surfaces that need a screen, are left out; their split collapses to its other child. */
export function planLayout(saved: SavedLayout, context: PlanContext): LayoutPlan {
  const skipped: Skipped[] = [];
  let room = context.room;
  const visit = (node: LayoutNode, at: string): PlanNode | null => {
    if (!('pane' in node)) {
      const first = visit(node.children[0], `${at}.children[0]`);
      const second = visit(node.children[1], `${at}.children[1]`);
      if (first === null || second === null) return first ?? second;
      return { kind: 'split', axis: node.direction, ratio: clampRatio(node.split ?? 0.5), first, second };
    }
    const wanted = node.pane.surfaces.filter((surface) => surface.type === 'terminal');
    for (const surface of node.pane.surfaces) {
      if (surface.type !== 'terminal') skipped.push({ what: nameOf(surface), reason: `no ${surface.type} here` });
    }
    if (wanted.length === 0) return null;
    if (room === 0) {
      for (const surface of wanted) skipped.push({ what: nameOf(surface), reason: 'no room for another pane' });
      return null;
    }
    room--;
    return {
      kind: 'leaf',
      surfaces: wanted.map((surface, i) => planned(surface, saved.name, `${at}.pane.surfaces[${i}]`, context)),
    };
  };
  return { root: visit(saved.layout, 'layout'), skipped };
}

export function plannedSurfaces(node: PlanNode): PlannedSurface[] {
  return node.kind === 'leaf' ? [...node.surfaces] : [...plannedSurfaces(node.first), ...plannedSurfaces(node.second)];
}

const nameOf = ({ name, type }: LayoutSurface): string => name ?? type;

function planned(surface: LayoutSurface, layout: string, at: string, context: PlanContext): PlannedSurface {
  const { cwd, env = {}, name, command = null, agent, focus = false } = surface;
  const program = programOf(surface, at);
  const isOwnPlace = cwd !== undefined && cwd !== '.';
  return {
    terminal: {
      launch: {
        argv: program?.argv ?? null,
        cwd: cwd === undefined ? context.base : resolveDirectory(cwd, context.base, context.home),
        env: program?.env ?? env,
      },
      host: context.host,
      title: name,
      remainOnExit: surface.remainOnExit,
      declared: { layout, command },
      typedDue: command,
      unstarted: true,
    },
    isOwn: isOwnPlace || program !== undefined || surface.remainOnExit === true || Object.keys(env).length > 0,
    focus,
    agentName: agent?.name ?? null,
  };
}

function programOf({ argv, agent, env }: LayoutSurface, at: string) {
  if (agent === undefined) return argv === undefined ? undefined : { argv, env: env ?? {} };
  const program = agentProgram({ ...agent, command: argv, env });
  if (program !== undefined) return program;
  throw new LayoutProblem(`${at}.agent.kind`, 'is no agent that is known: say with `argv` how it is started');
}
