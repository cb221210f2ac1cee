import { fail, type HandlersIn } from '@switchyard/protocol';
import { removeWorkspace } from '../domain/closing.js';
import { createWorkspace } from '../domain/creating.js';
import type { WorkspaceRecord } from '../domain/entities.js';
import { neighbour, selectLast, selectWorkspace } from '../domain/focus.js';
import { requiredId } from '../domain/handles.js';
import { moveWorkspaceToWindow, reorderWorkspace } from '../domain/moving.js';
import { type Context, resolvePlace, resolveWindow } from '../domain/resolve.js';
import { equalize } from '../domain/split-tree.js';
import { workspaceTitle } from '../domain/titles.js';
import { markFocus } from '../domain/undo.js';
import { ids, where, workspaceRow } from '../domain/views.js';
import { performWorkspaceAction } from '../domain/workspace-actions.js';
import { perform, type Services, settle } from '../services.js';
import type { Call } from '../yard-state.js';
import type { SidebarMethods } from './sidebar.js';
import { exactAnchor, placeOf, planBeside } from './targets.js';

type WorkspaceHandlers = Omit<
  HandlersIn<'workspace', 'workspace-service', Call>,
  | 'workspace.set_agent_pid'
  | 'workspace.clear_agent_pid'
  | 'workspace.places'
  | 'workspace.set_directory'
  | SidebarMethods
>;

export function workspaceHandlers(services: Services): WorkspaceHandlers {
  return { ...queries(services), ...selection(services), ...life(services), ...arrangement(services) };
}

function queries({ model }: Services): Pick<WorkspaceHandlers, 'workspace.list' | 'workspace.current'> {
  return {
    'workspace.list': (params) => {
      const window = resolveWindow(model, params);
      const workspaces = window.workspaceIds.map((id) => workspaceRow(model, window, model.workspace(id)));
      return { ...ids('window', window), workspaces };
    },
    'workspace.current': (params) => {
      const place = resolvePlace(model, params);
      return { ...where(place), workspace: workspaceRow(model, place.window, place.workspace) };
    },
  };
}

function selection(
  services: Services,
): Pick<WorkspaceHandlers, 'workspace.select' | 'workspace.next' | 'workspace.previous' | 'workspace.last'> {
  const { model } = services;
  const select = (call: Call, choose: () => WorkspaceRecord) =>
    perform(services, call, () => {
      const { id } = choose();
      selectWorkspace(model, id);
      return where(placeOf(model, id));
    });
  const windowIdOf = (context: Context) => resolvePlace(model, context).window.id;
  return {
    'workspace.select': (params, call) =>
      select(call, () => model.workspace(requiredId(model, 'workspace', params.workspace_id))),
    'workspace.next': (params, call) => select(call, () => neighbour(model, windowIdOf(params), 1)),
    'workspace.previous': (params, call) => select(call, () => neighbour(model, windowIdOf(params), -1)),
    'workspace.last': (params, call) => select(call, () => selectLast(model, windowIdOf(params))),
  };
}

function life(
  services: Services,
): Pick<WorkspaceHandlers, 'workspace.create' | 'workspace.close' | 'workspace.rename' | 'workspace.action'> {
  const { model, state, openings, endings, config } = services;
  return {
    'workspace.create': (params, call) =>
      openings.create(call, () => {
        const window = resolveWindow(model, params);
        const beside = model.focusedSurface(model.workspace(window.selectedId));
        const terminal = planBeside(services, params, beside);
        const mark = markFocus(model, null);
        const place = config().rules.newWorkspace;
        const { workspace, surface } = createWorkspace(model, window.id, place, params, terminal);
        const pane = model.pane(surface.paneId);
        const reply = { ...where({ window, workspace }), ...ids('pane', pane), ...ids('surface', surface) };
        return { surface, mark, reply };
      }),
    'workspace.close': async (params, call) => {
      const place = placeOf(model, requiredId(model, 'workspace', params.workspace_id));
      if (place.workspace.pinned) {
        return fail('protected', 'The workspace is pinned', { ...ids('workspace', place.workspace), pinned: true });
      }
      if (place.window.workspaceIds.length === 1) {
        return fail('invalid_state', "Cannot close a window's only workspace", where(place));
      }
      const { removed, reply } = state.answer(call, () => {
        const gone = removeWorkspace(model, place.workspace);
        endings.remember(model, gone, 'ending');
        return { removed: gone, reply: where(place) };
      });
      endings.follow(removed);
      await settle(services, call);
      return reply;
    },
    'workspace.rename': (params, call) => {
      const id = requiredId(model, 'workspace', params.workspace_id);
      return perform(services, call, () => {
        model.patchWorkspace(id, { customTitle: params.title });
        return { ...where(placeOf(model, id)), title: workspaceTitle(model, model.workspace(id)) };
      });
    },
    'workspace.action': async (params, call) => {
      const place = resolvePlace(model, params);
      const { reply, removed } = state.answer(call, () => {
        const outcome = performWorkspaceAction(model, place, params.action, params);
        for (const gone of outcome.removed) endings.remember(model, gone, 'ending');
        return { reply: { action: params.action, ...where(place), ...outcome.field }, removed: outcome.removed };
      });
      for (const gone of removed) endings.follow(gone);
      await settle(services, call);
      return reply;
    },
  };
}

function arrangement(
  services: Services,
): Pick<WorkspaceHandlers, 'workspace.reorder' | 'workspace.move_to_window' | 'workspace.equalize_splits'> {
  const { model, state, openings, config } = services;
  return {
    'workspace.reorder': (params, call) =>
      perform(services, call, () => {
        const place = placeOf(model, requiredId(model, 'workspace', params.workspace_id));
        const { index, before_workspace_id: before, after_workspace_id: after } = params;
        const anchor = exactAnchor(
          model,
          'workspace',
          { index, before, after },
          place.window.workspaceIds,
          place.workspace.id,
        );
        return { ...where(place), index: reorderWorkspace(model, place.workspace, anchor) };
      }),
    'workspace.move_to_window': async (params, call) => {
      const id = requiredId(model, 'workspace', params.workspace_id);
      const windowId = requiredId(model, 'window', params.window_id);
      const { reply, fresh } = state.answer(call, () => {
        const source = placeOf(model, id).window;
        // A window never stays empty: a fresh workspace takes the place of its only one.
        const leavesNone = source.workspaceIds.length === 1 && source.id !== windowId;
        const fresh = leavesNone ? createWorkspace(model, source.id, 'end', {}, openings.shell()).surface : undefined;
        moveWorkspaceToWindow(model, id, windowId, config().rules.newWorkspace);
        return { reply: where(placeOf(model, id)), fresh };
      });
      if (fresh) openings.startInBackground(fresh);
      await settle(services, call);
      return reply;
    },
    'workspace.equalize_splits': (params, call) =>
      perform(services, call, () => {
        const { workspace } = resolvePlace(model, params);
        const tree = equalize(workspace.tree, params.orientation);
        if (tree !== workspace.tree) model.patchWorkspace(workspace.id, { tree });
        return { equalized: workspace.tree.kind === 'split', ...ids('workspace', workspace) };
      }),
  };
}
