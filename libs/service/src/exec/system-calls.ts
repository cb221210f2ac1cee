import koffi from 'koffi';

const F_SETFD = 2;
const FD_CLOEXEC = 1;
const WNOHANG = 1;
const STDIO = [0, 1, 2];

type Fcntl = (fd: number, command: number, type: 'int', value: number) => number;
type Execve = (file: string, argv: readonly (string | null)[], env: readonly (string | null)[]) => number;
type Waitpid = (pid: number, status: number[], options: number) => number;

interface Libc {
  readonly fcntl: Fcntl;
  readonly execve: Execve;
  readonly waitpid: Waitpid;
}

let libc: Libc | undefined;

/** What Node has no call for. @throws Error where the system's C library cannot be reached */
export function systemCalls(): Libc {
  if (libc !== undefined) return libc;
  const library = koffi.load(null);
  libc = {
    fcntl: library.func('int fcntl(int, int, ...)') as Fcntl,
    execve: library.func('int execve(const char *, const char **, const char **)') as Execve,
    waitpid: library.func('int waitpid(int, _Out_ int *, int)') as Waitpid,
  };
  return libc;
}

/** Whether a program that replaces this one, or is started by it, loses the descriptor. */
export function setCloseOnExec(fd: number, on: boolean): void {
  if (systemCalls().fcntl(fd, F_SETFD, 'int', on ? FD_CLOEXEC : 0) < 0) {
    throw new Error(`descriptor ${fd} cannot be marked: errno ${koffi.errno()}`);
  }
}

export interface Replacement {
  /** Path of the program. */
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Descriptors that it gets besides the standard ones; all others are closed. */
  readonly keep: readonly number[];
}

/**
 * Puts another program in the place of this one: pid, children and the kept descriptors stay, everything else is gone.
 * Returns only by failing.
 *
 * @throws Error when the system refuses; then nothing has changed
 */
export function replaceProcess({ command, args, env, keep }: Replacement): never {
  const kept = [...STDIO, ...keep];
  const variables = Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : `${name}=${value}`));
  const { execve } = systemCalls();
  try {
    for (const fd of kept) setCloseOnExec(fd, false);
    execve(command, [command, ...args, null], [...variables, null]);
    throw new Error(`${command} cannot be run: errno ${koffi.errno()}`);
  } finally {
    for (const fd of kept) setCloseOnExec(fd, true);
  }
}

/** How a process ended; both null when nobody can tell any more. */
export interface EndOfChild {
  readonly code: number | null;
  readonly signal: number | null;
}

/** @returns undefined while the child runs */
export function reap(pid: number): EndOfChild | undefined {
  const status = [0];
  const found = systemCalls().waitpid(pid, status, WNOHANG);
  if (found === 0) return undefined;
  if (found !== pid) return { code: null, signal: null };
  const [word = 0] = status;
  const signal = word & 0x7f;
  return signal === 0 ? { code: (word >> 8) & 0xff, signal: null } : { code: null, signal };
}
