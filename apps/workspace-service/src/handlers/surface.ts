import { fail, type HandlersIn, type Params, type Result } from '@switchyard/protocol';
import { isLastInWorkspace, type Removed, removeSurface } from '../domain/closing.js';
import { createSplit, createTab } from '../domain/creating.js';
import type { Departed, Id, SurfaceRecord } from '../domain/entities.js';
import { focusSurface } from '../domain/focus.js';
import { optionalId, readClosedHandle, requiredId } from '../domain/handles.js';
import { requireTerminal } from '../domain/launch.js';
import type { Model } from '../domain/model.js';
import { dragToSplit, moveSurface, reorderSurface } from '../domain/moving.js';
import { type Anchor, anchorIndex, without } from '../domain/placement.js';
import { at, resolvePlace, resolveSurface, resolveSurfaceOrFocused } from '../domain/resolve.js';
import { markFocus, reopenSurface, stagedSurface } from '../domain/undo.js';
import { ids, placed, surfaceHead, surfaceRows, where } from '../domain/views.js';
import { perform, type Services, settle } from '../services.js';
import type { Call } from '../yard-state.js';
import { tabActionHandler } from './tab.js';
import { checkPaneCap, exactAnchor, planBeside, resolvePane } from './targets.js';

export type SurfaceHandlers = HandlersIn<'surface', 'workspace-service', Call>;

/** Where surfaces are and how they are arranged. What runs in them: surface-terminal.ts. */
export type TreeMethods =
  | 'surface.list'
  | 'surface.current'
  | 'surface.health'
  | 'surface.refresh'
  | 'surface.trigger_flash'
  | 'surface.focus'
  | 'surface.split'
  | 'surface.create'
  | 'surface.close'
  | 'surface.reopen'
  | 'surface.drag_to_split'
  | 'surface.move'
  | 'surface.reorder'
  | 'surface.action';

/** What is reported of the agents in them: agent-reports.ts. */
export type ReportMethods =
  | 'surface.report_agent_session'
  | 'surface.report_agent_state'
  | 'surface.clear_agent_state'
  | 'surface.observe'
  | 'surface.sample';

export function surfaceTreeHandlers(services: Services): Pick<SurfaceHandlers, TreeMethods> {
  const tabAction = tabActionHandler(services);
  return {
    ...queries(services),
    ...marks(services),
    ...creation(services),
    ...closing(services),
    ...moves(services),
    'surface.action': (params, call) => tabAction(params, call),
  };
}

function queries({
  model,
  agents,
}: Services): Pick<SurfaceHandlers, 'surface.list' | 'surface.current' | 'surface.health'> {
  return {
    'surface.list': (params) => {
      const place = resolvePlace(model, params);
      return { ...where(place), surfaces: surfaceRows(model, place.workspace, (id) => agents.statusOf(id)) };
    },
    'surface.current': (params) => {
      const place = resolvePlace(model, params);
      const current = at(model, model.focusedSurface(place.workspace).id);
      return { ...placed(current), surface_type: current.surface.type };
    },
    'surface.health': (params) => {
      const place = resolvePlace(model, params);
      const surfaces = model
        .surfacesIn(place.workspace)
        .map((surface, index) => ({ ...surfaceHead(surface, index), in_window: true }));
      return { ...where(place), surfaces };
    },
  };
}

function marks(
  services: Services,
): Pick<SurfaceHandlers, 'surface.focus' | 'surface.refresh' | 'surface.trigger_flash'> {
  const { model, flashes } = services;
  return {
    'surface.focus': (params, call) =>
      perform(services, call, () => {
        const id = requiredId(model, 'surface', params.surface_id);
        const place = resolveSurface(model, { ...params, surface_id: id });
        focusSurface(model, place.surface.id);
        return { ...where(place), ...ids('surface', place.surface) };
      }),
    'surface.refresh': (params) => {
      const place = resolvePlace(model, params);
      return { ...where(place), refreshed: model.surfacesIn(place.workspace).length };
    },
    'surface.trigger_flash': (params) => {
      const place = resolveSurface(model, params);
      flashes.trigger(place.surface.id);
      return { ...where(place), ...ids('surface', place.surface) };
    },
  };
}

