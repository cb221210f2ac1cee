import { LOG_LEVELS, type Result } from '@switchyard/protocol';

export type LogEntry = Result<'yard.logs'>['entries'][number];
export type LogLevel = NonNullable<LogEntry['level']>;

export interface LogFilter {
  /** This level or a graver one. */
  readonly level?: LogLevel | undefined;
  /** Unix milliseconds. */
  readonly since?: number | undefined;
}

/** Our processes count levels in tens, from trace. */
const STEP = 10;
/** nats-server: `[17] 2026/11/30 22:37:49.123456 [INF] Server is ready`. */
const NATS = /^\[\d+\] (\d{4})\/(\d\d)\/(\d\d) (\d\d:\d\d:\d\d)\.(\d{3})\d* \[(TRC|DBG|INF|WRN|ERR|FTL)\] (.*)$/;
const NATS_LEVELS: Readonly<Record<string, LogLevel>> = {
  TRC: 'trace',
  DBG: 'debug',
  INF: 'info',
  WRN: 'warn',
  ERR: 'error',
  FTL: 'fatal',
};

/**
 * A line of the log of a process.
 *
 * @param line JSON of ours, a line of nats-server, or whatever else a program printed, such as the trace of a crash
 */
export function logEntry(process: string, line: string): LogEntry {
  return ours(process, line) ?? ofNats(process, line) ?? { process, at: null, level: null, message: line, line };
}

/** Lines that do not say their level pass: the last words of a process are often such. */
export function passesLog({ level, since }: LogFilter, entry: LogEntry): boolean {
  if (level !== undefined && entry.level !== null && rank(entry.level) < rank(level)) return false;
  return since === undefined || entry.at === null || entry.at >= since;
}

const rank = (level: LogLevel) => LOG_LEVELS.indexOf(level);

function ours(process: string, line: string): LogEntry | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    const { time, level, msg } = JSON.parse(line) as Record<string, unknown>;
    if (typeof time !== 'number' || !Number.isFinite(time)) return undefined;
    const message = typeof msg === 'string' ? msg : '';
    return { process, at: time, level: LOG_LEVELS[Number(level) / STEP - 1] ?? null, message, line };
  } catch {
    return undefined; // cut off in the middle, or a program's own output
  }
}

function ofNats(process: string, line: string): LogEntry | undefined {
  const [, year, month, day, clock, ms, level = '', message = ''] = NATS.exec(line) ?? [];
  if (year === undefined) return undefined;
  // The server writes the time of its own clock, whose zone is ours.
  const at = new Date(`${year}-${month}-${day}T${clock}.${ms}`).getTime();
  return { process, at, level: NATS_LEVELS[level] ?? null, message, line };
}
