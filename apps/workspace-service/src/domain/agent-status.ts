import {
  type AgentStatus,
  type AgentTracker,
  type Evidence,
  type ForegroundProcess,
  sameProcess,
} from '@switchyard/agents';

/** One run of one agent: another process, or another agent in its place, is another. */
export interface AgentIdentity {
  readonly agent: string;
  /** null: not known; then the agent's name has to do. */
  readonly process: ForegroundProcess | null;
}

export function identityOf({ status, process }: Pick<AgentTracker, 'status' | 'process'>): AgentIdentity | null {
  return status.agent === null ? null : { agent: status.agent, process };
}

export function isSameIdentity(a: AgentIdentity | null, b: AgentIdentity | null): boolean {
  if (a === null || b === null) return a === b;
  if (a.agent !== b.agent) return false;
  return a.process === null || b.process === null || sameProcess(a.process, b.process);
}

/** Whether nobody could tell them apart from outside; the evidence changes with every look. */
export function isSameStatus(a: AgentStatus, b: AgentStatus): boolean {
  return (
    a.agent === b.agent &&
    a.state === b.state &&
    a.source === b.source &&
    a.activity === b.activity &&
    a.since === b.since &&
    a.question?.kind === b.question?.kind &&
    a.question?.excerpt === b.question?.excerpt
  );
}

/** Its program says itself that it has stopped because of an error (OSC 7501). */
export function hasFailed({ state, source, evidence }: AgentStatus): boolean {
  return (
    state === 'idle' &&
    source === 'program' &&
    evidence.some(({ kind, text }) => kind === 'program' && text === 'state=error')
  );
}

/** A line of an event: long enough to say why, short enough for hundreds of agents. */
const LINE_CHARS = 120;

export function evidenceLine({ kind, rule, text }: Evidence): string {
  const line = rule === null ? `${kind}: ${text}` : `${kind} (${rule}): ${text}`;
  return line.length > LINE_CHARS ? `${line.slice(0, LINE_CHARS - 1)}…` : line;
}
