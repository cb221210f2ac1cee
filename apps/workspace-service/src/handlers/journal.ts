import {
  checkEventData,
  type EventFilter,
  fail,
  type HandlersIn,
  isJournalKind,
  type JournalNote,
  type Params,
  passes,
  type Result,
} from '@switchyard/protocol';
import type { Id, SurfaceRecord } from '../domain/entities.js';
import { namedIn } from '../domain/event-place.js';
import { readClosedHandle } from '../domain/handles.js';
import { ids } from '../domain/views.js';
import type { KeyedNote } from '../journal.js';
import { placeOfCursor } from '../journal-cursor.js';
import type { Services } from '../services.js';
import type { Terminals } from '../terminals.js';
import type { Call } from '../yard-state.js';

type Given = Params<'journal.append'>['events'][number];
type Opened = Result<'journal.open'>;
type Place = Opened['surfaces'][number];

/** Data of one event: more is a mistake of the service that hands it in, and would be held by every reader. */
const MAX_DATA_CHARS = 16 * 1024;

/** What our own services ask of the journal. */
export function journalHandlers(services: Services): HandlersIn<'journal', 'workspace-service', Call> {
  const { model, journal } = services;
  return {
    'journal.append': ({ events }) => ({ appended: journal.append(events.map((event) => noteOf(services, event))) }),
    'journal.read': ({ after, limit }) => {
      const gap = journal.gapAfter(after);
      const events = journal.page(gap?.to ?? after, limit);
      return { journal: journal.id, events, last: journal.last, ...(gap && { gap }) };
    },
    'journal.open': ({ surfaces, workspaces, cursor, agents = false, closed = false }) => {
      const past = cursor !== undefined;
      const places = surfaces?.map((text) => placeNamed(services, text, past, closed));
      const inWorkspaces = namedIn(model, 'workspace', workspaces, past);
      const from = cursor === undefined ? { after: journal.last, gap: undefined } : placeOfCursor(journal, cursor);
      const wanted = {
        surfaces: places && new Set(places.map(({ surface_id }) => surface_id)),
        workspaces: inWorkspaces && new Set(inWorkspaces),
      };
      return {
        journal: journal.id,
        after: from.after,
        last: journal.last,
        ...(from.gap && { gap: from.gap }),
        surfaces: places ?? [],
        workspaces: inWorkspaces ?? [],
        agents: agents ? agentsIn(services, wanted) : [],
      };
    },
  };
}

/** Checked, because it is kept for long and goes to everybody. */
function noteOf({ model }: Services, { key, kind, workspace_id, surface_id = null, data }: Given): KeyedNote {
  const wrong = (reason: string) => fail('invalid_params', `The event ${key} is wrong: ${reason}`, { key, kind });
  if (!isJournalKind(kind)) return wrong('there is no such kind');
  if (JSON.stringify(data).length > MAX_DATA_CHARS) return wrong(`its data is over ${MAX_DATA_CHARS} characters`);
  const fault = checkEventData(kind, data);
  if (fault !== undefined) return wrong(fault);
  const surface = surface_id === null ? undefined : model.surfaces.get(surface_id);
  const place = workspace_id ?? (surface && model.workspaceOf(surface).id) ?? null;
  return { key, note: { kind, workspace_id: place, surface_id, data } as JournalNote };
}

/** A surface of the tree, or one that has left it: lately (`closed`), or at any time (`past`). */
function placeNamed({ model, terminals }: Services, text: string, past: boolean, closed: boolean): Place {
  const record = closed || past ? model.closed.get(readClosedHandle(model, text) ?? '') : undefined;
  if (record !== undefined) return placed(record.surface, record.workspace.id, terminals);
  const [id = ''] = namedIn(model, 'surface', [text], past) ?? [];
  const surface = model.surfaces.get(id);
  if (surface !== undefined) return placed(surface, model.workspaceOf(surface).id, terminals);
  return { surface_id: id, surface_ref: null, workspace_id: null, address: null };
}

function placed(surface: SurfaceRecord, workspaceId: Id, terminals: Terminals): Place {
  return { ...ids('surface', surface), workspace_id: workspaceId, address: terminals.addressOf(surface) };
}

/** What is known of the agents now, in the same step in which the place in the journal is told. */
function agentsIn({ model, agents }: Services, wanted: Omit<EventFilter, 'kinds'>): Opened['agents'] {
  const known = [...model.surfaces.values()].flatMap((surface) => {
    const place = { workspace_id: model.workspaceOf(surface).id, surface_id: surface.id };
    const { agent, state, source, question } = agents.statusOf(surface.id);
    return passes(wanted, { kind: 'agent_status', ...place }) ? [{ ...place, agent, state, source, question }] : [];
  });
  // Of those that were not named, only where there is something to tell.
  return wanted.surfaces === undefined ? known.filter(({ state }) => state !== null) : known;
}
