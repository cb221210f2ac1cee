import { method } from '../define.js';
import { ctx, handle, int, opt, params, result, str } from '../params.js';
import { Type } from '../schema.js';
import {
  CTX_ERRORS,
  direction,
  Frame,
  ids,
  index,
  inWorkspace,
  nullableIds,
  PROGRAM_ERRORS,
  program,
  SurfaceType,
  self,
  surfaceType,
  unfocused,
} from './shapes.js';

const PaneRow = Type.Object({
  ...self,
  index,
  focused: Type.Boolean(),
  surface_ids: Type.Array(Type.String()),
  surface_refs: Type.Array(Type.String()),
  ...nullableIds('selected_surface'),
  surface_count: Type.Integer(),
  pixel_frame: Frame,
  columns: Type.Integer(),
  rows: Type.Integer(),
  cell_width_px: Type.Number(),
  cell_height_px: Type.Number(),
});

const TabRow = Type.Object({
  ...self,
  index,
  title: Type.String(),
  type: SurfaceType,
  selected: Type.Boolean(),
});

const owner = { owner: 'workspace-service' } as const;
const mutation = { ...owner, effect: 'mutation' } as const;
const pane_id = handle('pane');
const optionalPane = opt(handle('pane', 'Default: the focused one.'));

export const pane = {
  'pane.list': method({
    ...owner,
    effect: 'query',
    summary: 'The panes of a workspace in tree order, with their place and size.',
    params: params(ctx),
    result: result({
      ...inWorkspace,
      panes: Type.Array(PaneRow),
      container_frame: Type.Object({ width: Type.Number(), height: Type.Number() }),
    }),
    errors: CTX_ERRORS,
  }),
  'pane.focus': method({
    ...mutation,
    idempotent: true,
    focusIntent: true,
    summary: 'Focuses a pane, selects its workspace and makes its window the active one.',
    params: params({ ...ctx, pane_id }),
    result: result({ ...inWorkspace, ...ids('pane') }),
    errors: CTX_ERRORS,
  }),
  'pane.surfaces': method({
    ...owner,
    effect: 'query',
    summary: 'The tabs of a pane, left to right.',
    params: params({ ...ctx, pane_id: optionalPane }),
    result: result({ ...inWorkspace, ...ids('pane'), surfaces: Type.Array(TabRow) }),
    errors: CTX_ERRORS,
  }),
  'pane.create': method({
    ...mutation,
    summary: 'Splits the focused pane and opens a terminal in the new half; the focus stays.',
    params: params({ ...ctx, direction, type: surfaceType, url: opt(str('For browsers.')), ...program, ...unfocused }),
    result: result({ ...inWorkspace, ...ids('pane', 'surface'), type: SurfaceType }),
    errors: [...CTX_ERRORS, ...PROGRAM_ERRORS],
  }),
  'pane.resize': method({
    ...mutation,
    summary: 'Moves the border on one side of a pane.',
    params: params({ ...ctx, pane_id, direction, amount: opt(int('Pixels; default 1.', { minimum: 1 })) }),
    result: result({
      ...inWorkspace,
      ...ids('pane'),
      split_id: Type.String(),
      direction: Type.Enum(['left', 'right', 'up', 'down']),
      amount: Type.Integer(),
      old_divider_position: Type.Number(),
      new_divider_position: Type.Number(),
    }),
    errors: [...CTX_ERRORS, 'invalid_state'],
  }),
  'pane.swap': method({
    ...mutation,
    summary: 'Exchanges what two panes of a workspace show; which pane is focused stays.',
    params: params({ ...ctx, pane_id, target_pane_id: handle('pane', 'The other pane.'), ...unfocused }),
    result: result({ ...inWorkspace, ...ids('pane', 'target_pane', 'source_surface', 'target_surface') }),
    errors: [...CTX_ERRORS, 'invalid_state'],
  }),
  'pane.break': method({
    ...mutation,
    summary: 'Moves a surface out of its pane into a workspace of its own, which is not selected.',
    params: params({ ...ctx, pane_id: optionalPane, ...unfocused }),
    result: result({ ...inWorkspace, ...ids('pane', 'surface') }),
    errors: [...CTX_ERRORS, 'invalid_state'],
  }),
  'pane.join': method({
    ...mutation,
    summary: 'Moves a surface, or the selected one of a pane, into another pane.',
    params: params({
      ...ctx,
      target_pane_id: handle('pane', 'Where it goes.'),
      pane_id: opt(handle('pane', 'Whose selected surface moves, when no surface is named.')),
      ...unfocused,
    }),
    result: result({ ...inWorkspace, ...ids('pane', 'surface') }),
    errors: [...CTX_ERRORS, 'invalid_state'],
  }),
  'pane.last': method({
    ...mutation,
    focusIntent: true,
    summary: 'Focuses the first other pane of the workspace.',
    params: params(ctx),
    result: result({ ...inWorkspace, ...ids('pane', 'surface') }),
    errors: CTX_ERRORS,
  }),
} as const;
