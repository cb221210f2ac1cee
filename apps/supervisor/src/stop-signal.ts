/** A script runner (npm) passes on the Ctrl-C that the terminal has sent us already: that is one request, not two. */
const SAME_SIGNAL_MS = 500;

/**
 * Calls `stop` for SIGINT and SIGTERM. A terminal that closes stops nothing: the yard goes on without it.
 *
 * @param stop told whether it is asked again
 * @returns whether a signal has come
 */
export function onStopSignal(stop: (again: boolean) => void): () => boolean {
  let last = 0;
  const listener = () => {
    const before = last;
    last = Date.now();
    if (last - before > SAME_SIGNAL_MS) stop(before > 0);
  };
  process.on('SIGINT', listener);
  process.on('SIGTERM', listener);
  process.on('SIGHUP', () => undefined);
  process.stderr.on('error', () => undefined);
  return () => last > 0;
}
