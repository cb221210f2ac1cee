import type { ForegroundProcess } from './sample.js';
import type { Activity, AgentState, Evidence, Question, Verdict } from './verdict.js';

/** Who said what the state is. The program itself is believed before hooks, hooks before the screen. */
export type StateSource = 'program' | 'hooks' | 'inferred';

/** What is known of the agent in one terminal. */
export interface AgentStatus {
  /** Id of the agent, e.g. `claude-code`; null: none is known. */
  readonly agent: string | null;
  readonly state: AgentState | null;
  /** null together with `state`. */
  readonly source: StateSource | null;
  readonly activity: Activity;
  readonly question: Question | null;
  /** When the state became what it is, milliseconds. */
  readonly since: number;
  readonly evidence: readonly Evidence[];
}

/** The root record of the program's own status reports (OSC 7501), as far as the state needs it. */
export interface ProgramReport {
  readonly state: 'idle' | 'working' | 'done' | 'blocked' | 'error';
  readonly kind: 'permission' | 'question' | 'auth' | null;
  readonly msg: string | null;
  /** When it was last said, milliseconds. */
  readonly at: number;
}

/** One look at a terminal, in the order of `rev`. */
export interface Observation {
  readonly at: number;
  readonly rev: number;
  readonly foreground: ForegroundProcess | null;
  readonly verdict: Verdict;
  /** null: the program has said nothing, or has taken it back. */
  readonly program: ProgramReport | null;
}

/** What a hook, an integration or a person reports through `surface.report_agent_state`. */
export interface HookReport {
  readonly at: number;
  readonly state: AgentState;
  /** Who reports; each source counts for itself. */
  readonly reporter: string;
  /** Rises with each report of one reporter; an older one is dropped. null: always the newest. */
  readonly sequence: number | null;
  readonly question: Question | null;
}
