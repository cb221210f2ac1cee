import type { Bus } from '@switchyard/bus';
import { SwitchyardError } from '@switchyard/protocol';
import type { Place } from '../domain/words.js';

const GONE: ReadonlySet<string> = new Set(['not_found', 'unavailable']);

/** Where a surface is and what it is called. @returns undefined: it is not in the tree (any more) */
export function placeOfSurface(bus: Pick<Bus, 'call'>, surfaceId: string): Promise<Place | undefined> {
  return unlessGone(bus.call('notification.place', { surface_id: surfaceId }));
}

/** The same of a workspace, of which some surface is told. */
export function placeOfWorkspace(bus: Pick<Bus, 'call'>, workspaceId: string): Promise<Place | undefined> {
  return unlessGone(bus.call('notification.place', { workspace_id: workspaceId }));
}

async function unlessGone(asked: Promise<Place>): Promise<Place | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof SwitchyardError && GONE.has(error.code)) return undefined;
    throw error;
  }
}
