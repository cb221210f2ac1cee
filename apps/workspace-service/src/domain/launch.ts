import { fail } from '@switchyard/protocol';
import type { NewTerminal } from './creating.js';
import type { Launch } from './entities.js';
import { resolveDirectory } from './paths.js';

/** What a caller says about a program, aliases resolved. */
export interface ProgramParams {
  readonly argv?: readonly string[] | undefined;
  readonly initial_command?: string | undefined;
  readonly cwd?: string | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly remain_on_exit?: boolean | undefined;
  /** On which machine; see {@link Surroundings.host}. */
  readonly host?: string | undefined;
}

/** What a new terminal falls back to. */
export interface Surroundings {
  readonly shell: string;
  readonly home: string;
  readonly host: string;
  /** Directory of where it is opened from. */
  readonly directory: string;
}

/** @throws `invalid_params` when both a program and a command line are given, or an empty program */
export function planTerminal(params: ProgramParams, around: Surroundings): NewTerminal {
  const launch: Launch = {
    argv: programOf(params, around.shell) ?? null,
    cwd: directoryFor(params, around),
    env: params.env ?? {},
  };
  return { launch, host: around.host, remainOnExit: params.remain_on_exit };
}

/** How an exited surface is started again: as before, except for what the caller says. */
export function planRespawn(params: ProgramParams, before: Launch, around: Surroundings): Launch {
  return {
    argv: programOf(params, around.shell) ?? before.argv,
    cwd: params.cwd === undefined ? before.cwd : directoryFor(params, around),
    env: params.env ?? before.env,
  };
}

/** Shows a file and removes it, then becomes the program: for the terminal that is the same process. */
const SHOW_FIRST = '[ -r "$1" ] && cat -- "$1"; rm -f -- "$1"; shift; exec "$@"';

/** A program whose terminal begins with the text of a file. */
export const afterText = (path: string, argv: readonly string[]): string[] => [
  '/bin/sh',
  '-c',
  SHOW_FIRST,
  'sh',
  path,
  ...argv,
];

/** @throws `not_supported` for the kinds of surface that only a server with a screen has */
export function requireTerminal(type: string | undefined): void {
  if (type !== undefined && type !== 'terminal') fail('not_supported', `This server has no ${type} surfaces`, { type });
}

function programOf({ argv, initial_command }: ProgramParams, shell: string): readonly string[] | undefined {
  if (argv !== undefined && initial_command !== undefined) {
    return fail('invalid_params', 'Give either argv or initial_command', { parameter: 'argv' });
  }
  if (argv !== undefined && (argv[0] ?? '') === '') {
    return fail('invalid_params', 'argv names no program', { parameter: 'argv' });
  }
  return initial_command === undefined ? argv : [shell, '-c', initial_command];
}

const directoryFor = ({ cwd }: ProgramParams, { directory, home }: Surroundings): string =>
  cwd === undefined ? directory : resolveDirectory(cwd, directory, home);
