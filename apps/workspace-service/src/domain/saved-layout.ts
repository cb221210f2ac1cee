import type { Axis } from './split-tree.js';

/**
 * A layout as it stands in its file (programa-api §8.2): the schema of the peer, with more that a terminal can say of
 * itself. A reader of the peer ignores what it does not know.
 */
export interface SavedLayout {
  readonly schemaVersion: typeof LAYOUT_VERSION;
  readonly name: string;
  /** ISO 8601. */
  readonly savedAt: string;
  readonly layout: LayoutNode;
}

export type LayoutNode = LayoutPane | LayoutSplit;

export interface LayoutPane {
  readonly pane: { readonly surfaces: readonly LayoutSurface[] };
}

export interface LayoutSplit {
  /** `horizontal`: side by side. */
  readonly direction: Axis;
  /** Share of the first child, 0.1 to 0.9; absent: half. */
  readonly split?: number;
  readonly children: readonly [LayoutNode, LayoutNode];
}

export interface LayoutSurface {
  /** `terminal`, `browser`, or what a later version has. */
  readonly type: string;
  /** Its custom title. */
  readonly name?: string;
  /** Typed into its shell. */
  readonly command?: string;
  /** Absolute, from `~`, or from the root of the workspace; absent: that root. */
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly url?: string;
  /** It becomes the focused one of its workspace. */
  readonly focus?: boolean;
  /** Ours: a program in place of the shell. */
  readonly argv?: readonly string[];
  /** Ours: an agent in place of the shell. With `argv` that is how it is started. */
  readonly agent?: LayoutAgent;
  /** Ours: stays, readable, when its program ends. */
  readonly remainOnExit?: boolean;
}

export interface LayoutAgent {
  /** Its id or the name of its command. */
  readonly kind: string;
  readonly args?: readonly string[];
  /** Name to call it by. */
  readonly name?: string;
}

export const LAYOUT_VERSION = 1;
/** A tree deeper than this was not made by hand or by a screen. */
const DEEPEST = 64;
/** As many as a whole window of the peer may have. */
const MOST_SURFACES = 512;

/** A file that holds no layout. */
export class LayoutProblem extends Error {
  /** Where in the file, e.g. `layout.children[1].pane`. */
  readonly at: string;
  readonly kind: 'version' | 'shape';

