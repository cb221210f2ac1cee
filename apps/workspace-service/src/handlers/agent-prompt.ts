import { fail, type Handler, type Params, type Result } from '@switchyard/protocol';
import { untilAgent } from '../agent-watch.js';
import { hasReached, type PromptRecord, receiptOf } from '../domain/prompt-receipt.js';
import { resolveSurface, type SurfacePlace } from '../domain/resolve.js';
import { ids, where } from '../domain/views.js';
import type { Services } from '../services.js';
import { TurnWatch } from '../turn-watch.js';
import type { Call } from '../yard-state.js';
import { agentPlace, ended } from './agent-targets.js';

type PromptResult = Result<'agent.prompt'>;

/** Defaults of programa-api §7.2. */
const DEFAULT_TIMEOUT_MS = 120_000;
const DEFAULT_GRACE_MS = 3000;

const NO_STATE =
  'No agent state was ever reported here: are the hooks of the agent installed? See `integration.status`.';
const NOT_SUBMITTED = 'The text was written, but Enter had no effect that could be seen; it may stand in the composer.';

/** Writes a prompt and waits for the turn that it begins (programa-api §7.2). */
export function agentPromptHandler(services: Services): Handler<'agent.prompt', Call> {
  const { agents, prompts } = services;
  return async (params, call) => {
    const place = placeOfPrompt(services, params);
    const { surface } = place;
    const text = params.text.trimEnd();
    if (text === '') return fail('invalid_params', 'Missing or invalid text', { parameter: 'text' });
    const watch = new TurnWatch(agents, surface.id);
    const until = Math.min(performance.now() + (params.timeout_ms ?? DEFAULT_TIMEOUT_MS), call.deadline);
    try {
      const { agent, force = false } = params;
      const record = await prompts.deliver({ id: messageId(params, call), surface, text, agent, force }, call);
      if (record.outcome === 'unknown') {
        const facts = { ...ids('surface', surface), receipt: receiptOf(record) };
        return fail('outcome_unknown', 'This service was restarted while the prompt was written', facts);
      }
      return await turnOf(services, { place, record, watch, params, until, call });
    } finally {
      watch.end();
    }
  };
}

/** Without an id of the caller's a prompt has one of its own: the same for every sending of one call. */
const messageId = ({ client_message_id }: Params<'agent.prompt'>, { requestId, callId }: Call): string =>
  client_message_id ?? (requestId === undefined ? `call ${callId}` : `request ${requestId}`);

function placeOfPrompt(services: Services, params: Params<'agent.prompt'>): SurfacePlace {
  return params.name === undefined ? resolveSurface(services.model, params, 'not_found') : agentPlace(services, params);
}

interface Turn {
  readonly place: SurfacePlace;
  readonly record: PromptRecord;
  readonly watch: TurnWatch;
  readonly params: Params<'agent.prompt'>;
  /** When the time that the caller gave to the whole is over. */
  readonly until: number;
  readonly call: Call;
}

/** First the turn must begin, within the grace; then it must end, within the rest of the time. */
async function turnOf(services: Services, turn: Turn): Promise<PromptResult> {
  const { params, watch } = turn;
  const working = watch.wasWorking || (await beginning(services, turn));
  if (working && params.wait !== false) await theEnd(services, turn);
  return resultOf(services, turn, working);
}

async function beginning(services: Services, turn: Turn): Promise<boolean> {
  const { watch, record, params } = turn;
  const grace = params.working_grace_ms ?? DEFAULT_GRACE_MS;
  const isKnown = hasReached(record, 'turn_started');
  if (watch.sawWorking || isKnown) return true;
  // The time in which we looked after Enter is part of it.
  const enteredAt = record.stages.findLast(({ stage }) => stage !== 'submitted')?.at ?? record.at;
  // The time of entering is a fact with a date: a wall clock that was set must not make a wait of it.
  const settling = Math.min(grace, enteredAt + grace - services.model.now());
  const left = Math.ceil(Math.min(settling, turn.until - performance.now()));
  return watch.working(left, turn.call.signal);
}

/** Idle, or nothing known any more. */
async function theEnd(services: Services, { place, record, params, until, call }: Turn): Promise<void> {
  const { surface } = place;
  if (hasReached(services.book.find(record.id) ?? record, 'finished')) return;
  const facts = ids('surface', surface);
  await untilAgent(services, surface.id, ({ state }) => state === 'idle' || state === null, {
    timeoutMs: Math.ceil(until - performance.now()),
    askedMs: params.timeout_ms ?? DEFAULT_TIMEOUT_MS,
    facts: { receipt: receiptOf(record) },
    signal: call.signal,
    onDeparture: () => ended('The surface of the agent is gone', facts),
  });
}

function resultOf({ agents, book }: Services, { place, record, watch }: Turn, working: boolean): PromptResult {
  const { surface } = place;
  const latest = book.find(record.id) ?? record;
  const { state } = agents.statusOf(surface.id);
  const warnings = [
    ...(latest.outcome === 'not_submitted' ? [NOT_SUBMITTED] : []),
    ...(working || watch.wasReported ? [] : [NO_STATE]),
  ];
  return {
    ...where(place),
    ...ids('surface', surface),
    working_observed: working,
    final_state: state,
    ...(warnings.length === 0 ? {} : { warning: warnings.join(' ') }),
    receipt: receiptOf(latest),
  };
}
