import { method } from '../define.js';
import { params, result } from '../params.js';
import { Type } from '../schema.js';
import { ListeningPort } from './metadata-shapes.js';

/**
 * What workspace-service asks of the pty-host that follows a surface. Internal: clients use `surface.*`.
 * Ids here are canonical (upper-case UUIDs); the workspace-service has resolved every handle.
 */
const surface_id = Type.String({ description: 'Canonical surface id.' });
const offset = Type.Integer({ minimum: 0, description: 'Bytes the terminal had produced.' });
const internal = { owner: 'pty-host', visibility: 'internal' } as const;
const input = { effect: 'mutation', errors: ['not_found', 'terminal_exited', 'input_overflow'] } as const;

export const Exit = Type.Object({
  exit_code: Type.Union([Type.Integer(), Type.Null()], { description: 'null when a signal ended it.' }),
  signal: Type.Union([Type.String(), Type.Null()], { description: 'e.g. "SIGTERM"; null after a normal exit.' }),
  offset: Type.Integer({ description: 'Offset of the end of its output.' }),
  at: Type.Integer({ description: 'Unix milliseconds.' }),
  reason: Type.Optional(
    Type.Enum(['exited', 'lost'], {
      description: 'lost: its terminal went away under it, and nobody saw how it ended. Absent: exited.',
    }),
  ),
});

export const TerminalStatus = Type.Object({
  surface_id,
  pid: Type.Integer(),
  cols: Type.Integer(),
  rows: Type.Integer(),
  offset,
  title: Type.Union([Type.String(), Type.Null()]),
  cwd: Type.Union([Type.String(), Type.Null()], { description: 'Last directory reported with OSC 7.' }),
  tty: Type.Union([Type.String(), Type.Null()]),
  exit: Type.Union([Exit, Type.Null()]),
  ports: Type.Union([Type.Array(ListeningPort), Type.Null()], {
    description: 'On which its processes listened when last looked at; null: nobody has looked.',
  }),
});

export const Survivor = Type.Object({ pid: Type.Integer(), command: Type.String() });

export const OutputSlice = {
  offset,
  next_offset: offset,
  data: Type.String({ description: 'Base64 of exactly next_offset - offset bytes.' }),
  eof: Type.Boolean({ description: 'The terminal has exited and next_offset is the end.' }),
  exit: Type.Optional(Exit),
  gap: Type.Optional(
    Type.Object(
      { from: offset, to: offset, reason: Type.String() },
      { description: 'Bytes [from, to) are gone; the data starts at `to`.' },
    ),
  ),
};

