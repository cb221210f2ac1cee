import { method } from '../define.js';
import { aliasOf, bool, ctx, handle, NO_NUL, opt, params, result, str } from '../params.js';
import { Type } from '../schema.js';
import { CTX_ERRORS, ids, inWorkspace, nullable, unfocused } from './shapes.js';

const owner = { owner: 'workspace-service', tier: 'alpha' } as const;
const name = str('Name of the layout: that of its file, without `.json`.');
const file = { name: Type.String(), path: Type.String({ description: 'Its file.' }) };
const saved_at = Type.String({ description: 'ISO 8601; empty: the file does not say.' });
const Counts = { pane_count: Type.Integer(), surface_count: Type.Integer() };

const AppliedSurface = Type.Object({
  ...ids('pane', 'surface'),
  name: nullable(Type.String(), 'Its title in the layout.'),
  outcome: Type.Enum(['started', 'reused', 'failed'], {
    description:
      '`reused`: the terminal that the workspace had is this one. `failed`: its program could not be started; the surface stays, without one.',
  }),
  error: nullable(Type.Object({ code: Type.String(), message: Type.String() }), 'With `failed`.'),
});

const Surface = Type.Object({
  type: Type.String({ description: '`terminal`; another program may have written `browser`, which is skipped here.' }),
  name: Type.Optional(Type.String({ description: 'Title.' })),
  command: Type.Optional(Type.String({ description: 'Typed into its shell.' })),
  cwd: Type.Optional(Type.String({ description: 'Absolute, from `~`, or from the root of the workspace.' })),
  env: Type.Optional(Type.Record(Type.String(), Type.String())),
  url: Type.Optional(Type.String()),
  focus: Type.Optional(Type.Boolean({ description: 'It becomes the focused one of its workspace.' })),
  argv: Type.Optional(Type.Array(Type.String(), { description: 'Program in place of the shell.' })),
  agent: Type.Optional(
    Type.Object({
      kind: Type.String(),
      args: Type.Optional(Type.Array(Type.String())),
      name: Type.Optional(Type.String()),
    }),
  ),
  remainOnExit: Type.Optional(Type.Boolean()),
});

const Node = Type.Object({
  pane: Type.Optional(Type.Object({ surfaces: Type.Array(Surface) }, { description: 'With a pane: its tabs.' })),
  direction: Type.Optional(Type.Enum(['horizontal', 'vertical'], { description: 'With a split.' })),
  split: Type.Optional(Type.Number({ description: 'Share of the first child; absent: half.' })),
  children: Type.Optional(
    Type.Array(Type.Unsafe<object>({ type: 'object' }), { description: 'With a split: two, each like this.' }),
  ),
});

export const layout = {
  'layout.save': method({
    ...owner,
    effect: 'mutation',
    idempotent: true,
    summary:
      'Saves how the selected workspace is arranged: splits, titles, directories, and what its layout or a caller runs there.',
    params: params({
      ...ctx,
      name,
      force: opt(bool('Replace a layout of that name. Default false.')),
      env: opt(
        bool(
          'Also variables that callers gave to programs; they may be secrets. Default false: only those that came from a layout.',
        ),
      ),
    }),
    result: result({ ...file, ...Counts }),
    errors: [...CTX_ERRORS, 'already_exists', 'invalid_name', 'no_active_workspace'],
  }),
  'layout.apply': method({
    ...owner,
    effect: 'mutation',
    summary:
      'Opens what a layout says, in a new workspace or in one that is there. All of it appears at once; the selection stays.',
    params: params({
      window_id: ctx.window_id,
      name,
      workspace_id: opt(
        handle(
          'workspace',
          'Open it here. Its only terminal makes place; beside anything more it gets half the focused pane.',
        ),
      ),
      cwd: opt(str('Directory that relative ones start from. Default: that of the workspace.', NO_NUL)),
      working_directory: aliasOf('cwd'),
      title: opt(str('Title of the new workspace.')),
      ...unfocused,
    }),
    result: result({
      ...inWorkspace,
      layout: Type.String(),
      complete: Type.Boolean({ description: 'Everything of the layout is there and runs.' }),
      surfaces: Type.Array(AppliedSurface, { description: 'In the order of the layout.' }),
      skipped: Type.Array(Type.Object({ what: Type.String(), reason: Type.String() }), {
        description: 'What this server has no place or no means for.',
      }),
      remarks: Type.Array(Type.String()),
    }),
    errors: [
      ...CTX_ERRORS,
      'invalid_name',
      'invalid_state',
      'version_mismatch',
      'not_supported',
      'command_not_found',
      'directory_not_found',
    ],
    risks: ['Runs the programs and types the commands that the layout names.'],
  }),
  'layout.list': method({
    ...owner,
    effect: 'query',
    summary: 'The layouts there are, by name.',
    params: params({}),
    result: result({
      layouts: Type.Array(Type.Object({ ...file, saved_at, ...Counts })),
      unreadable: Type.Array(Type.Object({ ...file, reason: Type.String() }), {
        description: 'Files in the folder of the layouts that hold none.',
      }),
    }),
  }),
  'layout.get': method({
    ...owner,
    effect: 'query',
    summary: 'One layout, as it stands in its file.',
    params: params({ name }),
    result: result({
      ...file,
      saved_at,
      layout: Node,
    }),
    errors: ['not_found', 'invalid_name', 'invalid_state', 'version_mismatch'],
  }),
  'layout.delete': method({
    ...owner,
    effect: 'mutation',
    summary: 'Deletes the file of a layout. What was opened from it stays.',
    params: params({ name }),
    result: result(file),
    errors: ['not_found', 'invalid_name'],
  }),
} as const;
