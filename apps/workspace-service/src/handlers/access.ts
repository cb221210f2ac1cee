import type { HandlersIn } from '@switchyard/protocol';
import type { RefKind } from '../domain/entities.js';
import { readHandle } from '../domain/handles.js';
import type { Model } from '../domain/model.js';
import type { Services } from '../services.js';
import type { Call } from '../yard-state.js';

/** What the gateway asks before it lets a confined caller act. */
export function accessHandlers({ model }: Services): HandlersIn<'access', 'workspace-service', Call> {
  return {
    'access.locate': ({ handles }) => ({
      places: handles.map(({ kind, handle }) => {
        const found = readHandle(model, kind, handle);
        return found.is === 'known' ? placeOf(model, kind, found.id) : null;
      }),
    }),
  };
}

function placeOf(model: Model, kind: RefKind, id: string) {
  const nowhere = { id, workspace_id: null, surface_id: null, host: null };
  if (kind === 'window') return nowhere;
  if (kind === 'workspace') return { ...nowhere, workspace_id: id };
  if (kind === 'pane') return { ...nowhere, workspace_id: model.pane(id).workspaceId };
  const surface = model.surface(id);
  const { workspaceId } = model.pane(surface.paneId);
  return { id, workspace_id: workspaceId, surface_id: id, host: surface.host };
}
