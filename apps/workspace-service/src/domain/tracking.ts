import {
  type AgentStatus,
  type HookReport,
  type Observation,
  type ProgramReport,
  type Question,
  sameProcess,
  stateOf,
  type Verdict,
} from '@switchyard/agents';

interface ProcessId {
  readonly pid: number;
  readonly start_time: number;
}

interface Reported {
  readonly state: 'working' | 'idle' | 'blocked';
  readonly source: 'hooks' | 'inferred';
  readonly question: Question | null;
  /** Whose report it is: it goes with the process. null: no agent was known then. */
  readonly process: ProcessId | null;
}

export interface TrackerState {
  readonly at: number;
  readonly rev: number;
  readonly agent: string | null;
  readonly process: ProcessId | null;
  readonly program: ProgramReport | null;
  readonly reported: Reported | null;
  readonly seen: Pick<Verdict, 'activity' | 'question' | 'evidence'> | null;
  readonly sequences: Readonly<Record<string, number>>;
  readonly status: AgentStatus;
}

export interface Report extends HookReport {
  readonly source: 'hooks' | 'inferred';
  readonly agent: string | null;
}

export const NO_STATUS: AgentStatus = {
  agent: null,
  state: null,
  source: null,
  activity: 'unknown',
  question: null,
  since: 0,
  evidence: [],
};

export function newTracker(at: number): TrackerState {
  return {
    at,
    rev: -1,
    agent: null,
    process: null,
    program: null,
    reported: null,
    seen: null,
    sequences: {},
    status: { ...NO_STATUS, since: at },
  };
}

export function observe(state: TrackerState, seen: Observation): TrackerState {
  const { at, rev, verdict, foreground, program } = seen;
  const agent = verdict.skip ? state.agent : verdict.agent;
  const process = agent === null ? null : foreground;
  const isNew = agent !== state.agent || (state.process !== null && !sameProcess(process, state.process as never));
  const kept = isNew && state.agent !== null ? null : state.reported;
  const next = { ...state, at, rev, agent, process, program, reported: kept };
  return settled(verdict.skip ? next : { ...next, seen: agent === null ? null : verdict }, at);
}

export function report(state: TrackerState, given: Report): { state: TrackerState; accepted: boolean } {
  const last = state.sequences[given.reporter];
  const stale = given.sequence !== null && last !== undefined && given.sequence <= last;
  const outranked = given.source === 'inferred' && state.reported?.source === 'hooks';
  if (stale || outranked) return { state, accepted: false };
  const sequences =
    given.sequence === null ? state.sequences : { ...state.sequences, [given.reporter]: given.sequence };
  const { source, question } = given;
  const reported = { state: given.state, source, question, process: state.process };
  return {
    state: settled({ ...state, agent: state.agent ?? given.agent, sequences, reported }, given.at),
    accepted: true,
  };
}

export function clear(state: TrackerState, at: number): TrackerState {
  return settled({ ...state, reported: null, seen: null, program: null }, at);
}

export function gone(_state: TrackerState, at: number): TrackerState {
  return newTracker(at);
}

export const tick = (state: TrackerState, _at: number): TrackerState => state;
export const dueAt = (_state: TrackerState): number | null => null;
export const statusOf = (state: TrackerState): AgentStatus => state.status;
export const processOf = (state: TrackerState): ProcessId | null => state.process;

function settled(state: TrackerState, at: number): TrackerState {
  const facts = factsOf(state);
  const before = state.status;
  const word = stateOf(facts.activity, facts.question);
  const since = word === before.state && state.agent === before.agent ? before.since : at;
  const source = word === null ? null : facts.source;
  const { activity, question, evidence } = facts;
  return { ...state, status: { agent: state.agent, state: word, source, activity, question, since, evidence } };
}

function factsOf({ program, reported, seen }: TrackerState): Omit<AgentStatus, 'agent' | 'state' | 'since'> {
  if (program !== null) {
    const activity = program.state === 'working' ? 'working' : program.state === 'blocked' ? 'unknown' : 'idle';
    const question: Question | null =
      program.state === 'blocked' ? { kind: program.kind ?? 'unknown', excerpt: program.msg ?? '' } : null;
    return { source: 'program', activity, question, evidence: [{ kind: 'program', rule: null, text: program.state }] };
  }
  if (reported !== null) {
    const { state, source } = reported;
    const activity = state === 'blocked' ? 'unknown' : state;
    return { source, activity, question: reported.question, evidence: [{ kind: 'hooks', rule: null, text: state }] };
  }
  if (seen !== null) return { source: 'inferred', ...seen, evidence: seen.evidence };
  return { source: null, activity: 'unknown', question: null, evidence: [] };
}
