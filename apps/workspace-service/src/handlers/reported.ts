import { fail } from '@switchyard/protocol';
import type { Id } from '../domain/entities.js';
import { formatRef, readHandle } from '../domain/handles.js';
import type { Model } from '../domain/model.js';

/** A target that a report names, which may be gone: that is no fault of the reporter (programa-api decision 6). */
export interface Reported<E> {
  /** undefined: nothing has that handle. */
  readonly id: Id | undefined;
  /** The target as the answer names it. */
  readonly echo: E;
}

interface WorkspaceEcho {
  readonly workspace_id: string;
  readonly workspace_ref: string | null;
}
interface SurfaceEcho extends WorkspaceEcho {
  readonly surface_id: string;
  readonly surface_ref: string | null;
}

/** @throws `invalid_params` for what is no handle */
export function reportedWorkspace(model: Model, text: string): Reported<WorkspaceEcho> {
  const { id, ref } = named(model, 'workspace', text);
  return { id, echo: { workspace_id: id ?? text, workspace_ref: ref } };
}

/** @throws `invalid_params` for what is no handle */
export function reportedSurface(
  model: Model,
  params: { readonly workspace_id: string; readonly surface_id: string },
): Reported<SurfaceEcho> {
  const { echo } = reportedWorkspace(model, params.workspace_id);
  const { id, ref } = named(model, 'surface', params.surface_id);
  return { id, echo: { ...echo, surface_id: id ?? params.surface_id, surface_ref: ref } };
}

function named(model: Model, kind: 'workspace' | 'surface', text: string) {
  const handle = readHandle(model, kind, text);
  if (handle.is === 'unreadable') {
    return fail('invalid_params', `Missing or invalid ${kind}_id`, { parameter: `${kind}_id` });
  }
  if (handle.is !== 'known') return { id: undefined, ref: null };
  const { ref } = kind === 'workspace' ? model.workspace(handle.id) : model.surface(handle.id);
  return { id: handle.id, ref: formatRef(kind, ref) };
}
