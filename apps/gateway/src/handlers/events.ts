import { randomUUID } from 'node:crypto';
import type { Bus } from '@switchyard/bus';
import {
  EVENT_KINDS,
  encodeCursor,
  expandKinds,
  fail,
  type Handlers,
  type Params,
  type Result,
} from '@switchyard/protocol';
import type { Log } from '@switchyard/service';
import { AgentStatus } from '../events/agent-status.js';
import type { JournalReader } from '../events/journal-reader.js';
import { OutputMarks } from '../events/output-marks.js';
import { isThere, PatternWatch, type WantedText, type WatchedSurface } from '../events/pattern-watch.js';
import { Subscription } from '../events/subscription.js';
import { SurfaceStream } from '../events/surface-stream.js';
import type { OwnCall } from '../own-call.js';

type Own = 'events.subscribe' | 'events.unsubscribe' | 'surface.stream';
type SubscribeParams = Params<'events.subscribe'>;
type Opened = Result<'journal.open'>;

export interface EventParts {
  readonly bus: Bus;
  readonly reader: JournalReader;
  readonly log: Log;
}

/** `output_matched` looks at so many lines by default: those of a large screen. */
const DEFAULT_LINES = 50;

/** What is pushed to a connection that asks for it. */
export function eventHandlers(parts: EventParts): Pick<Handlers<'gateway', OwnCall>, Own> {
  const { bus, reader, log } = parts;
  return {
    'events.subscribe': async (params, call) => {
      call.subscriptions.checkRoom();
      const kinds = checkedKinds(params);
      const asked = {
        agents: kinds.has('agent_status') && params.cursor === undefined,
        ...(params.surfaces && { surfaces: params.surfaces }),
        ...(params.workspaces && { workspaces: params.workspaces }),
        ...(params.cursor !== undefined && { cursor: params.cursor }),
      };
      const opened = await bus.call('journal.open', asked, { signal: call.gone });
      const patterns = kinds.has('output_matched') ? await watches(parts, params, opened, call) : [];
      const place = placeOf(params, opened);
      const status = new AgentStatus(opened.agents, params.agent_states);
      const outputs = kinds.has('surface.output') ? [new OutputMarks(bus, workspaceOfEach(opened))] : [];
      const subscription = new Subscription({
        id: newId(),
        dialect: call.dialect,
        channel: call.channel,
        reader,
        filter: { kinds, ...place },
        start: opened,
        derive: (event) => (kinds.has('agent_status') ? status.of(event, place) : undefined),
        live: [...(kinds.has('agent_status') ? [status] : []), ...outputs, ...patterns.map(({ watch }) => watch)],
      });
      call.subscriptions.add(subscription);
      call.onAnswered(() => call.subscriptions.start(subscription));
      return {
        subscription_id: subscription.id,
        kinds: [...kinds],
        cursor: encodeCursor({ journal: opened.journal, seq: opened.after }),
        matching: patterns.filter(({ known }) => known).map(({ surface_id }) => surface_id),
        ...gapOf(params, opened),
      };
    },
    'events.unsubscribe': ({ subscription_id: id }, { subscriptions }) => ({
      unsubscribed: id === undefined ? subscriptions.endAll() : subscriptions.end(id),
    }),
    'surface.stream': async (params, call) => {
      call.subscriptions.checkRoom();
      const { surface_id: named, offset } = params;
      const opened = await bus.call('journal.open', { surfaces: [named], closed: true }, { signal: call.gone });
      const { surface_id, surface_ref, address } = opened.surfaces[0] ?? noSurface(named);
      if (address === null || surface_ref === null) return noSurface(named);
      const from = await startOfStream(bus, surface_id, address, offset);
      const { dialect, channel, subscriptions } = call;
      const id = newId();
      const onEnd = () => void subscriptions.end(id);
      const to = { id, dialect, channel, onEnd };
      const stream = new SurfaceStream({ ...to, surfaceId: surface_id, address, offset: from, bus, log });
      call.subscriptions.add(stream);
      call.onAnswered(() => call.subscriptions.start(stream));
      return { subscription_id: stream.id, surface_id, surface_ref, offset: from };
    },
  };
}

const newId = () => randomUUID().toUpperCase();

function noSurface(surface_id: string): never {
  return fail('not_found', 'Surface not found', { surface_id });
}

/** Also what a kind needs besides its name. @throws `invalid_params` */
function checkedKinds({ kinds: words, surfaces, pattern }: SubscribeParams): ReadonlySet<string> {
  const meant = expandKinds(words);
  if ('unknown' in meant) {
    const facts = { path: 'kinds', kind: meant.unknown, supported_kinds: EVENT_KINDS };
    return fail('invalid_params', `There is no such kind of event: ${meant.unknown}`, facts);
  }
  const kinds = new Set<string>(meant.kinds);
  for (const kind of ['surface.output', 'output_matched']) {
    if (kinds.has(kind) && surfaces === undefined) {
      return fail('invalid_params', `${kind} needs surfaces`, { path: 'surfaces', reason: 'missing' });
    }
  }
  if (kinds.has('output_matched') === (pattern !== undefined)) return kinds;
  return fail('invalid_params', 'output_matched and pattern go together', { path: 'pattern', reason: 'missing' });
}

function placeOf({ surfaces, workspaces }: SubscribeParams, opened: Opened) {
  return {
    surfaces: surfaces && new Set(opened.surfaces.map(({ surface_id }) => surface_id)),
    workspaces: workspaces && new Set(opened.workspaces),
  };
}

const workspaceOfEach = ({ surfaces }: Opened) =>
  new Map(surfaces.map(({ surface_id, workspace_id }) => [surface_id, workspace_id]));

/** The terminals whose text is watched, and whether it is there already. @throws `invalid_params` for a bad pattern */
async function watches({ bus, log }: EventParts, params: SubscribeParams, opened: Opened, call: OwnCall) {
  const { pattern = '', lines = DEFAULT_LINES } = params;
  const text: WantedText = { pattern, lines };
  const present = opened.surfaces.filter(
    (surface): surface is typeof surface & WatchedSurface => surface.address !== null,
  );
  return Promise.all(
    present.map(async (surface) => {
      const known = await isThere(bus, surface, text, call.gone);
      return { surface_id: surface.surface_id, known, watch: new PatternWatch(bus, log, surface, text, known) };
    }),
  );
}

function gapOf({ cursor }: SubscribeParams, { journal, gap }: Opened) {
  if (cursor === undefined || gap === undefined) return {};
  const { reason, to, count } = gap;
  return { gap: { reason, from: cursor, to: encodeCursor({ journal, seq: to }), count } };
}

/** By default only what is still to come. @throws `invalid_params` for an offset that is not reached yet */
async function startOfStream(
  bus: Bus,
  surface_id: string,
  address: string,
  offset: number | undefined,
): Promise<number> {
  if (offset === undefined) return (await bus.call('terminal.get', { surface_id }, { address })).offset;
  // The log decides: whoever read from it may have seen more than the pty-host has been told of yet.
  await bus.call('terminal.read_output', { surface_id, offset, max_bytes: 1 }, { address });
  return offset;
}
