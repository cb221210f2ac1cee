import { method } from '../define.js';
import { bool, ctx, handle, int, opt, params, result, str } from '../params.js';
import { Type } from '../schema.js';
import { AgentQuestion } from './agent-shapes.js';
import { gitFields } from './git-facts.js';
import {
  AgentState,
  AgentStateSource,
  CTX_ERRORS,
  direction,
  ids,
  index,
  inWorkspace,
  nullable,
  nullableIds,
  PROGRAM_ERRORS,
  program,
  SurfaceType,
  self,
  surfaceType,
  tabAlias,
  unfocused,
} from './shapes.js';
import { tabAction } from './tab.js';
import { Exit, Survivor } from './terminal.js';

const SurfaceRow = Type.Object({
  ...self,
  index,
  type: SurfaceType,
  title: Type.String(),
  custom_title: Type.Optional(nullable(Type.String(), 'The title a person gave it; null when its program names it.')),
  focused: Type.Boolean(),
  ...nullableIds('pane'),
  index_in_pane: nullable(index),
  selected_in_pane: Type.Boolean(),
  pinned: Type.Boolean(),
  agent_state: nullable(AgentState, 'null: nothing known.'),
  agent_state_source: nullable(AgentStateSource, 'null together with `agent_state`.'),
  agent: nullable(Type.String(), 'Id of the agent that runs in it; null: none is known.'),
  agent_activity: Type.Enum(['working', 'idle', 'unknown']),
  agent_question: nullable(AgentQuestion, 'What its agent asks a person.'),
  agent_since: nullable(Type.Number(), 'When the agent state became what it is, Unix milliseconds; null: never said.'),
  agent_session_id: nullable(Type.String(), 'The conversation that its hooks named last; agent.sessions has more.'),
  host: Type.String({ description: 'The machine that runs it; `local` is this one.' }),
  cwd: nullable(Type.String(), 'Directory its program last reported, else the one it was started in.'),
  git: gitFields.git,
  listening_ports: Type.Optional(
    Type.Array(Type.Integer(), { description: 'Found and reported; surface.ports has more.' }),
  ),
  shell_state: Type.Optional(
    nullable(Type.Enum(['prompt', 'running']), 'As its shell last reported; null: it does not.'),
  ),
  exit: nullable(Exit, 'How its program ended; null while it runs.'),
});

const owner = { owner: 'workspace-service' } as const;
const query = { ...owner, effect: 'query', errors: CTX_ERRORS } as const;
const mutation = { ...owner, effect: 'mutation' } as const;
const placed = result({ ...inWorkspace, ...ids('pane', 'surface') });
const created = result({ ...inWorkspace, ...ids('pane', 'surface'), type: SurfaceType });
const surface_id = handle('surface');
const url = opt(str('For browsers.'));
const anchors = {
  before_surface_id: opt(handle('surface', 'It goes before this one.')),
  after_surface_id: opt(handle('surface', 'It goes after this one.')),
  index: opt(int('Place in the pane, from 0.')),
};

