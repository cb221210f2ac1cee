import type { HandlersIn } from '@switchyard/protocol';
import { directoryOf } from '../domain/creating.js';
import type { WindowRecord } from '../domain/entities.js';
import { requiredId } from '../domain/handles.js';
import type { Model } from '../domain/model.js';
import { resolveWindow } from '../domain/resolve.js';
import { ids, where } from '../domain/views.js';
import { perform, type Services } from '../services.js';
import type { Call } from '../yard-state.js';
import { placeOf } from './targets.js';

type PlaceHandlers = Pick<
  HandlersIn<'workspace', 'workspace-service', Call>,
  'workspace.places' | 'workspace.set_directory'
>;

/** Which workspace is on which directory: for the git-service, which makes and finds workspaces of worktrees. */
export function workspacePlaceHandlers(services: Services): PlaceHandlers {
  const { model } = services;
  return {
    'workspace.places': (params) => {
      const window = resolveWindow(model, params);
      const others = model.yard.windowIds.filter((id) => id !== window.id).map((id) => model.window(id));
      return { ...ids('window', window), places: [window, ...others].flatMap((each) => placesIn(model, each)) };
    },
    'workspace.set_directory': ({ workspace_id, directory }, call) => {
      const id = requiredId(model, 'workspace', workspace_id);
      return perform(services, call, () => {
        model.patchWorkspace(id, { directory });
        return where(placeOf(model, id));
      });
    },
  };
}

function placesIn(model: Model, window: WindowRecord) {
  return window.workspaceIds.map((id) => {
    const workspace = model.workspace(id);
    return {
      ...where({ window, workspace }),
      directory: workspace.directory,
      current_directory: directoryOf(model, model.focusedSurface(workspace)),
    };
  });
}
