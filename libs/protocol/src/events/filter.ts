import type { EventPlace } from './journal.js';

/** Which events somebody wants. What is not given excludes nothing. */
export interface EventFilter {
  readonly kinds?: ReadonlySet<string> | undefined;
  /** Canonical ids. With `workspaces` an event may be in either. */
  readonly surfaces?: ReadonlySet<string> | undefined;
  readonly workspaces?: ReadonlySet<string> | undefined;
}

export function passes(filter: EventFilter, event: EventPlace & { readonly kind: string }): boolean {
  const { kinds, surfaces, workspaces } = filter;
  if (kinds !== undefined && !kinds.has(event.kind)) return false;
  if (surfaces === undefined && workspaces === undefined) return true;
  const isIn = (ids: ReadonlySet<string> | undefined, id: string | null) => id !== null && ids?.has(id) === true;
  return isIn(surfaces, event.surface_id) || isIn(workspaces, event.workspace_id);
}
