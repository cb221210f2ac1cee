import { destination, pino } from 'pino';
import type { Log } from './types.js';

const STDERR = 2;

/**
 * A logger that writes one JSON object a line to standard error, before it returns: the last line of a dying process
 * is the one that is needed.
 *
 * @param name of the process, in every line
 * @param level `trace` … `error`
 */
export function createLog(name: string, level: string): Log {
  const stderr = destination({ dest: STDERR, sync: true });
  // Nobody is left to read: no reason to end the process, and no place to say so.
  stderr.on('error', () => undefined);
  return pino({ name, level }, stderr);
}
