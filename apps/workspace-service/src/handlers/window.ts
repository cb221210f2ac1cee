import type { HandlersIn } from '@switchyard/protocol';
import { removeWindow } from '../domain/closing.js';
import { createWindow } from '../domain/creating.js';
import { activateWindow } from '../domain/focus.js';
import { requiredId } from '../domain/handles.js';
import { resolveWindow } from '../domain/resolve.js';
import { markFocus } from '../domain/undo.js';
import { ids, windowRow } from '../domain/views.js';
import { perform, type Services, settle } from '../services.js';
import type { Call } from '../yard-state.js';

export function windowHandlers(services: Services): HandlersIn<'window', 'workspace-service', Call> {
  const { model, state, openings, endings } = services;
  return {
    'window.list': () => ({ windows: model.yard.windowIds.map((id) => windowRow(model, model.window(id))) }),
    'window.current': () => ids('window', resolveWindow(model, {})),
    'window.create': (_params, call) =>
      openings.create(call, () => {
        const mark = markFocus(model, null);
        const { window, surface } = createWindow(model, openings.shell());
        return { surface, mark, reply: ids('window', window) };
      }),
    'window.focus': (params, call) => {
      const id = requiredId(model, 'window', params.window_id);
      return perform(services, call, () => {
        activateWindow(model, id);
        return ids('window', model.window(id));
      });
    },
    'window.close': async (params, call) => {
      const id = requiredId(model, 'window', params.window_id);
      const { reply, removed, fresh } = state.answer(call, () => {
        const reply = ids('window', model.window(id));
        const removed = removeWindow(model, id);
        endings.remember(model, removed, 'ending');
        return { reply, removed, fresh: openings.ensureYard(model) };
      });
      endings.follow(removed);
      if (fresh) openings.startInBackground(fresh);
      await settle(services, call);
      return reply;
    },
  };
}
