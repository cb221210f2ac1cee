import { type ChildProcess, spawn } from 'node:child_process';
import { SwitchyardError } from '@switchyard/protocol';
import { signalProcess } from '@switchyard/service/signal';
import { startOf } from './orphans.js';

/** Enough of what git said to understand it. */
const MESSAGE_LIMIT_CHARS = 4096;
/** git takes back a half-made worktree or lock file when it is told to end; that is a matter of milliseconds. */
const ORDERLY_END_MS = 3_000;

export interface ProcessOptions {
  /** Aborting it ends git and fails the run with `cancelled`. */
  readonly signal: AbortSignal;
  /** After so long git is ended and the run fails with `timeout`. */
  readonly timeoutMs: number;
  /** Standard output beyond it ends git and fails the run. */
  readonly outputLimitBytes: number;
  readonly env: NodeJS.ProcessEnv;
  /** What git reads from its standard input; default nothing. */
  readonly input?: string | Buffer;
  /**
   * Gets standard output piece by piece, instead of its being kept: `false` means that this is enough, which ends git
   * as a success. What it throws ends git, too, and is what the run fails with.
   */
  readonly onOutput?: (piece: Buffer) => boolean;
  /** `at-once` for what changes nothing; `orderly` lets git clean up after itself first. */
  readonly end: 'at-once' | 'orderly';
}

/** How git ended by itself. */
export interface Finished {
  /** null when a signal from elsewhere ended it. */
  readonly exitCode: number | null;
  readonly stdout: Buffer;
  /** Cut to its beginning. */
  readonly stderr: string;
}

/**
 * Runs the system's git to its end, in a process group of its own, so that what it starts (hooks, filters, helpers)
 * ends with it. Settles only when git is gone: whoever is told `cancelled` finds nothing still changing.
 * @throws SwitchyardError `cancelled`, `timeout`, and `git_command_failed` when it cannot be started or prints too much
 */
export function runGit(folder: string, args: readonly string[], options: ProcessOptions): Promise<Finished> {
  if (options.signal.aborted) return Promise.reject(withdrawn());
  return new Promise((resolve, reject) => {
    const child = spawn('git', args, {
      cwd: folder,
      env: options.env,
      stdio: [options.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      detached: true,
    });
    const ending = new Ending(child, options.end);
    const output = collect(child, ending, args, options);
    const timer = setTimeout(
      () => ending.because(new SwitchyardError('timeout', `git took over ${options.timeoutMs} ms.`)),
      options.timeoutMs,
    );
    const onAbort = () => ending.because(withdrawn());
    options.signal.addEventListener('abort', onAbort, { once: true });
    const settle = () => {
      clearTimeout(timer);
      ending.over();
      options.signal.removeEventListener('abort', onAbort);
    };
    child.once('error', (cause) => {
      settle();
      reject(new SwitchyardError('git_command_failed', `git cannot be started: ${cause.message}`, {}, { cause }));
    });
    // A process that left the group may hold the pipes open for ever: what was stopped is not read to its end.
    child.once('exit', () => {
      if (!ending.isBegun) return;
      settle();
      end(0);
    });
    child.once('close', (exitCode) => {
      settle();
      end(ending.isBegun ? 0 : exitCode);
    });
    const end = (exitCode: number | null) => {
      if (ending.reason !== undefined) reject(ending.reason);
      else resolve({ exitCode, ...output() });
    };
    feed(child, options.input);
  });
}

/** Why git is made to end, and how. */
class Ending {
  readonly #child: ChildProcess;
  readonly #how: ProcessOptions['end'];
  #reason: unknown;
  #isBegun = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(child: ChildProcess, how: ProcessOptions['end']) {
    this.#child = child;
    this.#how = how;
  }

  /** What the run fails with; undefined: nothing went wrong. */
  get reason(): unknown {
    return this.#reason;
  }

  /** Whether git does not end by itself. */
  get isBegun(): boolean {
    return this.#isBegun;
  }

  /** @param reason undefined: git has said enough */
  because(reason?: unknown): void {
    if (this.#isBegun) return;
    this.#isBegun = true;
    this.#reason = reason;
    if (this.#how === 'at-once') {
      this.#signal('SIGKILL');
      return;
    }
    this.#signal('SIGTERM');
    this.#timer = setTimeout(() => this.#signal('SIGKILL'), ORDERLY_END_MS);
  }

  over(): void {
    clearTimeout(this.#timer);
  }

  #signal(signal: NodeJS.Signals): void {
    const { pid, exitCode, signalCode } = this.#child;
    if (pid === undefined) return;
    // Nobody gets the number before we have heard of its end. Later it is reserved as long as there is a group, and a
    // process of that number is another's.
    const isSame = () => (exitCode === null && signalCode === null) || startOf(pid) === undefined;
    signalProcess({ pid, group: true, isSame }, signal);
  }
}

function collect(
  child: ChildProcess,
  ending: Ending,
  args: readonly string[],
  { outputLimitBytes, onOutput }: ProcessOptions,
): () => Omit<Finished, 'exitCode'> {
  const out: Buffer[] = [];
  let bytes = 0;
  let stderr = '';
  const keep = (data: Buffer) => {
    bytes += data.length;
    if (bytes <= outputLimitBytes) out.push(data);
    else {
      const message = `git printed over ${outputLimitBytes} bytes.`;
      ending.because(new SwitchyardError('git_command_failed', message, { command: ['git', ...args] }));
    }
  };
  const pass = (data: Buffer, to: (piece: Buffer) => boolean) => {
    if (ending.isBegun) return;
    try {
      if (!to(data)) ending.because();
    } catch (error) {
      ending.because(error);
    }
  };
  child.stdout?.on('data', (data: Buffer) => (onOutput === undefined ? keep(data) : pass(data, onOutput)));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(0, MESSAGE_LIMIT_CHARS);
  });
  return () => ({ stdout: Buffer.concat(out), stderr });
}

function feed(child: ChildProcess, input: string | Buffer | undefined): void {
  if (child.stdin === null || input === undefined) return;
  // git may end without having read it all; its exit status says what that means.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
}

const withdrawn = () => new SwitchyardError('cancelled', 'The caller withdrew the request.');
