import { fail, type HandlersIn, type Result } from '@switchyard/protocol';
import { focusSurface, selectWorkspace } from '../domain/focus.js';
import { containerFrame, type Frame, paneFrames } from '../domain/geometry.js';
import { gitFieldsOf } from '../domain/git-views.js';
import { requiredId } from '../domain/handles.js';
import { frontSurface } from '../domain/identity.js';
import type { Model } from '../domain/model.js';
import { at, resolvePlace, type SurfacePlace } from '../domain/resolve.js';
import { portsOf, telemetryOf } from '../domain/telemetry.js';
import { surfaceTitle } from '../domain/titles.js';
import { reopenSurface, stagedSurface } from '../domain/undo.js';
import { ids, self } from '../domain/views.js';
import { perform, type Services } from '../services.js';
import type { Call } from '../yard-state.js';

type DebugHandlers = HandlersIn<'debug', 'workspace-service', Call>;

/** Without a screen there is one imaginary window that is always in front. */
const WINDOW_NUMBER = 1;
const REOPEN_COMBO = 'cmd+shift+t';

/** The part of the peer's debugging namespace that means something without a screen (programa-api §5.12). */
export function debugHandlers(services: Services): DebugHandlers {
  return { ...keys(services), ...terminal(services), ...pictures(services), ...counters(services) };
}

/** Surfaces are also named by their index in the selected workspace here. */
function namedSurface(model: Model, handle: string | undefined): SurfacePlace {
  if (handle === undefined) return inFront(model);
  if (!/^\d+$/.test(handle.trim())) return at(model, requiredId(model, 'surface', handle));
  const surface = model.surfacesIn(resolvePlace(model, {}).workspace)[Number(handle)];
  return surface ? at(model, surface.id) : fail('not_found', 'Surface not found', { surface_id: handle });
}

const inFront = (model: Model): SurfacePlace => frontSurface(model) ?? fail('unavailable', 'There is no window');

function keys(
  services: Services,
): Pick<
  DebugHandlers,
  'debug.app.activate' | 'debug.type' | 'debug.shortcut.simulate' | 'debug.shortcut.set' | 'debug.notification.focus'
> {
  const { model, terminals } = services;
  return {
    'debug.app.activate': () => ({}),
    'debug.type': async ({ text }, call) => {
      const { surface } = inFront(model);
      await terminals.ask('terminal.send_text', surface, { surface_id: surface.id, text, paste: false }, call);
      return {};
    },
    'debug.shortcut.simulate': async ({ combo }, call) => {
      const key = combo.toLowerCase().replaceAll('command', 'cmd');
      if (key === REOPEN_COMBO) {
        return perform(services, call, () => {
          reopenSurface(model, stagedSurface(model));
          return {};
        });
      }
      // Every other shortcut with the command key is for a menu that does not exist here.
      if (key.includes('cmd')) return {};
      const { surface } = inFront(model);
      await terminals.ask('terminal.send_key', surface, { surface_id: surface.id, key }, call);
      return {};
    },
    'debug.shortcut.set': () => ({}),
    'debug.notification.focus': (params, call) =>
      perform(services, call, () => {
        const workspaceId = requiredId(model, 'workspace', params.workspace_id);
        if (params.surface_id === undefined) selectWorkspace(model, workspaceId);
        else focusSurface(model, namedSurface(model, params.surface_id).surface.id);
        return {};
      }),
  };
}

function terminal({
  model,
  terminals,
}: Services): Pick<
  DebugHandlers,
  'debug.terminal.is_focused' | 'debug.terminal.read_text' | 'debug.terminal.render_stats' | 'debug.terminals'
