import { method } from '../define.js';
import { aliasOf, bool, handle, opt, params, raw, result } from '../params.js';
import { Type } from '../schema.js';
import { gitFields } from './git-facts.js';
import { index, nullable, nullableIds, SurfaceType, self } from './shapes.js';

/** Who asks, as far as it knows: what a program finds in its own environment. */
const caller = opt(
  Type.Object(
    { workspace_id: opt(handle('workspace')), surface_id: opt(handle('surface')), tab_id: aliasOf('surface_id') },
    { description: 'Where the caller runs.' },
  ),
);

/** A place in the tree. Of a known workspace with an unknown surface the finer fields are null. */
export const Place = Type.Object({
  ...nullableIds('window', 'workspace', 'pane', 'surface', 'tab'),
  surface_type: nullable(SurfaceType),
  is_browser_surface: nullable(Type.Boolean()),
});

const SurfaceNode = Type.Object({
  ...self,
  index,
  type: SurfaceType,
  title: Type.String(),
  focused: Type.Boolean(),
  selected: Type.Boolean(),
  selected_in_pane: Type.Boolean(),
  ...nullableIds('pane'),
  index_in_pane: nullable(index),
  tty: nullable(Type.String()),
  url: nullable(Type.String()),
});

const PaneNode = Type.Object({
  ...self,
  index,
  focused: Type.Boolean(),
  surface_ids: Type.Array(Type.String()),
  surface_refs: Type.Array(Type.String()),
  ...nullableIds('selected_surface'),
  surface_count: Type.Integer(),
  surfaces: Type.Array(SurfaceNode),
});

const WorkspaceNode = Type.Object({
  ...self,
  index,
  title: Type.String(),
  description: nullable(Type.String()),
  selected: Type.Boolean(),
  pinned: Type.Boolean(),
  ...gitFields,
  panes: Type.Array(PaneNode),
});

const WindowNode = Type.Object({
  ...self,
  index,
  key: Type.Boolean({ description: 'It is the active window.' }),
  visible: Type.Boolean(),
  workspace_count: Type.Integer({ description: 'Of the workspaces shown.' }),
  ...nullableIds('selected_workspace'),
  workspaces: Type.Array(WorkspaceNode),
});

const gateway = { owner: 'gateway', effect: 'query', scope: 'none' } as const;

export const system = {
  'system.ping': method({
    ...gateway,
    summary: 'Answers at once: the server lives.',
    params: params({}),
    result: result({ pong: Type.Literal(true) }),
  }),
  'system.capabilities': method({
    ...gateway,
    summary: 'The methods and versions that this server speaks.',
    params: params({}),
    result: result({
      protocol: Type.String(),
      version: Type.Literal(2),
      socket_path: Type.String(),
      access_mode: Type.String(),
      methods: Type.Array(Type.String(), { description: 'Public methods, sorted.' }),
      server: Type.String({ description: '`switchyard`.' }),
      contract_version: Type.String(),
      dialects: Type.Array(Type.String()),
    }),
  }),
  'system.identify': method({
    owner: 'workspace-service',
    effect: 'query',
    summary: 'Where the focus is, and where the caller is.',
    params: params({ caller }),
    result: result({ socket_path: Type.String(), focused: nullable(Place), caller: nullable(Place) }),
  }),
  'system.tree': method({
    owner: 'workspace-service',
    effect: 'query',
    summary: 'Windows, workspaces, panes and surfaces as one tree.',
    params: params({
      all_windows: opt(bool('Every window. Default: the active one.')),
      window_id: opt(handle('window', 'Only this window.')),
      workspace_id: opt(handle('workspace', 'Only the branch of this workspace.')),
      caller,
    }),
    result: result({
      active: nullable(Place, 'Where the focus is.'),
      caller: nullable(Place),
      windows: Type.Array(WindowNode),
    }),
    errors: ['not_found', 'unavailable'],
  }),
} as const;

export const auth = {
  'auth.login': method({
    owner: 'gateway',
    effect: 'query',
    scope: 'none',
    summary:
      'Logs a connection in, with the password or with a token: from then on it may do what these allow, and no more.',
    params: params({
      password: opt(raw('The password, in password mode; elsewhere none is needed, which the answer says.')),
      token: opt(raw('A token of token.create.', { maxLength: 256 })),
    }),
    result: result({ authenticated: Type.Literal(true), required: Type.Optional(Type.Literal(false)) }),
    errors: ['auth_failed', 'auth_unconfigured'],
  }),
} as const;