/** Where surfaces are and how they are arranged. What runs in them: surface-terminal.ts. */
export const surface = {
  'surface.list': method({
    ...query,
    summary: 'The surfaces of a workspace: panes in tree order, tabs left to right.',
    params: params(ctx),
    result: result({ ...inWorkspace, surfaces: Type.Array(SurfaceRow) }),
  }),
  'surface.current': method({
    ...query,
    summary: 'The focused surface.',
    params: params(ctx),
    result: result({ ...inWorkspace, ...nullableIds('pane', 'surface'), surface_type: nullable(SurfaceType) }),
  }),
  'surface.health': method({
    ...query,
    summary: 'Whether each surface of a workspace is in a window.',
    params: params(ctx),
    result: result({
      ...inWorkspace,
      surfaces: Type.Array(Type.Object({ ...self, index, type: SurfaceType, in_window: Type.Boolean() })),
    }),
  }),
  'surface.focus': method({
    ...mutation,
    idempotent: true,
    focusIntent: true,
    summary: 'Focuses a surface, selects its workspace and makes its window the active one.',
    params: params({ window_id: ctx.window_id, workspace_id: ctx.workspace_id, surface_id, ...tabAlias }),
    result: result({ ...inWorkspace, ...ids('surface') }),
    errors: CTX_ERRORS,
  }),
  'surface.split': method({
    ...mutation,
    summary:
      'Splits the pane of a surface and opens a terminal in the new half. An unknown surface means the focused one.',
    params: params({
      ...ctx,
      direction,
      type: surfaceType,
      url,
      ...program,
      focus: opt(bool('Focus it inside its workspace; the workspace is never selected. Default true.')),
    }),
    result: created,
    errors: [...CTX_ERRORS, ...PROGRAM_ERRORS],
  }),
  'surface.create': method({
    ...mutation,
    summary: 'Opens a terminal as a new tab, after the selected tab of the pane.',
    params: params({
      ...ctx,
      type: surfaceType,
      pane_id: opt(handle('pane', 'Default: the focused one.')),
      url,
      ...program,
      ...unfocused,
    }),
    result: created,
    errors: [...CTX_ERRORS, ...PROGRAM_ERRORS],
  }),
  'surface.close': method({
    ...mutation,
    summary: 'Closes a surface. For five seconds its program lives on and surface.reopen brings it back.',
    params: params({
      ...ctx,
      now: opt(bool('End the program at once and answer when it is gone; there is no way back.')),
      kill_survivors: opt(bool('With `now`: also end processes that have left its session.')),
    }),
    result: result({
      ...inWorkspace,
      ...ids('surface'),
      survivors: Type.Optional(
        Type.Array(Survivor, { description: 'With `now`: processes that left the session and live on.' }),
      ),
    }),
    errors: [...CTX_ERRORS, 'invalid_state'],
    risks: ['The program ends after the grace period.'],
  }),
  'surface.reopen': method({
    ...mutation,
    summary: 'Takes back the closing of a surface within its grace period; same id, same program.',
    params: params({ surface_id: opt(handle('surface', 'Default: the one closed last.')), ...tabAlias }),
    result: placed,
    errors: ['not_found'],
  }),
  'surface.drag_to_split': method({
    ...mutation,
    summary: 'Moves a surface into a new pane beside its own. A pane that would be empty gets a fresh terminal.',
    params: params({ ...ctx, surface_id, direction, ...unfocused }),
    result: placed,
    errors: [...CTX_ERRORS, 'invalid_state'],
  }),
  'surface.move': method({
    ...mutation,
    summary: 'Moves a surface anywhere; same id, same program. An anchor wins over a pane, a workspace and a window.',
    params: params({
      surface_id,
      ...tabAlias,
      ...anchors,
      pane_id: opt(handle('pane', 'Into this pane.')),
      workspace_id: opt(handle('workspace', 'Into the focused pane of this workspace.')),
      window_id: opt(handle('window', 'Into the selected workspace of this window.')),
      ...unfocused,
    }),
    result: placed,
    errors: [...CTX_ERRORS, 'invalid_state'],
  }),
  'surface.reorder': method({
    ...mutation,
    summary: 'Moves a tab within its pane. Exactly one of `index`, `before_surface_id`, `after_surface_id`.',
    params: params({ ...ctx, surface_id, ...anchors, ...unfocused }),
    result: placed,
    errors: CTX_ERRORS,
  }),
  'surface.action': method({ ...tabAction, summary: 'What the menu of a tab offers; the same as tab.action.' }),
  'surface.refresh': method({
    ...mutation,
    idempotent: true,
    summary: 'Counts the terminals that a screen would redraw; there is nothing to redraw here.',
    params: params(ctx),
    result: result({ ...inWorkspace, refreshed: Type.Integer() }),
    errors: CTX_ERRORS,
  }),
  'surface.trigger_flash': method({
    ...mutation,
    summary: 'Flashes a surface to draw the eye to it.',
    params: params(ctx),
    result: result({ ...inWorkspace, ...ids('surface') }),
    errors: CTX_ERRORS,
  }),
} as const;
