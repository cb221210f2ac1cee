import type { AnyMethod } from './define.js';

export type TargetKind = 'window' | 'workspace' | 'pane' | 'surface';

/** A parameter of a method that names a thing of the tree. */
export interface TargetParam {
  readonly name: string;
  readonly kind: TargetKind;
  /** It is a list of handles. */
  readonly many: boolean;
}

export interface Targets {
  readonly params: readonly TargetParam[];
  /** Parameters that pick a thing by something else than a handle, such as the name of an agent. */
  readonly picks: readonly string[];
}

interface Marked {
  readonly type?: string;
  readonly 'x-kind'?: TargetKind;
  readonly 'x-picks'?: boolean;
}

const known = new WeakMap<AnyMethod, Targets>();

/** By which of its parameters a method is told what to act on. */
export function targetsOf(spec: AnyMethod): Targets {
  const before = known.get(spec);
  if (before !== undefined) return before;
  const marked = Object.entries(spec.params.properties as Record<string, Marked>);
  const targets = {
    params: marked.flatMap(([name, { 'x-kind': kind, type }]) =>
      kind === undefined ? [] : [{ name, kind, many: type === 'array' }],
    ),
    picks: marked.filter(([, mark]) => mark['x-picks']).map(([name]) => name),
  };
  known.set(spec, targets);
  return targets;
}
