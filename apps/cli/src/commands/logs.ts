import { suggest } from '@switchyard/config/suggest';
import { SwitchyardError } from '@switchyard/protocol/errors';
import { type LogEntry, LogFiles, type LogLevel, type LogQuery } from '@switchyard/supervisor/logs';
import { flag, list, type Run, text } from '../command.js';
import { type Context, UsageError, WAIT_MARGIN_MS } from '../context.js';
import { chosenLogs } from '../domain/chosen-logs.js';
import { cleanLines } from '../domain/clean-text.js';
import { logLine } from '../domain/log-line.js';
import { parseSince } from '../domain/since.js';
import { count } from './count.js';

/** More than a log and its older part hold: all of both are read. */
const SCAN_BYTES = 32 * 1024 * 1024;
const DEFAULT_LINES = 50;
/** A page of the yard's answer. */
const PAGE = 1000;
/** One question of many, while a log stands still. */
const WAIT_MS = 30_000;

const COLOURS = { warn: 'yellow', error: 'red', fatal: 'red' } as const;

export const logs: Run = async (context, [service], options) => {
  const files = new LogFiles(context.paths.logDir, SCAN_BYTES);
  const wanted = [...(service === undefined ? [] : [service]), ...list(options, 'service')];
  const since = text(options, 'since');
  const query = {
    level: text(options, 'level') as LogLevel | undefined,
    since: since === undefined ? undefined : parseSince(since, Date.now()),
    limit: count(options, 'lines') ?? (since === undefined ? DEFAULT_LINES : Number.POSITIVE_INFINITY),
  };
  if (since !== undefined && query.since === undefined) {
    throw new UsageError('--since is a time: 10m, 2h (ago), or 2026-11-30T22:00');
  }
  const follow = flag(options, 'follow');
  const known = files.names();
  // A caller with a token may see only what the yard tells it.
  if (known.length === 0 || context.env['SWITCHYARD_TOKEN']) return fromYard(context, wanted, query, follow);
  const processes = wanted.length === 0 ? undefined : chosenLogs(wanted, known, suggest);
  if (typeof processes === 'string') throw new UsageError(processes);
  await fromFiles(context, files, { ...query, processes }, follow);
  return undefined;
};

async function fromFiles(context: Context, files: LogFiles, query: LogQuery, follow: boolean): Promise<void> {
  let { entries, position } = files.last({ ...query, each: true });
  show(context, entries);
  if (!follow) return;
  const showNew = () => {
    ({ entries, position } = files.after(position, { ...query, limit: Number.POSITIVE_INFINITY }));
    show(context, entries);
  };
  files.onGrowth(showNew);
  showNew();
  // Until the command is interrupted.
  await new Promise(() => undefined);
}

type Filter = Pick<LogQuery, 'level' | 'since' | 'limit'>;

async function fromYard(
  context: Context,
  wanted: readonly string[],
  { level, since, limit }: Filter,
  follow: boolean,
): Promise<undefined> {
  const filter = {
    ...(wanted.length > 0 && { services: [...wanted] }),
    ...(level !== undefined && { level }),
    ...(since !== undefined && { since }),
  };
  let page = await context.call('yard.logs', { ...filter, limit: Math.min(limit, PAGE) });
  show(context, page.entries);
  while (follow) {
    const params = { ...filter, limit: PAGE, cursor: page.cursor, wait_ms: WAIT_MS };
    try {
      page = await context.call('yard.logs', params, WAIT_MS + WAIT_MARGIN_MS);
    } catch (error) {
      if (!(error instanceof SwitchyardError) || error.code !== 'timeout') throw error;
      continue;
    }
    show(context, page.entries);
  }
  return undefined;
}

function show({ out }: Context, entries: readonly LogEntry[]): void {
  for (const { process, line, level } of entries) {
    if (out.asJson) {
      out.line(line);
      continue;
    }
    const colour = COLOURS[level as keyof typeof COLOURS] as 'yellow' | 'red' | undefined;
    const readable = cleanLines(logLine(process, line));
    out.line(colour === undefined ? readable : out.paint(colour, readable));
  }
}