> {
  const isInFront = (id: string) => frontSurface(model)?.surface.id === id;
  return {
    'debug.terminal.is_focused': (params) => ({
      focused: isInFront(namedSurface(model, params.surface_id).surface.id),
    }),
    'debug.terminal.read_text': async (params, call) => {
      const { surface } = namedSurface(model, params.surface_id);
      const asked = { surface_id: surface.id, scrollback: false };
      const { text } = await terminals.ask('terminal.read_text', surface, asked, call);
      return { base64: Buffer.from(text, 'utf8').toString('base64') };
    },
    'debug.terminal.render_stats': async (params, call) => {
      const { surface } = namedSurface(model, params.surface_id);
      const { offset } = await terminals.ask('terminal.get', surface, { surface_id: surface.id }, call);
      return {
        stats: {
          panelId: surface.id,
          inWindow: true,
          presentCount: offset,
          drawCount: offset,
          isFirstResponder: isInFront(surface.id),
          appIsActive: true,
          windowIsKey: true,
        },
      };
    },
    'debug.terminals': () => {
      const rows = [...model.surfaces.values()]
        .filter(({ type }) => type === 'terminal')
        .map(({ id }, index) => terminalRow(model, id, index));
      const found = rows.map((row) => {
        const running = terminals.running(row.id);
        const { tty } = telemetryOf(model.surface(row.id));
        return { ...row, tty: tty ?? running?.tty ?? null, pid: running?.pid ?? null, focused: isInFront(row.id) };
      });
      return { count: found.length, terminals: found };
    },
  };
}

function terminalRow(model: Model, surfaceId: string, index: number) {
  const { window, workspace, pane, surface } = at(model, surfaceId);
  return {
    ...self('surface', surface),
    ...ids('window', window),
    ...ids('workspace', workspace),
    ...ids('pane', pane),
    index,
    title: surfaceTitle(surface),
    cwd: surface.cwd ?? surface.launch.cwd,
    git_branch: gitFieldsOf(model, surface).git_branch?.branch ?? null,
    ports: portsOf(surface),
    selected_workspace: window.selectedId === workspace.id,
  };
}

function pictures({ model, config }: Services): Pick<DebugHandlers, 'debug.layout'> {
  return {
    'debug.layout': () => {
      const { workspace } = resolvePlace(model, {});
      const container = containerFrame(config().rules.cells);
      const frames = paneFrames(workspace.tree, container);
      const panes = model.panesIn(workspace);
      const frameOf = (id: string): Frame => frames.get(id) ?? container;
      return {
        layout: {
          layout: {
            containerFrame: container,
            panes: panes.map(({ id, selectedId, surfaceIds }) => ({
              paneId: id,
              frame: frameOf(id),
              selectedTabId: selectedId,
              tabIds: [...surfaceIds],
            })),
            focusedPaneId: workspace.focusedPaneId,
            timestamp: model.now() / 1000,
          },
          selectedPanels: panes.map((pane) => selectedPanel(model, pane.selectedId, frameOf(pane.id))),
          mainWindowNumber: WINDOW_NUMBER,
          keyWindowNumber: WINDOW_NUMBER,
        },
      };
    },
  };
}

type SelectedPanel = Result<'debug.layout'>['layout']['selectedPanels'][number];

function selectedPanel(model: Model, surfaceId: string, frame: Frame): SelectedPanel {
  const surface = model.surface(surfaceId);
  return {
    paneId: surface.paneId,
    paneFrame: frame,
    selectedTabId: surfaceId,
    panelId: surfaceId,
    panelType: surface.type,
    inWindow: true,
    hidden: false,
    viewFrame: frame,
    splitViews: [],
  };
}

function counters({
  model,
  flashes,
}: Services): Omit<
  DebugHandlers,
  keyof ReturnType<typeof keys> | keyof ReturnType<typeof terminal> | keyof ReturnType<typeof pictures>
> {
  return {
    'debug.flash.count': (params) => ({ count: flashes.count(namedSurface(model, params.surface_id).surface.id) }),
    'debug.flash.reset': () => {
      flashes.reset();
      return {};
    },
    'debug.bonsplit_underflow.count': () => ({ count: 0 }),
    'debug.bonsplit_underflow.reset': () => ({}),
    'debug.empty_panel.count': () => ({ count: 0 }),
    'debug.empty_panel.reset': () => ({}),
  };
}
