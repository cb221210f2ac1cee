import type { Params, Result } from '@switchyard/protocol';
import { SwitchyardError } from '@switchyard/protocol';
import { untilAgent } from '../agent-watch.js';
import { resolveSurface } from '../domain/resolve.js';
import { ids, where } from '../domain/views.js';
import type { Services } from '../services.js';
import type { Call } from '../yard-state.js';
import { calledBefore, waitLimits } from './wait-limits.js';

type Wanted = NonNullable<Params<'surface.wait'>['agent_state']>;
type State = Result<'agent.get'>['state'];

/** programa-api §7.1: a surface of which nothing is known counts as idle. */
const isWanted = (wanted: Wanted, state: State): boolean => state === wanted || (wanted === 'idle' && state === null);

/** Waits for a state of the agent in a surface, whoever reports it. */
export async function waitForAgentState(
  services: Services,
  params: Params<'surface.wait'>,
  wanted: Wanted,
  timeoutMs: number,
  call: Call,
): Promise<Result<'surface.wait'>> {
  const { model, agents } = services;
  const place = resolveSurface(model, params);
  const { surface } = place;
  const limits = waitLimits(call, timeoutMs);
  // A wait that is sent again after our restart must not miss the change that came in between.
  const missed = calledBefore(agents.startedAt, limits) && agents.statusOf(surface.id).since > limits.calledAt;
  const { status, waited } = await untilAgent(
    services,
    surface.id,
    ({ state }, change) => {
      if (wanted !== 'any_change') return isWanted(wanted, state);
      return change === null ? missed : change.before.state !== state;
    },
    {
      ...limits,
      onDeparture: () => new SwitchyardError('not_found', 'The surface was closed', ids('surface', surface)),
    },
  );
  const { state, source } = status;
  const condition = 'agent_state' as const;
  return { ...where(place), ...ids('surface', surface), condition, waited: waited || missed, state, source };
}
