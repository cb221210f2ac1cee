import { destination, pino } from 'pino';
import type { Log } from './types.js';

const STDERR = 2;

/**
 * A logger that writes one JSON object a line before it returns: the last line of a dying process
 * is the one that is needed.
 *
 * @param name of the process, in every line
 * @param level `trace` … `error`
 * @param fd where to; default standard error
 */
export function createLog(name: string, level: string, fd: number = STDERR): Log {
  const stream = destination({ dest: fd, sync: true });
  // Nobody is left to read: no reason to end the process, and no place to say so.
  stream.on('error', () => undefined);
  return pino({ name, level }, stream);
}
