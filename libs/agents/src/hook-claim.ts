import type { Inferred } from './inference.js';
import type { AgentState, Question } from './verdict.js';

/** What a hook, an integration or a person reports through `surface.report_agent_state`. */
export interface HookReport {
  readonly at: number;
  readonly state: AgentState;
  /** How the reporter knows; what hooks say is not replaced by what is inferred. */
  readonly source: 'hooks' | 'inferred';
  /** Whose state it is, where the reporter knows: it counts where the agent is not recognised otherwise. */
  readonly agent: string | null;
  /** Who reports; each reporter counts for itself. */
  readonly reporter: string;
  /** Rises with each report of one reporter; one that is not newer is dropped. null: always the newest. */
  readonly sequence: number | null;
  readonly question: Question | null;
}

/**
 * Hooks miss permission results, interrupts and what child agents do. A screen that has shown the opposite for this long,
 * all of it after the report, proves that one was missed. Silence proves nothing: these need a composer, a sign of work or
 * a dialog on the screen.
 */
const PROOF_MS = {
  /** An open dialog is seen, and it needs a person now. */
  blocked: 0,
  working: 500,
  /** The screen has a sign of its own for idle. */
  idleCertain: 1000,
  /** The composer is there and no sign of work is. */
  idle: 3000,
} as const;
/** A dialog that is not on the screen is not open. */
const ANSWERED_MS = { certain: 500, uncertain: 1500 } as const;

/**
 * When what the screen shows proves a report to be out of date.
 * @returns milliseconds; null: they agree, or the screen says nothing
 */
export function refutedAt(claim: HookReport, seen: Inferred): number | null {
  if (seen.state === null || seen.state === claim.state) return null;
  return Math.max(claim.at, seen.since) + proofMs(claim.state, seen);
}

function proofMs(claimed: AgentState, seen: Inferred): number {
  if (seen.state === 'blocked') return PROOF_MS.blocked;
  if (claimed === 'blocked') return seen.certain ? ANSWERED_MS.certain : ANSWERED_MS.uncertain;
  if (seen.state === 'working') return PROOF_MS.working;
  return seen.certain ? PROOF_MS.idleCertain : PROOF_MS.idle;
}
