import type { Bus, CallOptions } from '@switchyard/bus';
import type { Result } from '@switchyard/protocol';
import { canonicalPath } from './adapters/canonical-path.js';

export type Place = Result<'workspace.places'>['places'][number];
/** Ids and refs of a window and a workspace, as results carry them. */
export type Shown = Pick<Place, 'window_id' | 'window_ref' | 'workspace_id' | 'workspace_ref'>;

/** Which workspace is on which directory. */
export interface Places {
  /** The resolved window. */
  readonly window_id: string;
  /** The workspace that was opened on a directory; else one whose focused terminal is there. Of several the first. */
  at(path: string): Place | undefined;
  /** Only the former: what may be taken as belonging to the directory. */
  openedOn(path: string): Place | undefined;
}

/**
 * Asks the workspace-service, whose workspaces of all windows count; those of the resolved window come first.
 * @throws `unavailable` when there is no such window, or none at all
 */
export async function placesOf(bus: Bus, options: CallOptions, window_id?: string): Promise<Places> {
  const answer = await bus.call('workspace.places', window_id === undefined ? {} : { window_id }, options);
  const opened = new Map<string, Place>();
  const shown = new Map<string, Place>();
  for (const place of answer.places) {
    await note(opened, place.directory, place);
    if (place.current_directory !== null) await note(shown, place.current_directory, place);
  }
  return {
    window_id: answer.window_id,
    at: (path) => opened.get(path) ?? shown.get(path),
    openedOn: (path) => opened.get(path),
  };
}

/** @returns what of a place a result tells; nulls when there is none */
export function workspaceIds(place: Place | undefined) {
  return {
    is_open: place !== undefined,
    workspace_id: place?.workspace_id ?? null,
    workspace_ref: place?.workspace_ref ?? null,
  };
}

export function shownIn({ window_id, window_ref, workspace_id, workspace_ref }: Shown): Shown {
  return { window_id, window_ref, workspace_id, workspace_ref };
}

async function note(places: Map<string, Place>, directory: string, place: Place): Promise<void> {
  const path = await canonicalPath(directory);
  if (!places.has(path)) places.set(path, place);
}
