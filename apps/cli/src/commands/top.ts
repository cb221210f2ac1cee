import { setTimeout as delay } from 'node:timers/promises';
import { askSupervisor, explainAbsence } from '../ask-supervisor.js';
import { flag, type Run, text } from '../command.js';
import { type Context, UsageError } from '../context.js';
import { parseDuration } from '../domain/duration.js';
import { topLines } from '../top-lines.js';
import { count } from './count.js';

const ENTER = '\x1b[?1049h\x1b[?25l';
const LEAVE = '\x1b[?25h\x1b[?1049l';
const HOME = '\x1b[H';
const REST_OF_LINE = '\x1b[K';
const REST_OF_SCREEN = '\x1b[J';
/** Rows that stand around the terminals: sums, headings, the processes of a usual yard. */
const ROWS_AROUND = 18;
const LEAST_ROWS = 3;

export const top: Run = async (context, _args, options) => {
  const lines = count(options, 'lines');
  const interval = parseDuration(text(options, 'interval') ?? '');
  if (interval === undefined) throw new UsageError('--interval is a time: 500ms, 2s, 1m');
  const client = await askSupervisor(context);
  const read = () => client.call('system.top', {}, { timeoutMs: context.timeoutMs }).catch(explainAbsence);
  const { out } = context;
  if (flag(options, 'once') || out.asJson || !out.toTerminal) {
    out.result(await read(), (found) => topLines(out, found, lines ?? Number.POSITIVE_INFINITY));
    return;
  }
  await watch(context, async () => topLines(out, await read(), lines ?? roomFor()), interval);
};

/** On a screen of its own, until Ctrl-C or the end of the yard. */
async function watch({ globals }: Context, draw: () => Promise<string[]>, intervalMs: number): Promise<void> {
  const stop = new AbortController();
  const leave = () => stop.abort();
  process.once('SIGINT', leave);
  process.once('SIGTERM', leave);
  const heading = `sy top${globals.yard === undefined ? '' : ` (${globals.yard})`}, every ${intervalMs} ms, Ctrl-C ends it`;
  process.stdout.write(ENTER);
  try {
    while (!stop.signal.aborted) {
      const lines = [heading, ...(await draw())].slice(0, process.stdout.rows || undefined);
      process.stdout.write(HOME + lines.map((line) => line + REST_OF_LINE).join('\n') + REST_OF_SCREEN);
      await delay(intervalMs, undefined, { signal: stop.signal }).catch(() => undefined);
    }
  } finally {
    process.stdout.write(LEAVE);
    process.off('SIGINT', leave);
    process.off('SIGTERM', leave);
  }
}

const roomFor = () => Math.max(LEAST_ROWS, (process.stdout.rows || Number.POSITIVE_INFINITY) - ROWS_AROUND);