  constructor(at: string, message: string, kind: LayoutProblem['kind'] = 'shape') {
    super(`${at}: ${message}`);
    this.name = 'LayoutProblem';
    this.at = at;
    this.kind = kind;
  }
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * @param value the parsed JSON of a file
 * @param fileName without its ending: the name of a layout is that of its file
 * @throws LayoutProblem
 */
export function readLayout(value: unknown, fileName: string): SavedLayout {
  const fields = objectAt(value, 'the file');
  const { schemaVersion, savedAt } = fields;
  if (schemaVersion !== LAYOUT_VERSION) {
    throw new LayoutProblem(
      'schemaVersion',
      `must be ${LAYOUT_VERSION}, is ${JSON.stringify(schemaVersion)}`,
      'version',
    );
  }
  const layout = nodeAt(fields['layout'], 'layout', 1);
  const count = surfaceCount(layout);
  if (count > MOST_SURFACES)
    throw new LayoutProblem('layout', `has ${count} surfaces, at most ${MOST_SURFACES} are allowed`);
  return { schemaVersion, name: fileName, savedAt: typeof savedAt === 'string' ? savedAt : '', layout };
}

export function paneCount(node: LayoutNode): number {
  return 'pane' in node ? 1 : paneCount(node.children[0]) + paneCount(node.children[1]);
}

export function surfaceCount(node: LayoutNode): number {
  if ('pane' in node) return node.pane.surfaces.length;
  return surfaceCount(node.children[0]) + surfaceCount(node.children[1]);
}

function nodeAt(value: unknown, at: string, depth: number): LayoutNode {
  if (depth > DEEPEST) throw new LayoutProblem(at, `is deeper than ${DEEPEST} splits`);
  const fields = objectAt(value, at);
  const isPane = present(fields, 'pane');
  if (isPane === present(fields, 'direction')) throw new LayoutProblem(at, 'needs either `pane` or `direction`');
  return isPane ? paneAt(fields['pane'], `${at}.pane`) : splitAt(fields, at, depth);
}

function paneAt(value: unknown, at: string): LayoutPane {
  const surfaces = listAt(objectAt(value, at)['surfaces'], `${at}.surfaces`);
  if (surfaces.length === 0) throw new LayoutProblem(`${at}.surfaces`, 'must not be empty');
  return { pane: { surfaces: surfaces.map((one, i) => surfaceAt(one, `${at}.surfaces[${i}]`)) } };
}

function splitAt(fields: Fields, at: string, depth: number): LayoutSplit {
  const { direction, split } = fields;
  if (direction !== 'horizontal' && direction !== 'vertical') {
    throw new LayoutProblem(`${at}.direction`, 'must be `horizontal` or `vertical`');
  }
  const children = listAt(fields['children'], `${at}.children`);
  if (children.length !== 2) throw new LayoutProblem(`${at}.children`, `must be two, are ${children.length}`);
  const [first, second] = children.map((child, i) => nodeAt(child, `${at}.children[${i}]`, depth + 1));
  const pair = [first, second] as [LayoutNode, LayoutNode];
  if (split === undefined || split === null) return { direction, children: pair };
  if (typeof split !== 'number' || !Number.isFinite(split)) throw new LayoutProblem(`${at}.split`, 'must be a number');
  return { direction, split, children: pair };
}

function surfaceAt(value: unknown, at: string): LayoutSurface {
  const fields = objectAt(value, at);
  const surface: LayoutSurface = {
    type: textAt(fields, 'type', at) ?? 'terminal',
    ...given('name', textAt(fields, 'name', at)),
    ...given('command', textAt(fields, 'command', at)),
    ...given('cwd', textAt(fields, 'cwd', at)),
    ...given('env', present(fields, 'env') ? textsByNameAt(fields['env'], `${at}.env`) : undefined),
    ...given('url', textAt(fields, 'url', at)),
    ...given('focus', flagAt(fields, 'focus', at)),
    ...given('argv', present(fields, 'argv') ? textsAt(fields['argv'], `${at}.argv`) : undefined),
    ...given('agent', present(fields, 'agent') ? agentAt(fields['agent'], `${at}.agent`) : undefined),
    ...given('remainOnExit', flagAt(fields, 'remainOnExit', at)),
  };
  if (surface.argv !== undefined && !surface.argv[0]) throw new LayoutProblem(`${at}.argv`, 'names no program');
  const hasProgram = surface.argv !== undefined || surface.agent !== undefined;
  if (surface.command !== undefined && hasProgram) {
    throw new LayoutProblem(`${at}.command`, 'is typed into a shell, so it goes with neither `argv` nor `agent`');
  }
  return surface;
}

function agentAt(value: unknown, at: string): LayoutAgent {
  const fields = objectAt(value, at);
  const kind = textAt(fields, 'kind', at);
  if (kind === undefined) throw new LayoutProblem(`${at}.kind`, 'is missing');
  return {
    kind,
    ...given('args', present(fields, 'args') ? textsAt(fields['args'], `${at}.args`) : undefined),
    ...given('name', textAt(fields, 'name', at)),
  };
}

/** As a member to spread: an absent one stays absent. */
function given<K extends string, V>(name: K, value: V | undefined): { readonly [P in K]?: V } {
  return value === undefined ? {} : ({ [name]: value } as { readonly [P in K]: V });
}

/** null is how some writers say nothing. */
const present = (fields: Fields, name: string): boolean => fields[name] !== undefined && fields[name] !== null;

function objectAt(value: unknown, at: string): Fields {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  throw new LayoutProblem(at, 'must be an object');
}

function listAt(value: unknown, at: string): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new LayoutProblem(at, 'must be a list');
}

/** Blank counts as absent. What goes to the operating system must not hold a NUL. */
function textAt(fields: Fields, name: string, at: string): string | undefined {
  if (!present(fields, name)) return undefined;
  const value = checkedText(fields[name], `${at}.${name}`);
  return value.trim() === '' ? undefined : value;
}

function flagAt(fields: Fields, name: string, at: string): boolean | undefined {
  if (!present(fields, name)) return undefined;
  const value = fields[name];
  if (typeof value !== 'boolean') throw new LayoutProblem(`${at}.${name}`, 'must be true or false');
  return value;
}

function textsAt(value: unknown, at: string): string[] {
  return listAt(value, at).map((one, i) => checkedText(one, `${at}[${i}]`));
}

function textsByNameAt(value: unknown, at: string): Record<string, string> {
  const entries = Object.entries(objectAt(value, at));
  const wrong = entries.find(([name]) => name === '' || /[=\0]/.test(name));
  if (wrong) throw new LayoutProblem(at, `${JSON.stringify(wrong[0])} is no name of a variable`);
  return Object.fromEntries(entries.map(([name, one]) => [name, checkedText(one, `${at}.${name}`)]));
}

function checkedText(value: unknown, at: string): string {
  if (typeof value !== 'string') throw new LayoutProblem(at, 'must be a string');
  if (value.includes('\0')) throw new LayoutProblem(at, 'must not hold a NUL');
  return value;
}