function creation(services: Services): Pick<SurfaceHandlers, 'surface.split' | 'surface.create'> {
  const { model, openings } = services;
  return {
    'surface.split': (params, call) =>
      openings.create(call, () => {
        requireTerminal(params.type);
        const source = resolveSurfaceOrFocused(model, params);
        checkPaneCap(services, source.workspace);
        const terminal = planBeside(services, params, source.surface);
        const mark = markFocus(model, source.pane.id);
        const surface = createSplit(model, source.pane.id, params.direction, terminal, params.focus ?? true);
        return { surface, mark, reply: { ...placed(at(model, surface.id)), type: surface.type } };
      }),
    'surface.create': (params, call) =>
      openings.create(call, () => {
        requireTerminal(params.type);
        const source = resolvePane(model, params);
        const terminal = planBeside(services, params, source.surface);
        const mark = markFocus(model, source.pane.id);
        const surface = createTab(model, source.pane.id, terminal);
        return { surface, mark, reply: { ...placed(at(model, surface.id)), type: surface.type } };
      }),
  };
}

function closing(services: Services): Pick<SurfaceHandlers, 'surface.close' | 'surface.reopen'> {
  const { model, state, endings } = services;
  return {
    'surface.close': async (params, call) => {
      if (params.now) return closeNow(services, params, call);
      const { reply, removed } = state.answer(call, () => {
        const place = closable(services, params);
        const gone = removeSurface(model, place.surface);
        endings.remember(model, gone, place.surface.exit === null ? 'staged' : 'gone');
        return { reply: { ...where(place), ...ids('surface', place.surface) }, removed: gone };
      });
      endings.follow(removed);
      await settle(services, call);
      return reply;
    },
    'surface.reopen': (params, call) =>
      perform(services, call, () => {
        const id = readClosedHandle(model, params.surface_id);
        if (params.surface_id !== undefined && id === undefined) {
          return fail('not_found', 'No such closed surface', { surface_id: params.surface_id });
        }
        return placed(at(model, reopenSurface(model, stagedSurface(model, id)).id));
      }),
  };
}

function closable({ model }: Services, params: Params<'surface.close'>) {
  const place = resolveSurface(model, params);
  if (isLastInWorkspace(model, place.surface)) {
    return fail('invalid_state', 'Cannot close the last surface', ids('surface', place.surface));
  }
  return place;
}

/** Ends the program and answers when it is gone. A repeat after our own restart goes on where it was. */
async function closeNow(
  services: Services,
  params: Params<'surface.close'>,
  call: Call,
): Promise<Result<'surface.close'>> {
  const { model, endings } = services;
  const killSurvivors = params.kill_survivors ?? false;
  const resumed = call.resumed ? readClosedHandle(model, params.surface_id) : undefined;
  const removed = resumed === undefined ? removeNow(services, params, call) : undefined;
  const departed = removed?.departed[0];
  if (removed && departed?.surface.type === 'review') {
    endings.follow(removed);
    await settle(services, call);
    return { ...headOf(departed), survivors: [] };
  }
  const id = resumed ?? departed?.surface.id ?? '';
  const record = model.closed.get(id) ?? fail('not_found', 'The surface is gone', { surface_id: id });
  // Begun before the general upkeep finds it, which would spare the survivors.
  const ended = record.phase === 'gone' ? Promise.resolve([]) : endings.end(record, killSurvivors);
  if (removed) endings.follow(removed);
  const [survivors] = await Promise.all([ended, settle(services, call)]);
  return { ...headOf(record), survivors };
}

const headOf = ({ window, workspace, surface }: Departed) => ({
  ...ids('window', window),
  ...ids('workspace', workspace),
  ...ids('surface', surface),
});

