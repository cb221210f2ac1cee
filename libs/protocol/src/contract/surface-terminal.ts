import { method } from '../define.js';
import {
  aliasOf,
  bool,
  ctx,
  handle,
  int,
  NO_NUL,
  oneOf,
  opt,
  params,
  raw,
  result,
  str,
  stringMap,
  strings,
} from '../params.js';
import { Type } from '../schema.js';
import {
  AgentState,
  AgentStateSource,
  CTX_ERRORS,
  ids,
  inWorkspace,
  nullable,
  nullableIds,
  tabAlias,
} from './shapes.js';
import { OutputSlice } from './terminal.js';

/** The longest time Node can wait with one timer. */
const MAX_WAIT_MS = 2_147_483_647;
const WAIT_DEFAULT_MS = 30_000;

const owner = { owner: 'workspace-service' } as const;
const surface_id = handle('surface');
const offset = Type.Integer({ minimum: 0, description: 'Bytes the terminal had produced.' });
const base64 = Type.String({ description: 'Base64.' });
const here = { ...inWorkspace, ...ids('surface') };

/** Well below the deadline of a request. */
const MAX_VERIFY_MS = 10_000;

const verify_ms = opt(
  int('Watch for so long whether anything is printed, and say so in `change_seen`.', {
    minimum: 0,
    maximum: MAX_VERIFY_MS,
  }),
);

const input = {
  ...owner,
  effect: 'mutation',
  result: result({
    ...here,
    bytes: Type.Integer({ description: 'Bytes accepted; the program has not necessarily read them.' }),
    offset,
    change_seen: Type.Optional(
      Type.Boolean({
        description:
          'With `verify_ms`: the terminal has printed something since, or its program has ended. false: no change was ' +
          'seen. Neither says that the program has acted on the input.',
      }),
    ),
  }),
  errors: [...CTX_ERRORS, 'terminal_exited', 'input_overflow'],
} as const;

