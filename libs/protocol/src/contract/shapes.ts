import { aliasOf, bool, ignored, NO_NUL, oneOf, opt, str, stringMap, strings } from '../params.js';
import { type TNull, type TSchema, type TString, type TUnion, Type } from '../schema.js';

/** Parts that many public methods share. Ids are upper-case UUIDs, refs are `kind:N` (programa-api §2.4). */
export type EntityKind =
  | 'window'
  | 'workspace'
  | 'pane'
  | 'surface'
  | 'tab'
  | 'target_pane'
  | 'source_surface'
  | 'source_pane'
  | 'target_surface'
  | 'created_surface'
  | 'created_tab'
  | 'selected_workspace'
  | 'selected_surface'
  | 'focused_surface';
type Pair<K extends string, S extends TSchema> = { [P in `${K}_id` | `${K}_ref`]: S };

const pairs = <K extends EntityKind, S extends TSchema>(kinds: readonly K[], schema: S): Pair<K, S> =>
  Object.fromEntries(kinds.flatMap((kind) => [`${kind}_id`, `${kind}_ref`]).map((name) => [name, schema])) as Pair<
    K,
    S
  >;

export const nullable = <T extends TSchema>(schema: T, description?: string): TUnion<[T, TNull]> =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description });

/** `ids('pane')` declares `pane_id` and `pane_ref`. */
export const ids = <const K extends EntityKind>(...kinds: K[]): Pair<K, TString> => pairs(kinds, Type.String());
/** As {@link ids}; both are null together. */
export const nullableIds = <const K extends EntityKind>(...kinds: K[]): Pair<K, TUnion<[TString, TNull]>> =>
  pairs(kinds, nullable(Type.String()));

/** The window and workspace that a method acted in. */
export const inWorkspace = ids('window', 'workspace');
export const self = { id: Type.String(), ref: Type.String() };
export const index = Type.Integer({ minimum: 0, description: 'Place among its siblings, from 0.' });

export const SurfaceType = Type.Enum(['terminal', 'browser', 'markdown', 'review']);
export const AgentState = Type.Enum(['working', 'blocked', 'idle']);
/** `program`: it says so itself (OSC 7501). */
export const AgentStateSource = Type.Enum(['program', 'hooks', 'inferred']);
export const Frame = Type.Object({ x: Type.Number(), y: Type.Number(), width: Type.Number(), height: Type.Number() });

/** Which kind of surface to make. Answering for kinds that this server lacks is up to the owner (`not_supported`). */
export const surfaceType = opt(oneOf(['terminal', 'browser'], 'Kind of surface; default terminal.'));
export const direction = oneOf(['left', 'right', 'up', 'down'], 'On which side.', {
  l: 'left',
  r: 'right',
  u: 'up',
  d: 'down',
});
/** Sent by clients of the peer to methods that by rule never move focus (programa-api §6.2). */
export const unfocused = { focus: ignored('this method never moves the focus.') };

/** What runs in a new terminal, and how. */
export const program = {
  argv: opt(strings('Program and arguments, run without a shell. Default: the shell of the user.')),
  initial_command: opt(
    str('A command line for the shell, run in place of an interactive shell. Not with `argv`.', NO_NUL),
  ),
  cwd: opt(str('Working directory; `~` is the home folder. Default: that of the surface it is opened from.', NO_NUL)),
  working_directory: aliasOf('cwd'),
  env: opt(stringMap('Variables added to the environment; those that Switchyard sets itself win.')),
  initial_env: aliasOf('env'),
  host: opt(
    str(
      'The machine to run it on: `local`, a name of `host.list`, `any` (the least loaded) or `any:LABEL`. Default: as the surface it is opened from.',
    ),
  ),
  remain_on_exit: opt(bool('Keep the surface, readable, when its program ends. Default false: it closes.')),
};
/** What can go wrong when a program is started. */
export const PROGRAM_ERRORS = ['command_not_found', 'directory_not_found', 'not_supported'] as const;
export const CTX_ERRORS = ['unavailable', 'not_found'] as const;

/** `surface_id` for methods that have no default surface. */
export const tabAlias = { tab_id: aliasOf('surface_id') };
