import { fail, type Handler, type Params, SwitchyardError } from '@switchyard/protocol';
import { untilAgent } from '../agent-watch.js';
import { AGENT_KINDS, type AgentChoice, agentProgram } from '../domain/agent-kinds.js';
import { createTab, createWorkspace } from '../domain/creating.js';
import type { Id, SurfaceRecord } from '../domain/entities.js';
import { at, resolveWindow } from '../domain/resolve.js';
import { markFocus } from '../domain/undo.js';
import { ids, placed } from '../domain/views.js';
import type { Creation } from '../openings.js';
import type { Services } from '../services.js';
import { codeOf } from '../terminals.js';
import type { Call } from '../yard-state.js';
import { ended, rowOf } from './agent-targets.js';
import { planBeside, resolvePane } from './targets.js';
import { waitLimits } from './wait-limits.js';

type StartParams = Params<'agent.start'>;
type Agent = ReturnType<typeof requireProgram>;

const DEFAULT_TIMEOUT_MS = 30_000;
/** A state that lasts this long is no passing sight of a program that starts. */
const SETTLED_MS = 500;

/** Starts an agent and waits until it is recognised and idle, or asks something. */
export function agentStartHandler(services: Services): Handler<'agent.start', Call> {
  return async (params, call) => {
    const agent = requireProgram(params);
    const id = startedBefore(services, call) ?? (await open(services, params, agent, call));
    await settled(services, id, agent.kind, params.timeout_ms ?? DEFAULT_TIMEOUT_MS, call);
    return rowOf(services, at(services.model, id));
  };
}

/** @throws `invalid_params` for a kind of which no command is known */
export function requireProgram(choice: AgentChoice): NonNullable<ReturnType<typeof agentProgram>> {
  const supported = AGENT_KINDS.map(({ id }) => id);
  return (
    agentProgram(choice) ?? fail('invalid_params', 'Unknown agent: give its command', { parameter: 'kind', supported })
  );
}

/** An earlier run of this request opened the terminal already. */
function startedBefore({ agents, model }: Services, { requestId, resumed }: Call): Id | undefined {
  const id = resumed && requestId !== undefined ? agents.startedBy(requestId) : undefined;
  return id !== undefined && model.surfaces.has(id) ? id : undefined;
}

async function open(services: Services, params: StartParams, agent: Agent, call: Call): Promise<Id> {
  const { model, agents, openings } = services;
  const { name = null } = params;
  const taken = name === null ? undefined : agents.named(name);
  if (taken !== undefined) return fail('agent_name_taken', 'An agent of that name runs', { name, surface_id: taken });
  const { argv, env } = agent;
  const program = { argv, env, cwd: params.cwd, remain_on_exit: params.remain_on_exit };
  const make = () => {
    const created = params.new_workspace ? inWorkspace(services, params, program) : inPane(services, params, program);
    agents.expect(model, created.surface.id, name, call.requestId ?? null);
    return created;
  };
  const { surface_id } = await openings.create(call, make, 'begin');
  return surface_id;
}

type Program = Parameters<typeof planBeside>[1];

function inPane(services: Services, params: StartParams, program: Program): Creation<{ surface_id: Id }> {
  const { model } = services;
  const source = resolvePane(model, params);
  const terminal = planBeside(services, program, source.surface);
  const mark = markFocus(model, source.pane.id);
  return created(createTab(model, source.pane.id, terminal), mark);
}

function inWorkspace(services: Services, params: StartParams, program: Program): Creation<{ surface_id: Id }> {
  const { model, config } = services;
  const window = resolveWindow(model, params);
  const beside = model.focusedSurface(model.workspace(window.selectedId));
  const terminal = planBeside(services, program, beside);
  const mark = markFocus(model, null);
  const place = config().rules.newWorkspace;
  const { surface } = createWorkspace(model, window.id, place, { title: params.title }, terminal);
  return created(surface, mark);
}

const created = (surface: SurfaceRecord, mark: Creation<unknown>['mark']) => ({
  surface,
  mark,
  reply: { surface_id: surface.id },
});

/** Recognised, and for a moment in one state that waits for a person. @throws `agent_not_running`, `timeout` */
export async function settled(services: Services, id: Id, kind: string, timeoutMs: number, call: Call): Promise<void> {
  const { model } = services;
  const place = placed(at(model, id));
  const limits = { ...waitLimits(call, timeoutMs), onDeparture: () => ended('The agent ended as it started', place) };
  const isUp = () => {
    const status = services.agents.statusOf(id);
    if (model.surfaces.get(id)?.exit) throw ended('The agent ended as it started', place);
    return status.agent === kind && (status.state === 'idle' || status.state === 'blocked');
  };
  try {
    do await untilAgent(services, id, isUp, limits);
    while (await changesSoon(services, id, limits));
  } catch (error) {
    throw await withScreen(services, id, error, call);
  }
}

async function changesSoon(
  services: Services,
  id: Id,
  limits: ReturnType<typeof waitLimits> & { onDeparture(): Error },
) {
  const { state } = services.agents.statusOf(id);
  const briefly = { ...limits, timeoutMs: Math.min(SETTLED_MS, limits.timeoutMs) };
  try {
    await untilAgent(services, id, (status) => status.state !== state || status.agent === null, briefly);
    return true;
  } catch (error) {
    if (codeOf(error) === 'timeout') return false;
    throw error;
  }
}

/** What stands on the screen says best why an agent did not come up. */
async function withScreen({ model, terminals }: Services, id: Id, error: unknown, call: Call): Promise<unknown> {
  const surface = model.surfaces.get(id) ?? model.closed.get(id)?.surface;
  if (!(error instanceof SwitchyardError) || surface === undefined) return error;
  const asked = { surface_id: id, scrollback: false };
  const screen = await terminals.ask('terminal.read_text', surface, asked, call).catch(() => null);
  const facts = { ...error.data, ...ids('surface', surface), screen: screen?.text ?? null };
  return new SwitchyardError(error.code, error.message, facts);
}
