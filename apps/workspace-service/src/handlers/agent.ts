import { fail, type Handler, type HandlersIn, type Params } from '@switchyard/protocol';
import { untilAgent } from '../agent-watch.js';
import { interruptKeyOf } from '../domain/agent-kinds.js';
import { type AgentIdentity, isSameIdentity } from '../domain/agent-status.js';
import type { WorkspaceRecord } from '../domain/entities.js';
import { optionalId } from '../domain/handles.js';
import { receiptOf } from '../domain/prompt-receipt.js';
import { at, resolvePlace } from '../domain/resolve.js';
import { ids, where } from '../domain/views.js';
import type { Services } from '../services.js';
import type { Call } from '../yard-state.js';
import { agentPromptHandler } from './agent-prompt.js';
import { agentResumeHandler } from './agent-resume.js';
import { agentStartHandler } from './agent-start.js';
import { agentPlace, ended, rowOf, runningAgent } from './agent-targets.js';
import { calledBefore, waitLimits } from './wait-limits.js';

/** agent.sessions is answered in agent-sessions.ts. */
type AgentHandlers = Omit<HandlersIn<'agent', 'workspace-service', Call>, 'agent.sessions'>;

const STATES = ['idle', 'working', 'blocked'] as const;
const DEFAULT_UNTIL = ['idle', 'blocked'];
const DEFAULT_TIMEOUT_MS = 30_000;

export function agentHandlers(services: Services): AgentHandlers {
  const { model, agents, book } = services;
  return {
    'agent.list': (params) => {
      const surfaces = workspacesIn(services, params).flatMap((workspace) => model.surfacesIn(workspace));
      const known = surfaces.filter(({ id }) => {
        const { agent, state } = agents.statusOf(id);
        return agent !== null || state !== null;
      });
      return { agents: known.map(({ id }) => rowOf(services, at(model, id))) };
    },
    'agent.get': (params) => rowOf(services, runningAgent(services, params).place),
    'agent.wait': agentWaitHandler(services),
    'agent.interrupt': agentInterruptHandler(services),
    'agent.start': agentStartHandler(services),
    'agent.resume': agentResumeHandler(services),
    'agent.prompt': agentPromptHandler(services),
    'agent.receipt': ({ client_message_id }) => {
      const record = book.find(client_message_id);
      return record ? receiptOf(record) : fail('not_found', 'No such prompt is known', { client_message_id });
    },
  };
}

/** Of a workspace or a window that is named, else of the whole yard, in order. */
function workspacesIn({ model }: Services, params: Params<'agent.list'>): WorkspaceRecord[] {
  if (params.workspace_id !== undefined) return [resolvePlace(model, params).workspace];
  const windowId = optionalId(model, 'window', params.window_id);
  const windowIds = windowId === undefined ? model.yard.windowIds : [windowId];
  return windowIds.flatMap((id) => model.window(id).workspaceIds.map((workspaceId) => model.workspace(workspaceId)));
}

function agentInterruptHandler(services: Services): Handler<'agent.interrupt', Call> {
  const { terminals, locks } = services;
  return async (params, call) => {
    const { place, agent } = runningAgent(services, params);
    const { surface } = place;
    if (params.agent !== undefined && params.agent !== agent) {
      const facts = { ...ids('surface', surface), agent, expected: params.agent };
      return fail('agent_not_running', `The agent there is not ${params.agent}`, facts);
    }
    const key = interruptKeyOf(agent);
    await locks.passage(surface.id, call);
    const sent = await terminals.ask('terminal.send_key', surface, { surface_id: surface.id, key }, call);
    return { ...where(place), ...ids('surface', surface), agent, key, bytes: sent.bytes, offset: sent.offset };
  };
}

/** Pinned to the run of the agent that is there at the call: another in its place can not satisfy it. */
function agentWaitHandler(services: Services): Handler<'agent.wait', Call> {
  const { agents, model } = services;
  return async (params, call) => {
    const until = statesOf(params.until ?? DEFAULT_UNTIL);
    const { surface } = agentPlace(services, params);
    const pinned = agents.identityOf(surface.id);
    const limits = waitLimits(call, params.timeout_ms ?? DEFAULT_TIMEOUT_MS);
    const facts = { ...ids('surface', surface), agent: pinned?.agent ?? null };
    // Sent again after our restart: an agent that came since is not the one that was meant.
    const isLate = calledBefore(agents.startedAt, limits) && agents.knownSince(surface.id) > limits.calledAt;
    if (pinned === null || isLate) return fail('agent_not_running', 'No agent runs there (any more)', facts);
    const { waited } = await untilAgent(
      services,
      surface.id,
      ({ state }) => {
        checkSame(pinned, agents.identityOf(surface.id), facts);
        return state !== null && until.has(state);
      },
      { ...limits, onDeparture: (why) => ended(`Its surface ${why === 'closed' ? 'was closed' : 'has ended'}`, facts) },
    );
    return { ...rowOf(services, at(model, surface.id)), waited };
  };
}

function checkSame(pinned: AgentIdentity, now: AgentIdentity | null, facts: Record<string, unknown>): void {
  if (!isSameIdentity(pinned, now))
    throw ended(now === null ? 'The agent has ended' : 'Another agent runs there', facts);
}

function statesOf(words: readonly string[]): ReadonlySet<string> {
  const wrong = words.find((word) => !(STATES as readonly string[]).includes(word));
  if (wrong === undefined) return new Set(words);
  return fail('invalid_params', `There is no state ${wrong}`, { parameter: 'until', supported: STATES });
}
