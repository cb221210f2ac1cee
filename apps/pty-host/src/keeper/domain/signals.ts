/** Numbers that are the same on Linux and macOS. */
const COMMON: Readonly<Record<number, string>> = {
  1: 'SIGHUP',
  2: 'SIGINT',
  3: 'SIGQUIT',
  4: 'SIGILL',
  5: 'SIGTRAP',
  6: 'SIGABRT',
  8: 'SIGFPE',
  9: 'SIGKILL',
  11: 'SIGSEGV',
  13: 'SIGPIPE',
  14: 'SIGALRM',
  15: 'SIGTERM',
};

/**
 * @param named the platform's table (`os.constants.signals`), for the numbers that differ
 * @returns e.g. `SIGTERM`; `SIG34` for one without a name
 */
export function signalName(signal: number, named: Readonly<Record<string, number>> = {}): string {
  const common = COMMON[signal];
  if (common !== undefined) return common;
  return Object.entries(named).find(([, number]) => number === signal)?.[0] ?? `SIG${signal}`;
}
