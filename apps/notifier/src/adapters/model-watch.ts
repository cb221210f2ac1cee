import type { Bus, Log } from '@switchyard/bus';
import type { NotificationStore } from './notification-store.js';

/**
 * Keeps the notifications in step with the surfaces: those of closed ones go, those of the focused one are read.
 * Marks can be missed while a connection is down, so the whole tree is asked for whenever there is a new one.
 * @returns ends the watch
 */
export function watchModel(bus: Bus, store: NotificationStore, log: Log): () => void {
  const catchUp = () => {
    reconcile(bus, store).catch((error: Error) => {
      // Not running yet: its `service.ready` brings us here again.
      log.debug({ reason: error.message }, 'the model could not be asked for');
    });
  };
  const ends = [
    bus.subscribe('surface.closed', ({ surface_id }) => store.removeOfSurface(surface_id)),
    bus.subscribe('workspace.closed', ({ workspace_id }) => store.removeOfWorkspace(workspace_id)),
    bus.subscribe('surface.focused', ({ surface_id }) => store.markRead(surface_id)),
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

async function reconcile(bus: Bus, store: NotificationStore): Promise<void> {
  const notified = store.list();
  if (notified.length === 0) return;
  const { windows } = await bus.call('system.tree', { all_windows: true });
  const living = new Set(
    windows
      .flatMap(({ workspaces }) => workspaces)
      .flatMap(({ panes }) => panes)
      .flatMap(({ surface_ids }) => surface_ids),
  );
  for (const { surface_id } of notified) {
    if (!living.has(surface_id)) store.removeOfSurface(surface_id);
  }
}
