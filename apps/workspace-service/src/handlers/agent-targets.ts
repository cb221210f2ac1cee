import { fail, SwitchyardError } from '@switchyard/protocol';
import { type AgentRow, agentRow } from '../domain/agent-views.js';
import { optionalId } from '../domain/handles.js';
import { at, type SurfacePlace } from '../domain/resolve.js';
import { ids } from '../domain/views.js';
import type { Services } from '../services.js';

/** How a caller names an agent. */
export interface AgentTarget {
  readonly surface_id?: string | undefined;
  readonly name?: string | undefined;
}

/**
 * The surface that is meant, whether or not an agent runs in it.
 *
 * @throws `invalid_params` when none is named or both are and differ, `not_found`, `agent_not_running` for a name that no
 *   running agent has
 */
export function agentPlace({ model, agents }: Services, { surface_id, name }: AgentTarget): SurfacePlace {
  const given = optionalId(model, 'surface', surface_id);
  const named = name === undefined ? undefined : agents.named(name);
  if (name !== undefined && (named === undefined || !model.surfaces.has(named))) {
    return fail('agent_not_running', 'No agent of that name runs', { name });
  }
  const id = given ?? named;
  if (id === undefined) return fail('invalid_params', 'Give surface_id or name', { parameter: 'surface_id' });
  if (named !== undefined && named !== id) {
    return fail('invalid_params', 'surface_id and name mean different agents', { surface_id: id, name });
  }
  return at(model, id);
}

/** As {@link agentPlace}, and an agent runs there. @throws `agent_not_running` */
export function runningAgent(services: Services, target: AgentTarget): { place: SurfacePlace; agent: string } {
  const place = agentPlace(services, target);
  const { agent } = services.agents.statusOf(place.surface.id);
  if (agent === null) return fail('agent_not_running', 'No agent runs there', ids('surface', place.surface));
  return { place, agent };
}

export function rowOf({ agents }: Services, place: SurfacePlace): AgentRow {
  const { id } = place.surface;
  return agentRow(place, { status: agents.statusOf(id), identity: agents.identityOf(id), name: agents.nameOf(id) });
}

/** The agent that a caller waits for is no more. */
export const ended = (message: string, facts: Record<string, unknown>): SwitchyardError =>
  new SwitchyardError('agent_not_running', message, facts);
