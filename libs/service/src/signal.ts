export interface SignalTarget {
  readonly pid: number;
  /** All of the process group that this process leads, or led. */
  readonly group?: boolean;
  /** Whether the number is still that of the process that is meant: to be told by its start time. Asked right before. */
  readonly isSame: () => boolean;
}

/**
 * The one place where a signal is sent: process ids are given out again, so each is checked right before. Between the
 * check and the signal there are microseconds, and the system gives numbers out in a circle.
 *
 * @returns false when it is gone, or has become another user's
 */
export function signalProcess({ pid, group = false, isSame }: SignalTarget, signal: NodeJS.Signals): boolean {
  // 0 and -1 mean "my own group" and "everybody".
  if (!Number.isSafeInteger(pid) || pid <= 1) throw new Error(`${pid} is not the id of a process to be signalled`);
  if (!isSame()) return false;
  try {
    return process.kill(group ? -pid : pid, signal);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ESRCH' || code === 'EPERM') return false;
    throw error;
  }
}
