import type { HandlersIn } from '@switchyard/protocol';
import { frontSurface } from '../domain/identity.js';
import { resolveSurface } from '../domain/resolve.js';
import { surfaceTitle, workspaceTitle } from '../domain/titles.js';
import { ids } from '../domain/views.js';
import type { Services } from '../services.js';
import type { Call } from '../yard-state.js';

/** What the notifier has to know of the surface that a text is about. */
export function notificationHandlers(services: Services): HandlersIn<'notification', 'workspace-service', Call> {
  const { model, agents, appFocus } = services;
  return {
    'notification.place': (params) => {
      const { window, workspace, surface } = resolveSurface(model, params, 'not_found');
      const { agent, state } = agents.statusOf(surface.id);
      return {
        ...ids('window', window),
        ...ids('workspace', workspace),
        ...ids('surface', surface),
        host: surface.host,
        workspace_title: workspaceTitle(model, workspace),
        surface_title: surfaceTitle(surface),
        custom_title: surface.customTitle,
        agent,
        has_agent_state: state !== null,
        front: frontSurface(model)?.surface.id === surface.id,
        override: appFocus.override,
      };
    },
  };
}
