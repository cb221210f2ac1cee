import type { Result } from '@switchyard/protocol';

/** What a detector says of one {@link ScreenSample}; declared in the contract with `agent.evaluate`. */
export type Verdict = NonNullable<Result<'agent.evaluate'>['verdicts'][number]>;
export type AgentState = NonNullable<Verdict['state']>;
export type Activity = Verdict['activity'];
export type Question = NonNullable<Verdict['question']>;
export type QuestionKind = Question['kind'];
export type Evidence = Verdict['evidence'][number];

/**
 * The two facts in one word. An open question wins, since it needs a person, whatever else goes on.
 * @returns null when nothing is known
 */
export function stateOf(activity: Activity, question: Question | null): AgentState | null {
  if (question !== null) return 'blocked';
  return activity === 'unknown' ? null : activity;
}
