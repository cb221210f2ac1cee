import { setTimeout as delay } from 'node:timers/promises';
import type { Params, Result } from '@switchyard/protocol';
import { SwitchyardError } from '@switchyard/protocol/errors';
import { flag, list, type Run, text } from '../command.js';
import { type Context, NoYardError } from '../context.js';
import { eventLine, type ShownEvent } from '../domain/event-line.js';
import { count } from './count.js';

type Filter = Pick<Params<'events.read'>, 'kinds' | 'surfaces' | 'workspaces'>;
type Page = Result<'events.read'>;

/** A page of the answer; the command asks on until it has all. */
const PAGE = 1000;
/** After the gateway has gone; it is back within a second or two. */
const AGAIN_AFTER_MS = 250;

export const events: Run = async (context, _args, options) => {
  const filter: Filter = {
    ...some('kinds', list(options, 'kind')),
    ...some('surfaces', list(options, 'surface')),
    ...some('workspaces', list(options, 'workspace')),
  };
  const since = text(options, 'since');
  const lines = count(options, 'lines');
  if (!flag(options, 'follow') || since === undefined) {
    const cursor = await showKept(context, filter, since, lines);
    if (flag(options, 'follow')) await follow(context, filter, cursor);
    return;
  }
  await follow(context, filter, since);
};

const some = (name: keyof Filter, values: readonly string[]): Filter =>
  values.length === 0 ? {} : { [name]: [...values] };

/** What is kept, from a cursor on: the last so many. @returns where it ends */
async function showKept(
  context: Context,
  filter: Filter,
  since: string | undefined,
  lines: number | undefined,
): Promise<string> {
  let found: ShownEvent[] = [];
  let page: Page | undefined;
  do {
    const cursor = page?.cursor ?? since;
    page = await context.call('events.read', { ...filter, limit: PAGE, ...(cursor !== undefined && { cursor }) });
    if (page.gap !== undefined) show(context, { event: 'gap', ...page.gap });
    found.push(...page.events.map(({ kind, ...facts }) => ({ event: kind, ...facts })));
    if (lines !== undefined) found = found.slice(-lines);
    else for (const event of found.splice(0)) show(context, event);
  } while (page.more);
  for (const event of found) show(context, event);
  return page.cursor;
}

/** Shows what comes until the command is interrupted; over a restart of the gateway it goes on where it was. */
async function follow(context: Context, filter: Filter, start: string): Promise<never> {
  let cursor = start;
  for (;;) {
    try {
      const client = await context.connect(context.paths.gatewaySocket);
      client.onEvent((frame) => {
        if (typeof frame['cursor'] === 'string') cursor = frame['cursor'];
        else if (typeof frame['to'] === 'string') cursor = frame['to'];
        show(context, frame as unknown as ShownEvent);
      });
      const { gap } = await client.call('events.subscribe', { ...filter, kinds: filter.kinds ?? ['*'], cursor });
      if (gap !== undefined) show(context, { event: 'gap', ...gap });
      await client.closed;
    } catch (error) {
      if (!isRestart(error)) throw error;
    }
    await delay(AGAIN_AFTER_MS);
  }
}

function isRestart(error: unknown): boolean {
  if (error instanceof NoYardError) return true;
  return (
    error instanceof SwitchyardError && (error.code === 'connection_closed' || error.code === 'service_unavailable')
  );
}

function show({ out }: Context, event: ShownEvent): void {
  out.line(out.asJson ? JSON.stringify(event) : eventLine(event));
}
