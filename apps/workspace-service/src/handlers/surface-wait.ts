import { fail, type Handler, type Params, type Result } from '@switchyard/protocol';
import type { ClosedRecord, ExitInfo, SurfaceRecord } from '../domain/entities.js';
import { readClosedHandle } from '../domain/handles.js';
import { resolveSurface, type SurfacePlace } from '../domain/resolve.js';
import { ids, where } from '../domain/views.js';
import type { Services } from '../services.js';
import { codeOf } from '../terminals.js';
import type { Call } from '../yard-state.js';
import { waitForAgentState } from './agent-state-wait.js';

type WaitParams = Params<'surface.wait'>;
type WaitResult = Result<'surface.wait'>;

/** Defaults of programa-api §7.1. */
const DEFAULT_LINES = 2000;
const DEFAULT_TIMEOUT_MS = 30_000;
/** For an exit the screen does not matter, but the parameter must have a value. */
const NO_LINES = 1;

/** Text and the exit are watched by the pty-host, from the moment it checks; the state of the agent is watched here. */
export function surfaceWaitHandler(services: Services): Handler<'surface.wait', Call> {
  return async (params, call) => {
    const { pattern, exit = false, agent_state, timeout_ms = DEFAULT_TIMEOUT_MS } = params;
    if ([pattern !== undefined, exit, agent_state !== undefined].filter(Boolean).length !== 1) {
      return fail('invalid_params', 'Give exactly one of pattern, exit: true and agent_state');
    }
    if (agent_state !== undefined) return waitForAgentState(services, params, agent_state, timeout_ms, call);
    return pattern === undefined
      ? waitForExit(services, params, call)
      : waitForPattern(services, params, pattern, call);
  };
}

async function waitForPattern(
  services: Services,
  params: WaitParams,
  pattern: string,
  call: Call,
): Promise<WaitResult> {
  const { model, waits, terminals } = services;
  const place = resolveSurface(model, params);
  const id = place.surface.id;
  const { lines = DEFAULT_LINES, timeout_ms = DEFAULT_TIMEOUT_MS } = params;
  const asked = { surface_id: id, pattern, lines, timeout_ms };
  const watch = waits.watch(id);
  try {
    const signal = AbortSignal.any([call.signal, watch.signal]);
    const facts = { ...here(place), condition: 'pattern' as const };
    const options = { signal, facts };
    const { waited, match, offset } = await terminals.ask('terminal.wait', place.surface, asked, call, options);
    return { ...facts, waited, offset, ...(match === undefined ? {} : { match }) };
  } catch (error) {
    if (watch.departure === 'exited') return lastLook(services, place, asked, call);
    if (watch.departure === 'closed') return fail('not_found', 'The surface was closed', ids('surface', place.surface));
    throw error;
  } finally {
    watch.end();
  }
}

/** The program ended while we waited: its last output may have brought the text before anyone could tell us. */
async function lastLook(
  { terminals }: Services,
  place: SurfacePlace,
  asked: { readonly surface_id: string; readonly pattern: string; readonly lines: number },
  call: Call,
): Promise<WaitResult> {
  try {
    const found = await terminals.ask('terminal.wait', place.surface, { ...asked, timeout_ms: 0 }, call);
    if (found.match !== undefined) {
      const { match, offset } = found;
      return { ...here(place), condition: 'pattern', waited: true, offset, match };
    }
  } catch (error) {
    if (codeOf(error) !== 'timeout' && codeOf(error) !== 'not_found') throw error;
  }
  return fail('not_found', 'The program ended and its surface closed', ids('surface', place.surface));
}

async function waitForExit(services: Services, params: WaitParams, call: Call): Promise<WaitResult> {
  const { model, terminals } = services;
  const target = exitTarget(services, params);
  const { surface } = target;
  const head = { ...ids('window', target.window), ...ids('workspace', target.workspace), ...ids('surface', surface) };
  if (surface.exit) return { ...head, ...exited(surface.exit, false) };
  const { timeout_ms = DEFAULT_TIMEOUT_MS } = params;
  const asked = { surface_id: surface.id, exit: true, lines: NO_LINES, timeout_ms } as const;
  try {
    const { waited, exit } = await terminals.ask('terminal.wait', surface, asked, call);
    return exit ? { ...head, ...exited(exit, waited) } : fail('internal_error', 'An exit without its facts');
  } catch (error) {
    // Its terminal may have been removed between the exit and our question.
    const record = model.closed.get(surface.id)?.surface ?? model.surfaces.get(surface.id);
    if (codeOf(error) === 'not_found' && record?.exit) return { ...head, ...exited(record.exit, true) };
    throw error;
  }
}

function exited(exit: ExitInfo, waited: boolean) {
  const { exit_code, signal, offset } = exit;
  return { condition: 'exit' as const, waited, exit_code, signal, offset };
}

/** A surface in the tree, or a closed one whose program runs on or has left its exit. */
function exitTarget(
  { model }: Services,
  params: WaitParams,
): Pick<ClosedRecord, 'window' | 'workspace'> & { readonly surface: SurfaceRecord } {
  const closed = readClosedHandle(model, params.surface_id);
  return (closed === undefined ? undefined : model.closed.get(closed)) ?? resolveSurface(model, params);
}

const here = (place: SurfacePlace) => ({ ...where(place), ...ids('surface', place.surface) });
