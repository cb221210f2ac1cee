import { accessSync, chmodSync, closeSync, constants, openSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/**
 * The one file that knows node-pty. Only its native binding is used; docs/adr/0003 says what its JavaScript
 * layer loses. The binding is not public API: the version is pinned exactly and these are the calls relied on.
 */
interface Binding {
  fork(
    file: string,
    args: readonly string[],
    env: readonly string[],
    cwd: string,
    cols: number,
    rows: number,
    uid: number,
    gid: number,
    utf8: boolean,
    helperPath: string,
    onExit: (code: number, signal: number) => void,
  ): { fd: number; pid: number; pty: string };
  resize(fd: number, cols: number, rows: number, xPixels: number, yPixels: number): void;
}

export interface ForkOptions {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly cols: number;
  readonly rows: number;
  /** Once, some time after the program has ended and been reaped. */
  readonly onExit: (code: number, signal: number) => void;
}

export interface ForkedPty {
  readonly pid: number;
  /** Path of the slave device. */
  readonly tty: string;
  /** Non-blocking; whoever reads it closes it, after {@link masterClosed}. */
  readonly master: number;
  /** Our own open slave: while it is held the kernel keeps unread output, whoever exits. Non-blocking. */
  readonly slave: number;
}

/** "As the parent": node-pty's word for not changing user or group. */
const SAME_ID = -1;
const require = createRequire(import.meta.url);
const masters = new Set<number>();
let loaded: { binding: Binding; helper: string } | undefined;

/**
 * Starts a program as leader of its own session on a new terminal. The caller has checked program and folder:
 * what fails after the fork can only be seen as output.
 * @throws Error when no terminal or no process is to be had
 */
export function forkPty(options: ForkOptions): ForkedPty {
  const { binding, helper } = load();
  const [file = '', ...args] = options.argv;
  const env = Object.entries(options.env).map(([name, value]) => `${name}=${value}`);
  const { cwd, cols, rows, onExit } = options;
  const forked = withoutGaps(() =>
    binding.fork(file, args, env, cwd, cols, rows, SAME_ID, SAME_ID, true, helper, onExit),
  );
  masters.add(forked.fd);
  // Without O_NOCTTY the terminal would become the keeper's own and hang it up.
  const slave = openSync(forked.pty, constants.O_RDWR | constants.O_NOCTTY | constants.O_NONBLOCK);
  return { pid: forked.pid, tty: forked.pty, master: forked.fd, slave };
}

/** Sets the size and tells the foreground program (SIGWINCH). @throws when the terminal is gone */
export function resizePty(master: number, cols: number, rows: number): void {
  load().binding.resize(master, cols, rows, 0, 0);
}

/** A terminal that an earlier keeper of this process opened. */
export function adoptMaster(master: number): void {
  masters.add(master);
}

/** @throws Error when this installation could start no terminal */
export function nativePtyLoads(): void {
  load();
}

/** To be called when a master is closed. */
export function masterClosed(master: number): void {
  masters.delete(master);
}

/**
 * Masters are not close-on-exec (forkpty cannot), so the binding's child marks its descriptors before exec. Without
 * close_range(2), as in the prebuilt binaries, it stops at the first unused number above 15. A hole would hand the
 * masters above it, other people's terminals, to the new program: so there is none while it forks.
 */
function withoutGaps<T>(fork: () => T): T {
  const highest = Math.max(-1, ...masters);
  const fillers: number[] = [];
  try {
    // Opening always takes the lowest free number, and Node opens everything close-on-exec.
    do fillers.push(openSync('/dev/null', 'r'));
    while ((fillers.at(-1) ?? 0) < highest);
    return fork();
  } finally {
    for (const filler of fillers) closeSync(filler);
  }
}

function load(): { binding: Binding; helper: string } {
  if (loaded !== undefined) return loaded;
  const utils = require.resolve('node-pty/lib/utils.js');
  const found = (
    require(utils) as { loadNativeModule(name: string): { dir: string; module: Binding } }
  ).loadNativeModule('pty');
  const helper = join(dirname(utils), found.dir, 'spawn-helper');
  if (process.platform === 'darwin') makeExecutable(helper);
  loaded = { binding: found.module, helper };
  return loaded;
}

/** Some package managers drop the mode of the helper that macOS needs; nothing could be started then. */
function makeExecutable(helper: string): void {
  try {
    accessSync(helper, constants.X_OK);
  } catch {
    chmodSync(helper, 0o755);
  }
}
