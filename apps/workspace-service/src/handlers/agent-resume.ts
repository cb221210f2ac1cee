import { fail, type Handler, type Params } from '@switchyard/protocol';
import { AGENT_HINT, RESUMABLE_KINDS, resumeArgv } from '../domain/agent-kinds.js';
import { type AgentSession, NO_SESSIONS } from '../domain/agent-sessions.js';
import { directoryOf } from '../domain/creating.js';
import type { SurfaceRecord } from '../domain/entities.js';
import { requiredId } from '../domain/handles.js';
import { at } from '../domain/resolve.js';
import { commandLine } from '../domain/shell-words.js';
import { ids } from '../domain/views.js';
import type { Services } from '../services.js';
import type { Call } from '../yard-state.js';
import { holderOf } from './agent-sessions.js';
import { settled } from './agent-start.js';
import { rowOf } from './agent-targets.js';

const DEFAULT_TIMEOUT_MS = 30_000;

/** Goes on with a conversation where it was: in place of a program that has ended, or typed into a shell that waits. */
export function agentResumeHandler(services: Services): Handler<'agent.resume', Call> {
  const { model, agents } = services;
  return async (params, call) => {
    const id = requiredId(model, 'surface', params.surface_id);
    const surface = model.surface(id);
    const session = sessionOf(surface, params);
    const argv = argvOf(session, params.args);
    const runs = surface.exit === null && agents.statusOf(id).agent !== null;
    // A repeat that comes after our restart finds what it has started.
    if (runs && !call.resumed) return fail('invalid_state', 'An agent runs there', ids('surface', surface));
    const holder = holderOf(services, argv, id);
    if (holder !== undefined) {
      return fail('invalid_state', 'Its conversation goes on in another terminal', ids('surface', holder));
    }
    if (surface.exit !== null) await respawn(services, surface, session.agent, argv, call);
    else if (!call.resumed) await type(services, surface, argv, call);
    await settled(services, id, session.agent, params.timeout_ms ?? DEFAULT_TIMEOUT_MS, call);
    return rowOf(services, at(model, id));
  };
}

/** @throws `not_found` when no such conversation was reported there */
function sessionOf(surface: SurfaceRecord, { session_id }: Params<'agent.resume'>): AgentSession {
  const { current, earlier } = surface.sessions ?? NO_SESSIONS;
  const known = current === null ? earlier : [current, ...earlier];
  const session = session_id === undefined ? known[0] : known.find(({ sessionId }) => sessionId === session_id);
  return session ?? fail('not_found', 'No such conversation was reported there', ids('surface', surface));
}

/** @throws `not_supported` */
function argvOf({ agent, sessionId }: AgentSession, args: readonly string[] | undefined): string[] {
  return (
    resumeArgv(agent, sessionId, args) ??
    fail('not_supported', 'It is not known how this agent goes on with that conversation', {
      agent,
      session_id: sessionId,
      supported: RESUMABLE_KINDS,
    })
  );
}

async function respawn(
  { model, openings }: Services,
  surface: SurfaceRecord,
  agent: string,
  argv: readonly string[],
  call: Call,
): Promise<void> {
  const env = { ...surface.launch.env, [AGENT_HINT]: agent };
  await openings.respawn(call, surface.id, { argv, env, cwd: directoryOf(model, surface) });
}

/** @throws `invalid_state` when something else than its shell has the terminal */
async function type(
  { terminals, locks, state }: Services,
  surface: SurfaceRecord,
  argv: readonly string[],
  call: Call,
): Promise<void> {
  const { id } = surface;
  const { foreground } = await terminals.ask('terminal.sample', surface, { surface_id: id }, call);
  if (surface.launch.argv !== null || foreground?.pid !== terminals.running(id)?.pid) {
    const facts = { ...ids('surface', surface), foreground: foreground?.names[0] ?? null };
    return fail('invalid_state', 'No shell waits at its prompt there', facts);
  }
  const free = await locks.hold(id, call);
  try {
    // A repeat must not type again.
    state.begin(call, () => undefined);
    const typed = { surface_id: id, text: `${commandLine(argv)}\n`, paste: false };
    await terminals.ask('terminal.send_text', surface, typed, call);
  } finally {
    free();
  }
}
