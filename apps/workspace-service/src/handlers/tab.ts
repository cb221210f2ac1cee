import type { Handler, HandlersIn, Params } from '@switchyard/protocol';
import { isLastInWorkspace, type Removed, removeSurface } from '../domain/closing.js';
import { createTab } from '../domain/creating.js';
import type { SurfaceRecord } from '../domain/entities.js';
import { focusInside } from '../domain/focus.js';
import { at, resolveSurface, type SurfacePlace } from '../domain/resolve.js';
import { performTabAction } from '../domain/tab-actions.js';
import { markFocus } from '../domain/undo.js';
import { ids, placed } from '../domain/views.js';
import { type Services, settle } from '../services.js';
import type { Call } from '../yard-state.js';
import { planBeside } from './targets.js';

export function tabHandlers(services: Services): HandlersIn<'tab', 'workspace-service', Call> {
  return { 'tab.action': tabActionHandler(services) };
}

/** `tab.action` and `surface.action` are the same. */
export function tabActionHandler(services: Services): Handler<'tab.action', Call> {
  const { model, state, endings } = services;
  return async (params, call) => {
    const place = resolveSurface(model, params);
    if (params.action === 'new_terminal_right') return openRight(services, place, params, call);
    const { reply, removed } = state.answer(call, () => {
      const outcome = performTabAction(model, place, params.action, params.title);
      const head = headOf(place, params);
      if (outcome.is !== 'close')
        return { reply: { ...head, ...(outcome.is === 'done' ? outcome.field : {}) }, removed: [] };
      const gone = closeTabs(services, outcome.surfaces);
      return { reply: { ...head, closed: gone.length, skipped_pinned: outcome.skippedPinned }, removed: gone };
    });
    for (const gone of removed) endings.follow(gone);
    await settle(services, call);
    return reply;
  };
}

const headOf = (place: SurfacePlace, { action }: Params<'tab.action'>) => ({
  action,
  ...placed(place),
  ...ids('tab', place.surface),
});

/** Closed as surface.close would: each can be reopened for a while. */
function closeTabs({ model, endings }: Services, surfaces: readonly SurfaceRecord[]): Removed[] {
  return surfaces
    .filter((surface) => !isLastInWorkspace(model, surface))
    .map((surface) => {
      const removed = removeSurface(model, surface);
      endings.remember(model, removed, surface.exit === null ? 'staged' : 'gone');
      return removed;
    });
}

function openRight(services: Services, place: SurfacePlace, params: Params<'tab.action'>, call: Call) {
  const { model, openings } = services;
  return openings.create(call, () => {
    const terminal = planBeside(services, {}, place.surface);
    const mark = markFocus(model, place.pane.id);
    const surface = createTab(model, place.pane.id, terminal, place.surface.id);
    if (params.focus ?? true) focusInside(model, surface.id);
    const created = at(model, surface.id).surface;
    const reply = { ...headOf(place, params), ...ids('created_surface', created), ...ids('created_tab', created) };
    return { surface, mark, reply };
  });
}
