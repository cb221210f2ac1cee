import { fail, type HandlersIn } from '@switchyard/protocol';
import { createSplit } from '../domain/creating.js';
import type { SurfaceRecord } from '../domain/entities.js';
import { focusPaneInside, selectWorkspace } from '../domain/focus.js';
import { containerFrame } from '../domain/geometry.js';
import { optionalId, requiredId } from '../domain/handles.js';
import { requireTerminal } from '../domain/launch.js';
import { resizePane } from '../domain/layout.js';
import { breakOut, moveSurface, swapPanes } from '../domain/moving.js';
import { at, resolvePlace, resolveSurface } from '../domain/resolve.js';
import { markFocus } from '../domain/undo.js';
import { ids, paneRows, placed, tabRows, where } from '../domain/views.js';
import { perform, type Services, settle } from '../services.js';
import type { Call } from '../yard-state.js';
import { checkPaneCap, paneAt, planBeside, requirePane, resolvePane } from './targets.js';

type PaneHandlers = HandlersIn<'pane', 'workspace-service', Call>;

/** Moves the border by so many pixels where the caller names none (programa-api §5.7). */
const DEFAULT_AMOUNT_PX = 1;

export function paneHandlers(services: Services): PaneHandlers {
  return { ...queries(services), ...focus(services), ...layout(services), ...moves(services) };
}

function queries({ model, config }: Services): Pick<PaneHandlers, 'pane.list' | 'pane.surfaces'> {
  return {
    'pane.list': (params) => {
      const place = resolvePlace(model, params);
      const { cells } = config().rules;
      const { width, height } = containerFrame(cells);
      return {
        ...where(place),
        panes: paneRows(model, place.workspace, cells),
        container_frame: { width, height },
      };
    },
    'pane.surfaces': (params) => {
      const place = resolvePane(model, params);
      return { ...where(place), ...ids('pane', place.pane), surfaces: tabRows(model, place.pane) };
    },
  };
}

function focus(services: Services): Pick<PaneHandlers, 'pane.focus' | 'pane.last'> {
  const { model } = services;
  return {
    'pane.focus': (params, call) =>
      perform(services, call, () => {
        const place = requirePane(model, params);
        focusPaneInside(model, place.pane.id);
        selectWorkspace(model, place.workspace.id);
        return { ...where(place), ...ids('pane', place.pane) };
      }),
    'pane.last': (params, call) =>
      perform(services, call, () => {
        const { workspace } = resolvePlace(model, params);
        const other = model.panesIn(workspace).find((pane) => pane.id !== workspace.focusedPaneId);
        if (!other) return fail('not_found', 'There is no other pane', ids('workspace', workspace));
        focusPaneInside(model, other.id);
        selectWorkspace(model, workspace.id);
        return placed(paneAt(model, other.id));
      }),
  };
}

function layout(services: Services): Pick<PaneHandlers, 'pane.create' | 'pane.resize'> {
  const { model, openings, config } = services;
  return {
    'pane.create': (params, call) =>
      openings.create(call, () => {
        requireTerminal(params.type);
        const source = resolveSurface(model, params);
        checkPaneCap(services, source.workspace);
        const terminal = planBeside(services, params, source.surface);
        const mark = markFocus(model, source.pane.id);
        const surface = createSplit(model, source.pane.id, params.direction, terminal, false);
        return { surface, mark, reply: { ...placed(at(model, surface.id)), type: surface.type } };
      }),
    'pane.resize': (params, call) =>
      perform(services, call, () => {
        const place = requirePane(model, params);
        const { direction, amount = DEFAULT_AMOUNT_PX } = params;
        const move = resizePane(model, place.workspace, place.pane.id, direction, amount, config().rules.cells);
        if ('missing' in move) {
          const what = move.missing === 'split' ? 'No split runs along that direction' : 'The pane has no border there';
          return fail('invalid_state', what, { ...ids('pane', place.pane), direction });
        }
        return {
          ...where(place),
          ...ids('pane', place.pane),
          split_id: move.splitId,
          direction,
          amount,
          old_divider_position: move.before,
          new_divider_position: move.after,
        };
      }),
  };
}

function moves(services: Services): Pick<PaneHandlers, 'pane.swap' | 'pane.break' | 'pane.join'> {
  const { model, config, state, announcer } = services;
  return {
    'pane.swap': (params, call) =>
      perform(services, call, () => {
        const place = requirePane(model, params);
        const target = model.pane(requiredId(model, 'pane', params.target_pane_id, 'target_pane_id'));
        if (target.id === place.pane.id) return fail('invalid_params', 'A pane can not be swapped with itself');
        if (target.workspaceId !== place.workspace.id) {
          return fail('invalid_state', 'The panes are in different workspaces', ids('target_pane', target));
        }
        const swapped = swapPanes(model, place.pane, target);
        return {
          ...where(place),
          ...ids('pane', place.pane),
          ...ids('target_pane', target),
          ...ids('source_surface', swapped.source),
          ...ids('target_surface', swapped.target),
        };
      }),
    'pane.break': (params, call) =>
      perform(services, call, () => {
        const surface = movedSurface(services, params) ?? resolveSurface(model, params).surface;
        return placed(paneAt(model, breakOut(model, surface, config().rules.newWorkspace).id));
      }),
    'pane.join': async (params, call) => {
      const target = model.pane(requiredId(model, 'pane', params.target_pane_id, 'target_pane_id'));
      const surface = movedSurface(services, params);
      if (!surface) return fail('invalid_params', 'Missing or invalid surface_id or pane_id');
      const { reply, left } = state.answer(call, () => {
        const gone = moveSurface(model, surface.id, target.id);
        return { reply: placed(at(model, surface.id)), left: gone };
      });
      announcer.left(left);
      await settle(services, call);
      return reply;
    },
  };
}

/** The surface named, else the selected one of the pane named. */
function movedSurface(
  { model }: Services,
  params: { readonly surface_id?: string | undefined; readonly pane_id?: string | undefined },
): SurfaceRecord | undefined {
  const surfaceId = optionalId(model, 'surface', params.surface_id);
  if (surfaceId !== undefined) return model.surface(surfaceId);
  const paneId = optionalId(model, 'pane', params.pane_id);
  return paneId === undefined ? undefined : model.surface(model.pane(paneId).selectedId);
}
