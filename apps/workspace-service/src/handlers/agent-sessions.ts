import { fail, type HandlersIn, type Result } from '@switchyard/protocol';
import { type AgentSession, NO_SESSIONS, type SessionReport, withSession } from '../domain/agent-sessions.js';
import type { Id, SurfaceRecord } from '../domain/entities.js';
import { formatRef, readHandle } from '../domain/handles.js';
import type { Model } from '../domain/model.js';
import { resolveSurface } from '../domain/resolve.js';
import { ids, sessionRow, where } from '../domain/views.js';
import type { Services } from '../services.js';
import type { Call } from '../yard-state.js';

type Reports = Pick<HandlersIn<'surface', 'workspace-service', Call>, 'surface.report_agent_session'>;
type Queries = Pick<HandlersIn<'agent', 'workspace-service', Call>, 'agent.sessions'>;

/** Which conversation the agent in a terminal has. As with states, a report for a terminal that is gone is no error. */
export function sessionReportHandlers({ model, state }: Services): Reports {
  return {
    'surface.report_agent_session': (params) => {
      const handle = readHandle(model, 'surface', params.surface_id);
      if (handle.is === 'unreadable') {
        return fail('invalid_params', 'Missing or invalid surface_id', { parameter: 'surface_id' });
      }
      if (handle.is !== 'known') return { surface_id: params.surface_id, surface_ref: null, role: 'ignored' };
      const surface = model.surface(handle.id);
      const before = surface.sessions ?? NO_SESSIONS;
      const { sessions, role } = withSession(before, reportOf(params), model.now());
      if (sessions !== before) state.change(() => model.patchSurface(surface.id, { sessions }));
      return { surface_id: surface.id, surface_ref: formatRef('surface', surface.ref), role };
    },
  };
}

export function sessionQueryHandlers({ model }: Services): Queries {
  return {
    'agent.sessions': (params) => {
      const place = resolveSurface(model, params);
      const { current, earlier, children } = place.surface.sessions ?? NO_SESSIONS;
      return {
        ...where(place),
        ...ids('surface', place.surface),
        current: current && sessionRow(current),
        earlier: earlier.map(sessionRow),
        children: children.map(sessionRow),
        also_in: current === null ? [] : othersWith(model, current, place.surface.id),
      };
    },
  };
}

/**
 * The terminal in which an agent lives whose conversation a command line names: to start it would give one conversation
 * two voices.
 */
export function holderOf({ model, agents }: Services, argv: readonly string[], than: Id): SurfaceRecord | undefined {
  return [...model.surfaces.values()].find(({ id, exit, sessions }) => {
    const held = sessions?.current ?? null;
    if (id === than || exit !== null || held === null || agents.statusOf(id).agent !== held.agent) return false;
    return argv.some((word) => word === held.sessionId || word.endsWith(`=${held.sessionId}`));
  });
}

function othersWith(model: Model, { agent, sessionId }: AgentSession, than: Id): Result<'agent.sessions'>['also_in'] {
  return [...model.surfaces.values()]
    .filter(
      ({ id, sessions }) =>
        id !== than && sessions?.current?.sessionId === sessionId && sessions.current.agent === agent,
    )
    .map(({ id }) => id);
}

function reportOf(params: Parameters<Reports['surface.report_agent_session']>[0]): SessionReport {
  return {
    agent: params.agent,
    sessionId: params.session_id,
    transcriptPath: params.transcript_path ?? null,
    startReason: params.start_reason ?? null,
    parentId: params.parent_session_id ?? null,
    pid: params.pid ?? null,
    nested: params.nested ?? false,
    sequence: params.seq ?? null,
  };
}
