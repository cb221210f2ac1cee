import type { AgentStatus } from '@switchyard/agents';
import type { Result } from '@switchyard/protocol';
import type { AgentIdentity } from './agent-status.js';
import type { SurfacePlace } from './resolve.js';
import { surfaceTitle } from './titles.js';
import { ids, sessionRow, where } from './views.js';

export type AgentRow = Result<'agent.get'>;

/** What is known of one agent, for its row. */
export interface AgentFacts {
  readonly status: AgentStatus;
  readonly identity: AgentIdentity | null;
  readonly name: string | null;
}

export function agentRow(place: SurfacePlace, { status, identity, name }: AgentFacts): AgentRow {
  const { surface } = place;
  const { agent, state, source, activity, question, since, evidence } = status;
  return {
    ...where(place),
    ...ids('surface', surface),
    title: surfaceTitle(surface),
    cwd: surface.cwd ?? surface.launch.cwd,
    agent,
    name,
    state,
    source,
    activity,
    question,
    since,
    pid: identity?.process?.pid ?? null,
    evidence: [...evidence],
    session: surface.sessions?.current ? sessionRow(surface.sessions.current) : null,
  };
}
