import { setTimeout as delay } from 'node:timers/promises';
import { fail, type Handlers, type Params, type Result } from '@switchyard/protocol';
import type { LogFiles, LogPage, LogPosition, LogQuery } from '../observe/log-files.js';
import type { Top } from '../observe/top.js';
import type { ProcessSet } from '../process-set.js';

const DEFAULT_LINES = 100;

export interface ObserveDeps {
  readonly processes: ProcessSet;
  readonly top: Top;
  readonly health: () => Promise<Result<'system.health'>>;
  readonly logs: LogFiles;
}

export type ObserveHandlers = Pick<Handlers<'supervisor', unknown>, 'system.top' | 'system.health' | 'yard.logs'>;

/** How the yard is, and what it uses and says. */
export function observeHandlers({ processes, top, health, logs }: ObserveDeps): ObserveHandlers {
  return {
    'system.top': () => top.read(),
    'system.health': () => health(),
    'yard.logs': async ({ services, level, since, limit = DEFAULT_LINES, cursor, wait_ms = 0 }) => {
      const query = { processes: services && namesOf(services, processes, logs), level, since, limit };
      if (cursor === undefined) return onWire(logs.last(query));
      const position = positionOf(cursor);
      const page = logs.after(position, query);
      if (page.entries.length > 0 || wait_ms === 0) return onWire(page);
      return onWire(await nextPage(logs, page.position, query, wait_ms));
    },
  };
}

/** Waits until there is something, or the time is over. */
async function nextPage(logs: LogFiles, start: LogPosition, query: LogQuery, waitMs: number): Promise<LogPage> {
  const over = new AbortController();
  let page = logs.after(start, query);
  const look = () => {
    if (page.entries.length === 0) page = logs.after(page.position, query);
    if (page.entries.length > 0) over.abort();
  };
  const end = logs.onGrowth(look);
  try {
    look();
    await delay(waitMs, undefined, { signal: over.signal }).catch(() => undefined);
  } finally {
    end();
  }
  return page;
}

function onWire({ entries, position, more }: LogPage): Result<'yard.logs'> {
  return { entries: [...entries], cursor: Buffer.from(JSON.stringify(position)).toString('base64url'), more };
}

/** @throws `invalid_params` for what was never a cursor */
function positionOf(cursor: string): LogPosition {
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    const isPosition = typeof value === 'object' && value !== null && Object.values(value).every(isMark);
    if (isPosition) return value as LogPosition;
  } catch {
    // Said below.
  }
  return fail('invalid_params', 'This is no cursor of yard.logs.', { path: 'cursor' });
}

function isMark(value: unknown): boolean {
  return Array.isArray(value) && value.length === 2 && value.every((part) => Number.isSafeInteger(part) && part >= 0);
}

/** A process by its name, or all of a kind. @throws `not_found` */
function namesOf(
  wanted: NonNullable<Params<'yard.logs'>['services']>,
  processes: ProcessSet,
  logs: LogFiles,
): string[] {
  const known = logs.names();
  return wanted.flatMap((word) => {
    const ofKind = processes.matching(word).map(({ spec }) => spec.name);
    const names = known.filter((name) => name === word || ofKind.includes(name));
    if (names.length === 0) fail('not_found', `There is no log of ${JSON.stringify(word)}.`, { known });
    return names;
  });
}
