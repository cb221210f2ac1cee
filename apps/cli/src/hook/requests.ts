import { AGENTS, type HookReport, type Speaker } from '@switchyard/integrations/events';

/** One line for the gateway. */
export interface HookRequest {
  readonly id: number;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** From a sandbox, which may do nothing before. */
export const loginRequest = (token: string): HookRequest => ({ id: 0, method: 'auth.login', params: { token } });

interface Place {
  readonly surfaceId: string;
  readonly workspaceId: string;
}

/**
 * What is asked of the yard because of an event. An agent that another agent started says which session it has, but not
 * what the terminal is doing.
 *
 * @param seq of this process, for events that have no number of their own
 */
export function requestsFor(said: HookReport, speaker: Speaker, place: Place, seq: number): HookRequest[] {
  const requests = [sessionRequest(said, speaker, seq), speaker.nested ? null : stateRequest(said, speaker, seq)];
  return requests
    .filter((request) => request !== null)
    .map(({ method, params }, index) => ({
      id: index + 1,
      method,
      params: { workspace_id: place.workspaceId, surface_id: place.surfaceId, ...params },
    }));
}

type Unplaced = Omit<HookRequest, 'id'>;

function sessionRequest({ session, seq }: HookReport, speaker: Speaker, otherwise: number): Unplaced | null {
  if (session === null) return null;
  const { id, transcriptPath, startReason, parentId } = session;
  return {
    method: 'surface.report_agent_session',
    params: {
      agent: idOf(speaker),
      session_id: id,
      ...(transcriptPath !== null && { transcript_path: transcriptPath }),
      ...(startReason !== null && { start_reason: startReason }),
      ...(parentId !== null && { parent_session_id: parentId }),
      ...(speaker.nested && { nested: true }),
      ...(speaker.pid !== null && { pid: speaker.pid }),
      seq: seq ?? otherwise,
    },
  };
}

function stateRequest(
  { state, question, message, seq }: HookReport,
  speaker: Speaker,
  otherwise: number,
): Unplaced | null {
  if (state === null) return null;
  if (state === 'gone') return { method: 'surface.clear_agent_state', params: {} };
  return {
    method: 'surface.report_agent_state',
    params: {
      state,
      source: 'hooks',
      reporter: `hook:${speaker.agent}`,
      agent: idOf(speaker),
      ...(question !== null && { question }),
      ...(message !== null && { message }),
      seq: seq ?? otherwise,
    },
  };
}

const idOf = ({ agent }: Speaker): string => AGENTS[agent]?.id ?? agent;
