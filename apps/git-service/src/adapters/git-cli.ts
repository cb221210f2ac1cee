import { spawn } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { fail, SwitchyardError } from '@switchyard/protocol';

/** Long enough for a large repository on a slow disk; the peer has the same bound. */
const GIT_TIMEOUT_MS = 15_000;
/** A worktree entry takes some hundred bytes: room for tens of thousands of them. */
const OUTPUT_LIMIT_BYTES = 16 * 1024 * 1024;
/** Enough of what git said to understand it. */
const MESSAGE_LIMIT_CHARS = 4096;

/** No hook, helper process or remote helper of the repository runs because we looked at it. */
const SAFE_CONFIG = ['-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false', '-c', 'protocol.ext.allow=never'];

export interface GitOptions {
  readonly signal: AbortSignal;
  readonly timeoutMs?: number;
}

/**
 * Runs the system's git in a folder. The only place that starts git.
 * @returns standard output of a successful run
 * @throws SwitchyardError `not_a_git_repo` (also for a folder that does not exist), `git_command_failed` with
 *   `data.command`, `data.exit_code`, `data.stderr`; `cancelled` and `timeout`
 */
export async function git(folder: string, args: readonly string[], options: GitOptions): Promise<string> {
  if (!(await isFolder(folder))) fail('not_a_git_repo', `${folder} is not a folder.`, { repo: folder });
  const run = await runGit(folder, args, options);
  if (run.exitCode === 0) return run.stdout;
  if (run.stderr.includes('not a git repository')) {
    fail('not_a_git_repo', `${folder} is not inside a git repository.`, { repo: folder });
  }
  throw new SwitchyardError('git_command_failed', `git ${args[0] ?? ''} failed: ${firstLine(run.stderr)}`, {
    command: ['git', ...args],
    exit_code: run.exitCode,
    stderr: run.stderr,
  });
}

interface Finished {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function runGit(folder: string, args: readonly string[], { signal, timeoutMs = GIT_TIMEOUT_MS }: GitOptions) {
  return new Promise<Finished>((resolve, reject) => {
    const child = spawn('git', [...SAFE_CONFIG, ...args], {
      cwd: folder,
      env: gitEnvironment(process.env),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const out: Buffer[] = [];
    let outBytes = 0;
    let err = '';
    const stopWith = (error: SwitchyardError) => {
      reject(error);
      child.kill('SIGKILL');
    };
    const timer = setTimeout(
      () => stopWith(new SwitchyardError('timeout', `git took over ${timeoutMs} ms.`)),
      timeoutMs,
    );
    const onAbort = () => stopWith(new SwitchyardError('cancelled', 'The caller withdrew the request.'));
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort);
    child.stdout.on('data', (data: Buffer) => {
      outBytes += data.length;
      if (outBytes > OUTPUT_LIMIT_BYTES) {
        stopWith(new SwitchyardError('git_command_failed', `git printed over ${OUTPUT_LIMIT_BYTES} bytes.`));
      } else out.push(data);
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      err = (err + text).slice(0, MESSAGE_LIMIT_CHARS);
    });
    const settle = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    };
    child.on('error', (cause) => {
      settle();
      reject(new SwitchyardError('git_command_failed', `git cannot be started: ${cause.message}`, {}, { cause }));
    });
    child.on('close', (exitCode) => {
      settle();
      resolve({ exitCode, stdout: Buffer.concat(out).toString('utf8'), stderr: err });
    });
  });
}

/** English messages, no prompts, no locks for a mere look, and no repository but the one of the folder. */
function gitEnvironment(inherited: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const env = Object.fromEntries(Object.entries(inherited).filter(([name]) => !name.startsWith('GIT_')));
  return { ...env, LC_ALL: 'C', GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0' };
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    // Missing, or not ours to look at: for the caller it is no repository either way.
    return false;
  }
}

const firstLine = (text: string) => text.split('\n', 1)[0] ?? '';
