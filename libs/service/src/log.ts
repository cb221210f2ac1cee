import { destination, pino } from 'pino';
import type { Log } from './types.js';

/**
 * A logger that writes one JSON object a line to standard error.
 *
 * @param name of the process, in every line
 * @param level `trace` … `error`
 */
export function createLog(name: string, level: string): Log {
  return pino({ name, level }, destination({ dest: 2, sync: true }));
}