function removeNow(services: Services, params: Params<'surface.close'>, call: Call): Removed {
  const { model, state, endings } = services;
  return state.begin(call, () => {
    const { surface } = closable(services, params);
    const removed = removeSurface(model, surface);
    endings.remember(model, removed, surface.exit === null ? 'ending' : 'gone');
    return removed;
  });
}

function moves(
  services: Services,
): Pick<SurfaceHandlers, 'surface.drag_to_split' | 'surface.move' | 'surface.reorder'> {
  const { model, state, openings, announcer } = services;
  return {
    'surface.drag_to_split': async (params, call) => {
      const id = requiredId(model, 'surface', params.surface_id);
      const { reply, fresh } = state.answer(call, () => {
        const place = resolveSurface(model, { ...params, surface_id: id });
        checkPaneCap(services, place.workspace);
        // The pane must keep a tab: a fresh terminal takes the place of its only one.
        const isOnly = place.pane.surfaceIds.length === 1;
        const plan = isOnly ? planBeside(services, {}, place.surface) : undefined;
        const fresh = plan ? createTab(model, place.pane.id, plan) : undefined;
        dragToSplit(model, model.surface(id), params.direction);
        return { reply: placed(at(model, id)), fresh };
      });
      if (fresh) openings.startInBackground(fresh);
      await settle(services, call);
      return reply;
    },
    'surface.move': async (params, call) => {
      const id = requiredId(model, 'surface', params.surface_id);
      const { reply, left } = state.answer(call, () => {
        const { paneId, index } = moveTarget(services, model.surface(id), params);
        const left = moveSurface(model, id, paneId, index);
        return { reply: placed(at(model, id)), left };
      });
      announcer.left(left);
      await settle(services, call);
      return reply;
    },
    'surface.reorder': (params, call) =>
      perform(services, call, () => {
        const id = requiredId(model, 'surface', params.surface_id);
        const { surface, pane } = resolveSurface(model, { ...params, surface_id: id });
        const { index, before_surface_id: before, after_surface_id: after } = params;
        reorderSurface(model, surface, exactAnchor(model, 'surface', { index, before, after }, pane.surfaceIds, id));
        return placed(at(model, id));
      }),
  };
}

/** By precedence: an anchor, a pane, a workspace, a window (programa-api §5.4); with only an index, its own pane. */
function moveTarget(
  { model }: Services,
  surface: SurfaceRecord,
  params: Params<'surface.move'>,
): { readonly paneId: Id; readonly index: number | undefined } {
  const { before_surface_id: before, after_surface_id: after, index } = params;
  if (before !== undefined && after !== undefined) return fail('invalid_params', 'Give at most one anchor');
  if (before !== undefined || after !== undefined) return anchorTarget(model, surface, before, after);
  const paneId = optionalId(model, 'pane', params.pane_id);
  if (paneId !== undefined) return { paneId, index };
  if (params.workspace_id !== undefined || params.window_id !== undefined) {
    const { window_id, workspace_id } = params;
    return { paneId: resolvePlace(model, { window_id, workspace_id }).workspace.focusedPaneId, index };
  }
  if (index === undefined) return fail('invalid_params', 'Say where the surface goes');
  return { paneId: surface.paneId, index };
}

function anchorTarget(
  model: Model,
  surface: SurfaceRecord,
  before: string | undefined,
  after: string | undefined,
): { readonly paneId: Id; readonly index: number } {
  const name = before === undefined ? 'after_surface_id' : 'before_surface_id';
  const anchorId = requiredId(model, 'surface', before ?? after, name);
  if (anchorId === surface.id)
    return fail('invalid_params', 'A surface can not be its own anchor', { [name]: anchorId });
  const { pane } = at(model, anchorId);
  const anchor: Anchor = before === undefined ? { after: anchorId } : { before: anchorId };
  return { paneId: pane.id, index: anchorIndex(without(pane.surfaceIds, surface.id), anchor) };
}
