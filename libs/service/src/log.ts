import { pino } from 'pino';
import { LineSink } from './line-sink.js';
import type { Log } from './types.js';

const STDERR = 2;
const WARN = 40;
const LINES_LOST = 'the disk was full: lines of this log are lost here';

/**
 * A logger that writes one JSON object a line before it returns: the last line of a dying process
 * is the one that is needed.
 *
 * @param name of the process, in every line
 * @param level `trace` … `error`
 * @param fd where to; default standard error
 */
export function createLog(name: string, level: string, fd: number = STDERR): Log {
  const lostLine = (lines: number) =>
    `${JSON.stringify({ level: WARN, time: Date.now(), pid: process.pid, name, lines, msg: LINES_LOST })}\n`;
  return pino({ name, level }, new LineSink(fd, { lostLine }));
}
