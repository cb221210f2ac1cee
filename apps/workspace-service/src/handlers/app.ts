import { fail, type HandlersIn } from '@switchyard/protocol';
import { knownBrowsers } from '../browsers.js';
import { frontSurface } from '../domain/identity.js';
import type { Services } from '../services.js';
import type { Call } from '../yard-state.js';

const OVERRIDES = { active: true, inactive: false, clear: null } as const;

export function appHandlers(services: Services): HandlersIn<'app', 'workspace-service', Call> {
  const { bus, model, flashes, config, appFocus, reloadConfig } = services;
  return {
    'app.focus_override.set': ({ state, focused }) => {
      const override = state === undefined ? focused : OVERRIDES[state];
      if (override === undefined) return fail('invalid_params', 'Missing or invalid state', { parameter: 'state' });
      appFocus.override = override;
      return { override };
    },
    'app.simulate_active': () => {
      const front = frontSurface(model);
      if (front) {
        flashes.trigger(front.surface.id);
        bus.publish('surface.focused', { surface_id: front.surface.id, workspace_id: front.workspace.id });
      }
      return {};
    },
    'app.reload_config': async () => {
      await reloadConfig();
      return { reloaded: true };
    },
    'app.browsers': () => knownBrowsers(config().facts.base),
  };
}
