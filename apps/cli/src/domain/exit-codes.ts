import type { ErrorCode } from '@switchyard/protocol';

/** What a script may rely on; listed in docs/cli.md and `switchyard --help`. Never renumbered. */
export const EXIT = {
  ok: 0,
  /** The yard answered with an error. */
  refused: 1,
  /** The command line makes no sense. */
  usage: 2,
  /** No yard is running there. */
  noYard: 3,
  /** The deadline passed first. */
  timeout: 4,
  /** Nobody answered, or nobody knows what became of the request. */
  unavailable: 5,
  /** A fault of the command itself. */
  fault: 70,
  /** `run` failed before it knew the status of its command (as env, docker and timeout do). */
  runFailed: 125,
  interrupted: 130,
} as const;

const UNAVAILABLE: readonly ErrorCode[] = ['service_unavailable', 'outcome_unknown', 'connection_closed', 'overloaded'];

export function exitCodeFor(code: ErrorCode): number {
  if (code === 'timeout') return EXIT.timeout;
  return UNAVAILABLE.includes(code) ? EXIT.unavailable : EXIT.refused;
}

/** Signals by name; Node's own table is not pure. Only those that end programs in practice. */
const SIGNALS: Record<string, number> = {
  SIGHUP: 1,
  SIGINT: 2,
  SIGQUIT: 3,
  SIGILL: 4,
  SIGTRAP: 5,
  SIGABRT: 6,
  SIGFPE: 8,
  SIGKILL: 9,
  SIGSEGV: 11,
  SIGPIPE: 13,
  SIGALRM: 14,
  SIGTERM: 15,
};
const UNKNOWN_SIGNAL = 127;

/** The status a shell would give a program that ended so. */
export function shellStatus(exitCode: number | null, signal: string | null): number {
  if (signal !== null) return 128 + (SIGNALS[signal] ?? UNKNOWN_SIGNAL);
  return exitCode ?? EXIT.runFailed;
}
