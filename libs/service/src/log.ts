import { destination, pino } from 'pino';
import type { Log } from './types.js';

const STDERR = 2;

/**
 * A logger that writes one JSON object a line.
 *
 * @param name of the process, in every line
 * @param level `trace` … `error`
 * @param fd where to; default standard error
 */
export function createLog(name: string, level: string, fd: number = STDERR): Log {
  return pino({ name, level }, destination({ dest: fd, sync: true }));
}
