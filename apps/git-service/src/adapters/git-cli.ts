import { stat } from 'node:fs/promises';
import { fail, SwitchyardError } from '@switchyard/protocol';
import { OPERATION_VARIABLE } from '../domain/operation.js';
import { type Finished, type ProcessOptions, runGit } from './git-process.js';

export type { Finished } from './git-process.js';

/** Long enough for a large repository on a slow disk; the peer has the same bound. */
const READ_TIMEOUT_MS = 15_000;
/** A checkout of a large repository with filters takes minutes; only what hangs takes longer. */
const CHANGE_TIMEOUT_MS = 10 * 60_000;
/** A worktree entry takes some hundred bytes, a status line as well: room for tens of thousands of them. */
const OUTPUT_LIMIT_BYTES = 16 * 1024 * 1024;

/** No hook, helper process or remote helper of the repository runs because we looked at it. */
const READ_CONFIG = ['-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false', '-c', 'protocol.ext.allow=never'];
/** What ties git to another repository than the one of the folder (`git rev-parse --local-env-vars`). */
const REPOSITORY_VARIABLES = new Set([
  'GIT_ALTERNATE_OBJECT_DIRECTORIES',
  'GIT_COMMON_DIR',
  'GIT_CONFIG',
  'GIT_CONFIG_COUNT',
  'GIT_CONFIG_PARAMETERS',
  'GIT_DIR',
  'GIT_GRAFT_FILE',
  'GIT_IMPLICIT_WORK_TREE',
  'GIT_INDEX_FILE',
  'GIT_INTERNAL_SUPER_PREFIX',
  'GIT_NAMESPACE',
  'GIT_NO_REPLACE_OBJECTS',
  'GIT_OBJECT_DIRECTORY',
  'GIT_PREFIX',
  'GIT_REPLACE_REF_BASE',
  'GIT_SHALLOW_FILE',
  'GIT_WORK_TREE',
]);

export interface GitOptions {
  readonly signal: AbortSignal;
  readonly timeoutMs?: number;
  readonly outputLimitBytes?: number;
  /** What git reads from its standard input. */
  readonly input?: string | Buffer;
  /** Added to the environment of git. */
  readonly env?: Readonly<Record<string, string>>;
}

type ReadOptions = GitOptions & Pick<ProcessOptions, 'onOutput'>;

export interface ChangeOptions extends GitOptions {
  /** Id of the operation it belongs to: by it the process is found again when we died meanwhile. */
  readonly operation: string;
}

/**
 * Looks with the system's git: no hooks, no locks, English messages. This module is the only one that starts git.
 * @returns standard output of a successful run
 * @throws SwitchyardError `not_a_git_repo` (also for a folder that does not exist), `git_command_failed` with
 *   `data.command`, `data.exit_code`, `data.stderr`; `cancelled` and `timeout`
 */
export async function git(folder: string, args: readonly string[], options: GitOptions): Promise<string> {
  return (await gitBytes(folder, args, options)).toString('utf8');
}

/** As {@link git}, for output that need not be UTF-8: contents of files, and names as they are. */
export async function gitBytes(folder: string, args: readonly string[], options: GitOptions): Promise<Buffer> {
  return succeeded(folder, args, await tryGit(folder, args, options)).stdout;
}

/**
 * As {@link git}, for output of any length: it is handed on piece by piece as it comes, and not kept.
 *
 * @param onOutput returns whether it wants more; once it does not, git is ended
 */
export async function gitStream(
  folder: string,
  args: readonly string[],
  options: GitOptions,
  onOutput: (piece: Buffer) => boolean,
): Promise<void> {
  succeeded(folder, args, await tryGit(folder, args, { ...options, onOutput }));
}

/** As {@link git}, where an exit status other than 0 is an answer (`show-ref --verify`, `diff --quiet`). */
export async function tryGit(folder: string, args: readonly string[], options: ReadOptions): Promise<Finished> {
  await checkFolder(folder);
  const env = { ...without(process.env, (name) => name.startsWith('GIT_')), GIT_OPTIONAL_LOCKS: '0' };
  return runGit(folder, [...READ_CONFIG, ...args], processOptions(options, env, READ_TIMEOUT_MS, 'at-once'));
}

/**
 * Changes something, as git would if the user had typed it: with the hooks, filters and identity of the user. Ended
 * early it is given the time to clean up after itself.
 * @returns standard output of a successful run
 * @throws as {@link git}
 */
export async function gitChange(folder: string, args: readonly string[], options: ChangeOptions): Promise<string> {
  return succeeded(folder, args, await tryGitChange(folder, args, options)).stdout.toString('utf8');
}

/** As {@link gitChange}, where an exit status other than 0 is an answer (`merge` with conflicts). */
export async function tryGitChange(folder: string, args: readonly string[], options: ChangeOptions): Promise<Finished> {
  await checkFolder(folder);
  const env = {
    ...without(process.env, (name) => REPOSITORY_VARIABLES.has(name)),
    [OPERATION_VARIABLE]: options.operation,
  };
  return runGit(folder, args, processOptions(options, env, CHANGE_TIMEOUT_MS, 'orderly'));
}

/**
 * The result of a run that must have succeeded.
 * @throws `not_a_git_repo`, `git_command_failed`
 */
export function succeeded(folder: string, args: readonly string[], run: Finished): Finished {
  if (run.exitCode === 0) return run;
  if (run.stderr.includes('not a git repository')) {
    fail('not_a_git_repo', `${folder} is not inside a git repository.`, { repo: folder });
  }
  throw new SwitchyardError('git_command_failed', `git ${args[0] ?? ''} failed: ${saidBy(run)}`, {
    command: ['git', ...args],
    exit_code: run.exitCode,
    stderr: run.stderr,
  });
}

/** English messages and no prompts, whatever is done. */
function processOptions(
  options: ReadOptions,
  env: NodeJS.ProcessEnv,
  timeoutMs: number,
  end: ProcessOptions['end'],
): ProcessOptions {
  return {
    signal: options.signal,
    timeoutMs: options.timeoutMs ?? timeoutMs,
    outputLimitBytes: options.outputLimitBytes ?? OUTPUT_LIMIT_BYTES,
    env: { ...env, LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0', ...options.env },
    ...(options.input !== undefined && { input: options.input }),
    ...(options.onOutput !== undefined && { onOutput: options.onOutput }),
    end,
  };
}

function without(env: NodeJS.ProcessEnv, dropped: (name: string) => boolean): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !dropped(name)));
}

async function checkFolder(folder: string): Promise<void> {
  if (!(await isFolder(folder))) fail('not_a_git_repo', `${folder} is not a folder.`, { repo: folder });
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    // Missing, or not ours to look at: for the caller it is no repository either way.
    return false;
  }
}

/** The line that says why: git begins it with `fatal:` or `error:`, and may say what it is doing before. */
function saidBy({ stderr, exitCode }: Finished): string {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '');
  return lines.find((line) => /^(fatal|error):/.test(line)) ?? lines[0] ?? `exit status ${exitCode}`;
}
