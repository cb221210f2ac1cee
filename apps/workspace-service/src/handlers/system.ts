import type { Handlers } from '@switchyard/protocol';
import { optionalId } from '../domain/handles.js';
import { callerPlace, frontSurface, identityOf, windowNode } from '../domain/identity.js';
import { resolveWindow } from '../domain/resolve.js';
import type { Services } from '../services.js';
import type { Call } from '../yard-state.js';
import { placeOf } from './targets.js';

type SystemMethods = 'system.identify' | 'system.tree';

export function systemHandlers(services: Services): Pick<Handlers<'workspace-service', Call>, SystemMethods> {
  const { model, terminals, config } = services;
  const focused = () => {
    const front = frontSurface(model);
    return front ? identityOf(front) : null;
  };
  const ttyOf = (id: string) => terminals.running(id)?.tty ?? null;
  return {
    'system.identify': (params) => ({
      socket_path: config().socketPath,
      focused: focused(),
      caller: callerPlace(model, params.caller),
    }),
    'system.tree': (params) => {
      const head = { active: focused(), caller: callerPlace(model, params.caller) };
      const workspaceId = optionalId(model, 'workspace', params.workspace_id);
      if (workspaceId !== undefined) {
        const { window } = placeOf(model, workspaceId);
        return { ...head, windows: [windowNode(model, window, [workspaceId], ttyOf)] };
      }
      const windows = params.all_windows
        ? model.yard.windowIds.map((id) => model.window(id))
        : [resolveWindow(model, { window_id: params.window_id })];
      return { ...head, windows: windows.map((window) => windowNode(model, window, window.workspaceIds, ttyOf)) };
    },
  };
}
