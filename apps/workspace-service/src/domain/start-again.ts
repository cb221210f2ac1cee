import type { Settings } from '@switchyard/config';
import { AGENT_HINT, resumeArgv } from './agent-kinds.js';
import type { AgentSession } from './agent-sessions.js';
import type { Launch, SurfaceRecord } from './entities.js';
import { commandLine } from './shell-words.js';

/** What is started again by itself of terminals that ended with the yard; each also does what those before it do. */
export type RestorePolicy = Settings['restore']['policy'];

/** What takes the place of a program that ended with the yard. */
export interface StartAgain {
  readonly launch: Launch;
  /** Typed into it once it is ready; null: nothing. */
  readonly typed: string | null;
  /** The conversation that it goes on with. */
  readonly conversation: AgentSession | null;
}

/**
 * @param isHeld whether a conversation goes on in another terminal: it must never be in two
 * @returns null: the surface stays as one that has ended
 */
export function startAgain(
  surface: SurfaceRecord,
  policy: RestorePolicy,
  isHeld: (conversation: AgentSession) => boolean,
): StartAgain | null {
  const launch = { ...surface.launch, cwd: surface.cwd ?? surface.launch.cwd };
  // What was due before is due still.
  const due = surface.typedDue ?? null;
  const asItWas = { launch, typed: due, conversation: null };
  // It was promised to whoever made it.
  if (surface.unstarted) return asItWas;
  if (policy === 'ask') return null;
  const conversation = policy === 'agents' ? (surface.sessions?.current ?? null) : null;
  const argv = conversation === null || isHeld(conversation) ? undefined : argvOf(conversation);
  if (launch.argv === null) {
    if (argv !== undefined) return { launch, typed: commandLine(argv), conversation };
    return policy === 'shells' ? asItWas : { ...asItWas, typed: surface.declared?.command ?? due };
  }
  if (policy === 'shells') return null;
  if (!isAgent(surface)) return asItWas;
  // Without its conversation it would be another agent.
  if (argv === undefined || conversation === null) return null;
  const env = { ...launch.env, [AGENT_HINT]: conversation.agent };
  return { launch: { ...launch, argv, env }, typed: null, conversation };
}

const argvOf = ({ agent, sessionId }: AgentSession) => resumeArgv(agent, sessionId);

const isAgent = ({ launch, sessions }: SurfaceRecord): boolean =>
  launch.env[AGENT_HINT] !== undefined || (sessions !== undefined && sessions.current !== null);