export const terminal = {
  'terminal.open': method({
    ...internal,
    summary: 'Starts a program in a new terminal. Repeating it for a surface that lives answers the same pid.',
    params: params({
      surface_id,
      argv: Type.Array(Type.String(), { minItems: 1 }),
      cwd: Type.String(),
      env: Type.Record(Type.String(), Type.String()),
      cols: Type.Integer({ minimum: 1, maximum: 1000 }),
      rows: Type.Integer({ minimum: 1, maximum: 1000 }),
    }),
    result: result({ pid: Type.Integer(), tty: Type.Union([Type.String(), Type.Null()]), offset }),
    errors: ['command_not_found', 'directory_not_found'],
    effect: 'mutation',
    idempotent: true,
  }),
  'terminal.close': method({
    ...internal,
    summary: 'Ends the program and its process group and session: HUP, TERM, KILL; answers when they are gone.',
    params: params({ surface_id, kill_survivors: Type.Optional(Type.Boolean()) }),
    result: result({
      exit: Type.Union([Exit, Type.Null()]),
      survivors: Type.Array(Survivor, { description: 'Processes that left the session and live on.' }),
    }),
    errors: ['not_found'],
    effect: 'mutation',
    idempotent: true,
  }),
  'terminal.forget': method({
    ...internal,
    summary: 'Removes the log and checkpoint of an exited terminal.',
    params: params({ surface_id }),
    result: result({ forgotten: Type.Boolean() }),
    errors: ['invalid_state'],
    effect: 'mutation',
    idempotent: true,
  }),
  'terminal.list': method({
    ...internal,
    summary: 'All terminals this pty-host follows, exited ones included until forgotten.',
    params: params({}),
    result: result({ terminals: Type.Array(TerminalStatus) }),
    effect: 'query',
  }),
  'terminal.get': method({
    ...internal,
    summary: 'One terminal.',
    params: params({ surface_id }),
    result: TerminalStatus,
    errors: ['not_found'],
    effect: 'query',
  }),
  'terminal.directory': method({
    ...internal,
    summary: 'The working directory of the program in the foreground, as the system has it, not as it was reported.',
    params: params({ surface_id }),
    result: result({
      pid: Type.Integer(),
      path: Type.Union([Type.String(), Type.Null()], { description: 'null: this system does not tell.' }),
      exists: Type.Union([Type.Boolean(), Type.Null()], {
        description: 'false: it was deleted under the program, even if there is another of that name now.',
      }),
    }),
    errors: ['not_found', 'terminal_exited'],
    effect: 'query',
  }),
  'terminal.ports': method({
    ...internal,
    summary: 'The ports on which the processes of the terminal listen, sorted.',
    params: params({
      surface_id,
      later: Type.Optional(
        Type.Boolean({ description: 'Answer with what is known, and look soon, as if something had been printed.' }),
      ),
    }),
    result: result({ ports: Type.Array(ListeningPort) }),
    errors: ['not_found', 'terminal_exited', 'unavailable'],
    effect: 'query',
  }),
  'terminal.write': method({
    ...internal,
    ...input,
    summary: 'Writes exact bytes to the terminal.',
    params: params({ surface_id, data: Type.String({ description: 'Base64.' }) }),
    result: result({ bytes: Type.Integer(), offset }),
  }),
  'terminal.send_text': method({
    ...internal,
    ...input,
    summary: 'Types text as a keyboard would, or pastes it (bracketed when the program asked for that).',
    params: params({ surface_id, text: Type.String(), paste: Type.Boolean() }),
    result: result({
      bytes: Type.Integer(),
      offset,
      bracketed: Type.Boolean({ description: 'The program knows that it was a paste.' }),
    }),
  }),
  'terminal.send_key': method({
    ...internal,
    summary: 'Presses a key by name, encoded for the modes the program has set.',
    params: params({ surface_id, key: Type.String() }),
    result: result({ bytes: Type.Integer(), offset }),
    effect: 'mutation',
    errors: ['not_found', 'terminal_exited', 'input_overflow', 'invalid_params'],
  }),
  'terminal.resize': method({
    ...internal,
    summary: 'Changes the size of the terminal.',
    params: params({
      surface_id,
      cols: Type.Integer({ minimum: 1, maximum: 1000 }),
      rows: Type.Integer({ minimum: 1, maximum: 1000 }),
    }),
    result: result({ cols: Type.Integer(), rows: Type.Integer() }),
    errors: ['not_found', 'terminal_exited'],
    effect: 'mutation',
    idempotent: true,
  }),
  'terminal.read_text': method({
    ...internal,
    summary: 'Screen, or screen and scrollback, as text; wrapped rows joined, trailing blank rows dropped.',
    params: params({
      surface_id,
      scrollback: Type.Boolean(),
      lines: Type.Optional(Type.Integer({ minimum: 1 })),
    }),
    result: result({ text: Type.String(), offset, rev: Type.Integer(), cols: Type.Integer(), rows: Type.Integer() }),
    errors: ['not_found'],
    effect: 'query',
  }),
  'terminal.read_output': method({
    ...internal,
    summary: 'Exact bytes from an offset; waits for new ones up to wait_ms.',
    params: params({
      surface_id,
      offset: Type.Optional(offset),
      max_bytes: Type.Optional(Type.Integer({ minimum: 1 })),
      wait_ms: Type.Optional(Type.Integer({ minimum: 0 })),
    }),
    result: result(OutputSlice),
    errors: ['not_found', 'invalid_params'],
    effect: 'wait',
    timeoutParam: 'wait_ms',
  }),
  'terminal.wait': method({
    ...internal,
    summary: 'Waits for text that matches a pattern, or for the exit. Already true answers at once.',
    params: params({
      surface_id,
      pattern: Type.Optional(Type.String()),
      exit: Type.Optional(Type.Literal(true)),
      lines: Type.Integer({ minimum: 1 }),
      timeout_ms: Type.Integer({ minimum: 0 }),
    }),
    result: result({
      waited: Type.Boolean(),
      match: Type.Optional(Type.String()),
      exit: Type.Optional(Exit),
      offset,
    }),
    errors: ['not_found', 'timeout', 'invalid_params'],
    effect: 'wait',
    timeoutParam: 'timeout_ms',
  }),
  'terminal.clear_history': method({
    ...internal,
    summary: 'Empties the scrollback; the byte log keeps everything.',
    params: params({ surface_id }),
    result: result({ offset }),
    errors: ['not_found'],
    effect: 'mutation',
    idempotent: true,
  }),
  'terminal.snapshot': method({
    ...internal,
    summary: 'Bytes that paint the present screen, its scrollback and all its modes into a fresh terminal.',
    params: params({ surface_id, scrollback_lines: Type.Optional(Type.Integer({ minimum: 0 })) }),
    result: result({
      data: Type.String({ description: 'Base64.' }),
      offset,
      cols: Type.Integer(),
      rows: Type.Integer(),
      restore: Type.String({ description: 'Base64 of bytes that undo the modes: the epilogue when detaching.' }),
    }),
    errors: ['not_found'],
    effect: 'query',
  }),
} as const;
