import { method } from '../define.js';
import { handle, params, result } from '../params.js';
import { Type } from '../schema.js';
import { ids, index, nullableIds, self } from './shapes.js';

const WindowRow = Type.Object({
  ...self,
  index,
  key: Type.Boolean({ description: 'It is the active window.' }),
  visible: Type.Boolean(),
  workspace_count: Type.Integer(),
  ...nullableIds('selected_workspace'),
});

const owner = { owner: 'workspace-service' } as const;
const one = { params: params({ window_id: handle('window') }), result: result(ids('window')) };

export const window = {
  'window.list': method({
    ...owner,
    effect: 'query',
    summary: 'All windows in order.',
    params: params({}),
    result: result({ windows: Type.Array(WindowRow) }),
  }),
  'window.current': method({
    ...owner,
    effect: 'query',
    summary: 'The active window.',
    params: params({}),
    result: result(ids('window')),
    errors: ['unavailable', 'not_found'],
  }),
  'window.create': method({
    ...owner,
    effect: 'mutation',
    summary: 'Makes a window with one fresh workspace; it becomes the active one.',
    params: params({}),
    result: result(ids('window')),
    errors: ['command_not_found', 'directory_not_found'],
  }),
  'window.focus': method({
    ...owner,
    ...one,
    effect: 'mutation',
    idempotent: true,
    focusIntent: true,
    summary: 'Makes a window the active one.',
    errors: ['not_found'],
  }),
  'window.close': method({
    ...owner,
    ...one,
    effect: 'mutation',
    summary: 'Closes a window with everything in it.',
    errors: ['not_found'],
    risks: ['Every program in the window ends.'],
  }),
} as const;
