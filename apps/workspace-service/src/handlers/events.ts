import { setImmediate as nextTurn } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { type HandlersIn, type JournalEvent, type Params, passes, SwitchyardError } from '@switchyard/protocol';
import { journalKinds } from '../domain/event-kinds.js';
import { namedIn } from '../domain/event-place.js';
import { cursorAt, gapOf, placeOfCursor, wireEvent } from '../journal-cursor.js';
import type { Services } from '../services.js';
import type { Call } from '../yard-state.js';
import { calledBefore, type WaitLimits, waitLimits } from './wait-limits.js';

type Match = Params<'events.wait'>['match'];

const DEFAULT_LIMIT = 100;
const DEFAULT_TIMEOUT_MS = 30_000;
/** Events that are looked at in one step; a few milliseconds. */
const SCAN = 500;
/** One answer looks at no more than this for what was asked for; it says where to go on. */
const SCAN_AT_MOST = 20_000;

export function eventHandlers(services: Services): HandlersIn<'events', 'workspace-service', Call> {
  const { model, journal } = services;
  return {
    'events.read': async ({ cursor, limit = DEFAULT_LIMIT, kinds, surfaces, workspaces }) => {
      const filter = {
        kinds: journalKinds(kinds),
        surfaces: setOf(namedIn(model, 'surface', surfaces, true)),
        workspaces: setOf(namedIn(model, 'workspace', workspaces, true)),
      };
      const start =
        cursor === undefined ? { after: journal.first - 1, gap: undefined } : placeOfCursor(journal, cursor);
      const found: JournalEvent[] = [];
      let { after } = start;
      for (let seen = 0; seen < SCAN_AT_MOST && found.length < limit && after < journal.last; ) {
        const page = journal.page(after, SCAN);
        for (const event of page) {
          if (found.length === limit) break;
          after = event.seq;
          if (passes(filter, event)) found.push(event);
        }
        seen += page.length;
        await nextTurn();
      }
      return {
        events: found.map((event) => wireEvent(journal, event)),
        cursor: cursorAt(journal, after),
        more: after < journal.last,
        ...(cursor !== undefined && start.gap && { gap: gapOf(journal, cursor, start.gap) }),
      };
    },
    'events.wait': async ({ match, cursor, timeout_ms = DEFAULT_TIMEOUT_MS }, call) => {
      const limits = waitLimits(call, timeout_ms);
      const wanted = wantedBy(services, match, cursor !== undefined);
      const start = cursor === undefined ? undefined : placeOfCursor(journal, cursor);
      const after = start?.after ?? startOfWait(services, limits);
      const event = await nextEvent(services, after, wanted, limits);
      return {
        event: wireEvent(journal, event),
        cursor: cursorAt(journal, event.seq),
        ...(cursor !== undefined && start?.gap && { gap: gapOf(journal, cursor, start.gap) }),
      };
    },
  };
}

interface Wanted {
  readonly accepts: (event: JournalEvent) => boolean;
  /** The surfaces without which nothing more can come; undefined: there is no such bound. */
  readonly surfaces: readonly string[] | undefined;
}

function wantedBy({ model }: Services, match: Match, past: boolean): Wanted {
  const surfaces = namedIn(model, 'surface', match.surfaces, past);
  const workspaces = namedIn(model, 'workspace', match.workspaces, past);
  const filter = { kinds: journalKinds(match.kinds), surfaces: setOf(surfaces), workspaces: setOf(workspaces) };
  const members = Object.entries(match.data ?? {});
  const has = (data: object) =>
    members.every(([name, value]) => isDeepStrictEqual((data as Record<string, unknown>)[name], value));
  return {
    accepts: (event) => passes(filter, event) && has(event.data),
    surfaces: workspaces === undefined ? surfaces : undefined,
  };
}

/** From now on; a wait that was sent again after our restart must not miss what came in between. */
function startOfWait({ journal, agents }: Services, limits: WaitLimits): number {
  if (!calledBefore(agents.startedAt, limits)) return journal.last;
  return journal.lastBefore(limits.calledAt);
}

/**
 * The first event after a number that is accepted.
 *
 * @throws `timeout`, `cancelled`, `not_found` when none of the surfaces is left
 */
async function nextEvent(
  services: Services,
  start: number,
  { accepts, surfaces }: Wanted,
  limits: WaitLimits,
): Promise<JournalEvent> {
  const { journal } = services;
  for (let after = start; after < journal.last; await nextTurn()) {
    const page = journal.page(after, SCAN);
    const found = page.find(accepts);
    if (found !== undefined) return found;
    after = page.at(-1)?.seq ?? journal.last;
  }
  return untilEvent(services, accepts, surfaces, limits);
}

/** Nothing there yet was accepted; in the same step this begins to listen. */
function untilEvent(
  { model, journal, waits }: Services,
  accepts: (event: JournalEvent) => boolean,
  surfaces: readonly string[] | undefined,
  limits: WaitLimits,
): Promise<JournalEvent> {
  return new Promise((resolve, reject) => {
    const left = new Set(surfaces?.filter((id) => model.surfaces.has(id)));
    const watches = [...left].map((id) => ({ id, watch: waits.watch(id) }));
    const withdraw = () => fail(new SwitchyardError('cancelled', 'The request was withdrawn'));
    const end = () => {
      stopListening();
      clearTimeout(timer);
      limits.signal.removeEventListener('abort', withdraw);
      for (const { watch } of watches) watch.end();
    };
    const fail = (error: SwitchyardError) => {
      end();
      reject(error);
    };
    const stopListening = journal.listen((events) => {
      const found = events.find(accepts);
      if (found === undefined) return;
      end();
      resolve(found);
    });
    const timer = setTimeout(() => {
      fail(new SwitchyardError('timeout', 'No such event came in time', { timeout_ms: limits.askedMs }));
    }, limits.timeoutMs);
    const lost = () => fail(new SwitchyardError('not_found', 'The surfaces are gone', { surfaces }));
    for (const { id, watch } of watches) {
      watch.signal.addEventListener('abort', () => left.delete(id) && left.size === 0 && lost(), { once: true });
    }
    limits.signal.addEventListener('abort', withdraw, { once: true });
    if (limits.signal.aborted) withdraw();
    else if (surfaces !== undefined && left.size === 0) lost();
  });
}

const setOf = (ids: readonly string[] | undefined) => (ids === undefined ? undefined : new Set(ids));
