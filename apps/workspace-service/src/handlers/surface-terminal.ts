import { fail } from '@switchyard/protocol';
import type { SurfaceRecord } from '../domain/entities.js';
import { readClosedHandle, requiredId } from '../domain/handles.js';
import { planRespawn } from '../domain/launch.js';
import { surfaceSize } from '../domain/layout.js';
import { at, resolveSurface, type SurfacePlace } from '../domain/resolve.js';
import { ids, placed, where } from '../domain/views.js';
import { perform, type Services, settle } from '../services.js';
import { holderOf } from './agent-sessions.js';
import { lookedAfter } from './input-check.js';
import { statusRecordsHandler } from './status-records.js';
import type { ReportMethods, SurfaceHandlers, TreeMethods } from './surface.js';
import { surfaceWaitHandler } from './surface-wait.js';
import { surroundings } from './targets.js';
import type { TelemetryMethods } from './telemetry.js';

/** What runs in a terminal surface: input, output, waits, life. */
export type TerminalMethods = Exclude<keyof SurfaceHandlers, TreeMethods | ReportMethods | TelemetryMethods>;

const here = (place: SurfacePlace) => ({ ...where(place), ...ids('surface', place.surface) });

export function surfaceTerminalHandlers(services: Services): Pick<SurfaceHandlers, TerminalMethods> {
  return {
    ...input(services),
    ...reading(services),
    ...life(services),
    'surface.wait': surfaceWaitHandler(services),
    'surface.status_records': statusRecordsHandler(services),
  };
}

/** A prompt that is being written comes first: see input-locks.ts. */
function input({
  model,
  terminals,
  locks,
}: Services): Pick<SurfaceHandlers, 'surface.send_text' | 'surface.send_key' | 'surface.send_bytes'> {
  return {
    'surface.send_text': async (params, call) => {
      const place = resolveSurface(model, params, 'not_found');
      const { text, paste = false } = params;
      const sent = { surface_id: place.surface.id, text, paste };
      await locks.passage(place.surface.id, call);
      const { bytes, offset } = await terminals.ask('terminal.send_text', place.surface, sent, call);
      return { ...here(place), bytes, offset, ...(await lookedAfter(terminals, place, offset, params, call)) };
    },
    'surface.send_key': async (params, call) => {
      const place = resolveSurface(model, params, 'not_found');
      const sent = { surface_id: place.surface.id, key: params.key };
      await locks.passage(place.surface.id, call);
      const typed = await terminals.ask('terminal.send_key', place.surface, sent, call);
      return { ...here(place), ...typed, ...(await lookedAfter(terminals, place, typed.offset, params, call)) };
    },
    'surface.send_bytes': async (params, call) => {
      const id = requiredId(model, 'surface', params.surface_id);
      const place = resolveSurface(model, { ...params, surface_id: id });
      const sent = { surface_id: id, data: checkedBase64(params.data) };
      await locks.passage(id, call);
      const written = await terminals.ask('terminal.write', place.surface, sent, call);
      return { ...here(place), ...written, ...(await lookedAfter(terminals, place, written.offset, params, call)) };
    },
  };
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** Node drops what it can not decode; exact bytes must not be dropped silently. */
function checkedBase64(data: string): string {
  if (BASE64.test(data)) return data;
  return fail('invalid_params', 'data is not base64', { parameter: 'data' });
}

function reading({
  model,
  terminals,
}: Services): Pick<
  SurfaceHandlers,
  'surface.read_text' | 'surface.read_output' | 'surface.snapshot' | 'surface.clear_history'
> {
  return {
    'surface.read_text': async (params, call) => {
      const place = resolveSurface(model, params, 'not_found');
      const { scrollback = false, lines } = params;
      const asked = {
        surface_id: place.surface.id,
        scrollback: scrollback || lines !== undefined,
        ...(lines === undefined ? {} : { lines }),
      };
      const read = await terminals.ask('terminal.read_text', place.surface, asked, call);
      return { ...here(place), ...read, base64: Buffer.from(read.text, 'utf8').toString('base64') };
    },
    'surface.read_output': async (params, call) => {
      const surface = liveOrClosed(model, params.surface_id);
      const { offset, max_bytes, wait_ms } = params;
      const asked = {
        surface_id: surface.id,
        ...(offset === undefined ? {} : { offset }),
        ...(max_bytes === undefined ? {} : { max_bytes }),
        ...(wait_ms === undefined ? {} : { wait_ms }),
      };
      const facts = ids('surface', surface);
      return { ...facts, ...(await terminals.ask('terminal.read_output', surface, asked, call, { facts })) };
    },
    'surface.snapshot': async (params, call) => {
      const id = requiredId(model, 'surface', params.surface_id);
      const place = resolveSurface(model, { ...params, surface_id: id });
      const { scrollback_lines } = params;
      const asked = { surface_id: id, ...(scrollback_lines === undefined ? {} : { scrollback_lines }) };
      return { ...here(place), ...(await terminals.ask('terminal.snapshot', place.surface, asked, call)) };
    },
    'surface.clear_history': async (params, call) => {
      const place = resolveSurface(model, params, 'not_found');
      await terminals.ask('terminal.clear_history', place.surface, { surface_id: place.surface.id }, call);
      return here(place);
    },
  };
}

function life(services: Services): Pick<SurfaceHandlers, 'surface.resize' | 'surface.respawn'> {
  const { model, terminals, openings, commands, config } = services;
  return {
    'surface.resize': async (params, call) => {
      const id = requiredId(model, 'surface', params.surface_id);
      const { cols, rows } = params;
      if ((cols === undefined) !== (rows === undefined)) {
        return fail('invalid_params', 'Give both cols and rows, or neither', { parameter: cols ? 'rows' : 'cols' });
      }
      const size = cols === undefined || rows === undefined ? null : { cols, rows };
      const reply = await perform(services, call, () => {
        const place = resolveSurface(model, { ...params, surface_id: id });
        model.patchSurface(id, { size });
        const actual = surfaceSize(model, model.surface(id), config().rules.cells);
        return { ...here(place), ...actual, overridden: size !== null };
      });
      // Not part of the layout, so nothing else notices the change.
      await terminals.opened(id);
      await terminals.fit([reply.workspace_id]);
      return reply;
    },
    'surface.respawn': async (params, call) => {
      const id = requiredId(model, 'surface', params.surface_id);
      const { surface } = resolveSurface(model, { ...params, surface_id: id });
      if (surface.exit === null && !call.resumed) {
        return fail('invalid_state', 'Its program still runs', ids('surface', surface));
      }
      const launch = planRespawn(params, surface.launch, surroundings(services, surface));
      const holder = holderOf(services, launch.argv ?? [], id);
      if (holder !== undefined) {
        return fail('invalid_state', 'Its conversation goes on in another terminal', ids('surface', holder));
      }
      const opened = await openings.respawn(call, id, launch);
      // What its layout wanted typed, if its shell could not be started then.
      commands.typeInBackground(id);
      const reply = { ...placed(at(model, id)), pid: opened.pid, offset: opened.offset };
      await settle(services, call);
      return reply;
    },
  };
}

/** A surface in the tree, or one that was closed not long ago. @throws `invalid_params`, `not_found` */
function liveOrClosed(model: Services['model'], handle: string): SurfaceRecord {
  const closed = readClosedHandle(model, handle);
  const record = closed === undefined ? undefined : model.closed.get(closed);
  return record?.surface ?? model.surface(requiredId(model, 'surface', handle));
}
