import type { Bus } from '@switchyard/bus';
import type { Log } from '@switchyard/service';
import type { Desk } from '../desk.js';
import { placeOfSurface } from './places.js';

/**
 * Keeps the notifications in step with the surfaces: those of closed ones go, those of the focused one are read.
 * Marks can be missed while a connection is down, so the whole tree is asked for whenever there is a new one.
 * @returns ends the watch
 */
export function watchModel(bus: Bus, desk: Desk, log: Log): () => void {
  const later = (work: Promise<void>, message: string) => {
    // Not running yet: its `service.ready` brings us here again.
    work.catch((error: Error) => log.debug({ reason: error.message }, message));
  };
  const catchUp = () => later(reconcile(bus, desk), 'the model could not be asked for');
  const ends = [
    bus.subscribe('surface.closed', ({ surface_id }) => clearIfAny(desk, { surfaceId: surface_id })),
    bus.subscribe('workspace.closed', ({ workspace_id }) => {
      clearIfAny(desk, { workspaceId: workspace_id });
      desk.rules.set(workspace_id, undefined);
    }),
    bus.subscribe('surface.focused', ({ surface_id }) => {
      later(seen(bus, desk, surface_id), 'a focused surface could not be asked for');
    }),
    bus.subscribe('service.ready', ({ service }) => {
      if (service === 'workspace-service') catchUp();
    }),
    bus.onReconnect(catchUp),
  ];
  catchUp();
  return () => {
    for (const end of ends) end();
  };
}

function clearIfAny(desk: Desk, filter: { surfaceId: string } | { workspaceId: string }): void {
  if (desk.items.matching(filter).length > 0) desk.change(() => desk.clear(filter));
}

/** A person who brings a surface to the front sees what it has to tell; it flashes, as the peer's does. */
async function seen(bus: Bus, desk: Desk, surfaceId: string): Promise<void> {
  if (desk.items.of(surfaceId)?.is_read !== false) return;
  const place = await placeOfSurface(bus, surfaceId);
  if (place === undefined || place.override === false) return;
  desk.change(() => desk.mark({ surfaceId }, true));
  await bus.call('surface.trigger_flash', { surface_id: surfaceId });
}

async function reconcile(bus: Bus, desk: Desk): Promise<void> {
  const [notified, rules] = [desk.items.matching({}), desk.rules.all()];
  if (notified.length === 0 && rules.length === 0) return;
  const { windows } = await bus.call('system.tree', { all_windows: true });
  const workspaces = windows.flatMap((window) => window.workspaces);
  const living = new Set(workspaces.map(({ id }) => id));
  const surfaces = new Set(workspaces.flatMap(({ panes }) => panes).flatMap(({ surface_ids }) => surface_ids));
  const isGone = (surfaceId: string | null, workspaceId: string) =>
    surfaceId === null ? !living.has(workspaceId) : !surfaces.has(surfaceId);
  const gone = notified.filter((item) => isGone(item.surface_id, item.workspace_id)).map(({ id }) => id);
  if (gone.length > 0) desk.change(() => desk.clear({ ids: gone }));
  for (const { workspace_id } of rules) if (!living.has(workspace_id)) desk.rules.set(workspace_id, undefined);
}
