import { method } from '../define.js';
import { handle, opt, params, raw, result, str } from '../params.js';
import { Type } from '../schema.js';
import { Frame, nullable, nullableIds, SurfaceType, self, tabAlias } from './shapes.js';

/**
 * The part of the peer's debugging namespace that has a meaning without a screen. Surfaces are also named by their
 * index in the selected workspace here. Not stable: for tests.
 */
const debugging = { owner: 'workspace-service', tier: 'experimental' } as const;
const query = { ...debugging, effect: 'query' } as const;
const mutation = { ...debugging, effect: 'mutation' } as const;
const surface = { surface_id: handle('surface', 'Id, ref, or index in the selected workspace.'), ...tabAlias };
const optionalSurface = { ...surface, surface_id: opt(surface.surface_id) };
const none = { params: params({}), result: result({}) };
const count = { params: params({}), result: result({ count: Type.Integer() }) };

const TerminalRow = Type.Object({
  ...self,
  ...nullableIds('window', 'workspace', 'pane'),
  index: Type.Integer(),
  title: Type.String(),
  tty: nullable(Type.String()),
  cwd: nullable(Type.String()),
  pid: nullable(Type.Integer()),
  git_branch: nullable(Type.String()),
  ports: Type.Array(Type.Integer()),
  focused: Type.Boolean(),
  selected_workspace: Type.Boolean(),
});

/** Spelt as the peer spells it: its own code prints these two. */
const LayoutPane = Type.Object({
  paneId: Type.String(),
  frame: Frame,
  selectedTabId: nullable(Type.String()),
  tabIds: Type.Array(Type.String()),
});
const SelectedPanel = Type.Object({
  paneId: Type.String(),
  paneFrame: nullable(Frame),
  selectedTabId: nullable(Type.String()),
  panelId: nullable(Type.String()),
  panelType: nullable(SurfaceType),
  inWindow: nullable(Type.Boolean()),
  hidden: nullable(Type.Boolean()),
  viewFrame: nullable(Frame),
  splitViews: Type.Array(Type.Unknown()),
});

export const debug = {
  'debug.app.activate': method({
    ...mutation,
    ...none,
    idempotent: true,
    focusIntent: true,
    summary: 'As if a person brought the application to the front.',
  }),
  'debug.type': method({
    ...mutation,
    summary: 'Types text into the focused surface.',
    params: params({ text: raw('What to type.') }),
    result: result({}),
    errors: ['unavailable', 'not_found', 'terminal_exited', 'input_overflow'],
  }),
  'debug.shortcut.simulate': method({
    ...mutation,
    summary: 'Presses a key or shortcut: `cmd+shift+t` reopens, plain keys go to the focused surface.',
    params: params({ combo: str('The keys, joined by `+`.') }),
    result: result({}),
    errors: ['unavailable', 'not_found', 'terminal_exited', 'input_overflow'],
  }),
  'debug.shortcut.set': method({
    ...mutation,
    idempotent: true,
    summary: 'Accepts a shortcut for an action; without a screen nothing listens to it.',
    params: params({ name: str('The action.'), combo: str('The keys, joined by `+`.') }),
    result: result({}),
  }),
  'debug.terminal.is_focused': method({
    ...query,
    summary: 'Whether a surface is the focused one of the selected workspace of the active window.',
    params: params(surface),
    result: result({ focused: Type.Boolean() }),
    errors: ['not_found'],
  }),
  'debug.terminal.read_text': method({
    ...query,
    summary: 'The screen of a terminal.',
    params: params(optionalSurface),
    result: result({ base64: Type.String() }),
    errors: ['unavailable', 'not_found'],
  }),
  'debug.terminal.render_stats': method({
    ...query,
    summary: 'Stands in for the drawing counters of a screen: `presentCount` grows with the output.',
    params: params(optionalSurface),
    result: result({
      stats: Type.Object({
        panelId: Type.String(),
        inWindow: Type.Boolean(),
        presentCount: Type.Integer(),
        drawCount: Type.Integer(),
        isFirstResponder: Type.Boolean(),
        appIsActive: Type.Boolean(),
        windowIsKey: Type.Boolean(),
      }),
    }),
    errors: ['unavailable', 'not_found'],
  }),
  'debug.layout': method({
    ...query,
    summary: 'Frames of the panes of the selected workspace.',
    params: params({}),
    result: result({
      layout: Type.Object({
        layout: Type.Object({
          containerFrame: Frame,
          panes: Type.Array(LayoutPane),
          focusedPaneId: nullable(Type.String()),
          timestamp: Type.Number(),
        }),
        selectedPanels: Type.Array(SelectedPanel),
        mainWindowNumber: nullable(Type.Integer()),
        keyWindowNumber: nullable(Type.Integer()),
      }),
    }),
    errors: ['unavailable', 'not_found'],
  }),
  'debug.flash.count': method({
    ...query,
    summary: 'How often a surface has flashed.',
    params: params(surface),
    result: result({ count: Type.Integer() }),
    errors: ['not_found'],
  }),
  'debug.flash.reset': method({ ...mutation, ...none, idempotent: true, summary: 'Sets all flash counters to 0.' }),
  'debug.notification.focus': method({
    ...mutation,
    idempotent: true,
    focusIntent: true,
    summary: 'As if a person clicked a notification: goes to the surface and marks it read.',
    params: params({ workspace_id: handle('workspace'), ...optionalSurface }),
    result: result({}),
    errors: ['not_found'],
  }),
  'debug.terminals': method({
    ...query,
    summary: 'Every terminal of every window.',
    params: params({}),
    result: result({ count: Type.Integer(), terminals: Type.Array(TerminalRow) }),
  }),
  'debug.bonsplit_underflow.count': method({ ...query, ...count, summary: 'Always 0: there is no view to underflow.' }),
  'debug.bonsplit_underflow.reset': method({ ...mutation, ...none, idempotent: true, summary: 'Does nothing.' }),
  'debug.empty_panel.count': method({ ...query, ...count, summary: 'Always 0: no pane is ever empty.' }),
  'debug.empty_panel.reset': method({ ...mutation, ...none, idempotent: true, summary: 'Does nothing.' }),
} as const;