/** What runs in a terminal surface: input, output, waits, life. */
export const surfaceTerminal = {
  'surface.send_text': method({
    ...input,
    summary: 'Types text as a keyboard would: each line break is Enter. Or pastes it.',
    params: params({
      ...ctx,
      text: raw('What to type, exactly.'),
      paste: opt(bool('Paste instead: bracketed when the program asked for that.')),
      verify_ms,
    }),
    risks: ['A program may act on the input: a shell runs what is typed and entered.'],
  }),
  'surface.send_key': method({
    ...input,
    summary: 'Presses one key by name: `enter`, `ctrl-c`, `shift+tab`, `pageup`, `a`.',
    params: params({ ...ctx, key: str('The key.'), verify_ms }),
    risks: ['A program may act on the input: a shell runs what is typed and entered.'],
  }),
  'surface.send_bytes': method({
    ...input,
    summary: 'Sends exact bytes to the program.',
    params: params({ ...ctx, surface_id, data: raw('Base64 of the bytes.'), verify_ms }),
    risks: ['A program may act on the input: a shell runs what is typed and entered.'],
  }),
  'surface.read_text': method({
    ...owner,
    fromHosts: 'detectors',
    effect: 'query',
    selfService: true,
    summary: 'The screen, or screen and scrollback, as text; wrapped rows joined, trailing blank rows dropped.',
    params: params({
      ...ctx,
      scrollback: opt(bool('Scrollback too. Default: the screen only.')),
      lines: opt(int('Only the last so many lines; implies scrollback.', { minimum: 1 })),
    }),
    result: result({
      ...here,
      text: Type.String(),
      base64: Type.String({ description: 'Base64 of the text in UTF-8.' }),
      offset,
      rev: Type.Integer({ description: 'Changes of the screen so far.' }),
      cols: Type.Integer(),
      rows: Type.Integer(),
    }),
    errors: CTX_ERRORS,
  }),
  'surface.read_output': method({
    ...owner,
    effect: 'wait',
    selfService: true,
    summary: 'Exact bytes from an offset; also of exited and recently closed surfaces.',
    params: params({
      surface_id,
      ...tabAlias,
      offset: opt(int('Where to begin. Default: the oldest byte kept.', { minimum: 0 })),
      max_bytes: opt(int('At most so many bytes.', { minimum: 1 })),
      wait_ms: opt(int('When there is nothing new, wait for it up to so long.', { minimum: 0, maximum: MAX_WAIT_MS })),
    }),
    result: result({ ...ids('surface'), ...OutputSlice }),
    errors: ['not_found'],
    timeoutParam: 'wait_ms',
  }),
  'surface.snapshot': method({
    ...owner,
    effect: 'query',
    selfService: true,
    summary: 'Bytes that paint the present screen, its scrollback and all its modes into a fresh terminal.',
    params: params({
      ...ctx,
      surface_id,
      scrollback_lines: opt(int('At most so many lines of scrollback. Default: all.', { minimum: 0 })),
    }),
    result: result({
      ...here,
      data: base64,
      offset,
      cols: Type.Integer(),
      rows: Type.Integer(),
      restore: Type.String({ description: 'Base64 of bytes that undo the modes, for when the reader detaches.' }),
    }),
    errors: CTX_ERRORS,
  }),
  'surface.wait': method({
    ...owner,
    effect: 'wait',
    selfService: true,
    summary:
      'Waits for text that matches a pattern, for the exit, or for a state of the agent. Exactly one condition; already true answers at once.',
    params: params({
      ...ctx,
      pattern: opt(raw('A regular expression, searched in the last `lines` lines of screen and scrollback.')),
      exit: opt(bool('Wait until the program has ended.')),
      agent_state: opt(
        oneOf(
          ['idle', 'working', 'blocked', 'any_change'],
          'Wait for a state of the agent in it. idle: also if nothing is known; any_change: the next change.',
        ),
      ),
      lines: opt(int('How many lines `pattern` looks at. Default 2000.', { minimum: 1 })),
      timeout_ms: opt(int('Give up after so long. Default 30000.', { minimum: 0, maximum: MAX_WAIT_MS })),
      timeout: aliasOf('timeout_ms'),
    }),
    result: result({
      ...here,
      condition: Type.Enum(['pattern', 'exit', 'agent_state']),
      waited: Type.Boolean({ description: 'false: it was true already.' }),
      match: Type.Optional(Type.String({ description: 'The text that matched.' })),
      exit_code: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
      signal: Type.Optional(Type.Union([Type.String(), Type.Null()])),
      state: Type.Optional(nullable(AgentState, 'Of the agent, for agent_state.')),
      source: Type.Optional(nullable(AgentStateSource, 'null together with `state`.')),
      offset: Type.Optional(offset),
    }),
    errors: [...CTX_ERRORS, 'timeout'],
    deadlineMs: WAIT_DEFAULT_MS,
    timeoutParam: 'timeout_ms',
  }),
  'surface.resize': method({
    ...owner,
    effect: 'mutation',
    idempotent: true,
    summary: 'Overrides the size of a terminal, or without a size gives it back to the layout.',
    params: params({
      ...ctx,
      surface_id,
      cols: opt(int('Columns; together with `rows`.', { minimum: 1, maximum: 1000 })),
      rows: opt(int('Rows; together with `cols`.', { minimum: 1, maximum: 1000 })),
    }),
    result: result({ ...here, cols: Type.Integer(), rows: Type.Integer(), overridden: Type.Boolean() }),
    errors: [...CTX_ERRORS, 'terminal_exited'],
  }),
  'surface.respawn': method({
    ...owner,
    effect: 'mutation',
    summary: 'Starts a program again in a surface whose program has ended.',
    params: params({
      ...ctx,
      surface_id,
      argv: opt(strings('Program and arguments. Default: what ran before.')),
      initial_command: opt(str('A command line for the shell. Not with `argv`.', NO_NUL)),
      cwd: opt(str('Default: as before.', NO_NUL)),
      working_directory: aliasOf('cwd'),
      env: opt(stringMap('Default: as before.')),
      initial_env: aliasOf('env'),
    }),
    result: result({
      ...inWorkspace,
      ...nullableIds('pane'),
      ...ids('surface'),
      pid: Type.Integer(),
      offset: Type.Integer({ description: 'Where its output begins.' }),
    }),
    errors: [...CTX_ERRORS, 'invalid_state', 'command_not_found', 'directory_not_found'],
  }),
  'surface.clear_history': method({
    ...owner,
    effect: 'mutation',
    idempotent: true,
    summary: 'Empties the scrollback. The byte log keeps everything.',
    params: params(ctx),
    result: result(here),
    errors: [...CTX_ERRORS, 'not_supported'],
  }),
} as const;
