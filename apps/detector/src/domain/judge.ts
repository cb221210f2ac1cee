import type { Activity, AgentState, Evidence, Question } from '@switchyard/agents';
import { stateOf } from '@switchyard/agents';
import type { CompiledRule } from './compile.js';
import { type GateTrace, testGate } from './gates.js';
import type { Says } from './manifest.js';
import { questionOf } from './screen/question.js';
import type { ScreenView } from './screen/view.js';

/** What the rules of one agent make of a screen. */
export interface Judgement {
  readonly activity: Activity;
  readonly question: Question | null;
  readonly state: AgentState | null;
  readonly skip: boolean;
  /** The state was told by a sign of its own. */
  readonly certain: boolean;
  /** The rule that decided the state, as `manifest/id`. */
  readonly rule: string | null;
  readonly evidence: readonly Evidence[];
}

/** A rule that holds, with what it holds by. */
export interface Match {
  readonly compiled: CompiledRule;
  readonly trace: GateTrace;
}

/** The two facts are decided apart: a program can work on while its question waits. */
const CONTESTS = {
  activity: new Set<Says>(['working', 'idle', 'unknown']),
  question: new Set<Says>(['blocked', 'no_question']),
  skip: new Set<Says>(['skip']),
} as const;
export type Contest = keyof typeof CONTESTS;

export const contestOf = (says: Says): Contest =>
  says === 'skip' ? 'skip' : CONTESTS.question.has(says) ? 'question' : 'activity';

/** As much of a text as evidence needs. */
const MAX_EVIDENCE_CHARS = 240;

/** @param rules in the order in which they win */
export function judge(rules: readonly CompiledRule[], view: ScreenView): Judgement {
  const won = winners(rules, view);
  return judgementOf(won, view);
}

/** The first rule that holds, of each contest. What a skip outranks is not asked. */
function winners(rules: readonly CompiledRule[], view: ScreenView): Map<Contest, Match> {
  const won = new Map<Contest, Match>();
  for (const compiled of rules) {
    const contest = contestOf(compiled.rule.says);
    if (won.has(contest) || won.has('skip')) continue;
    const trace = testGate(compiled.gate, view);
    if (trace.holds) won.set(contest, { compiled, trace });
  }
  return won;
}

export function judgementOf(won: ReadonlyMap<Contest, Match>, view: ScreenView): Judgement {
  const active = won.get('activity');
  const asked = won.get('question');
  const skipped = won.get('skip');
  const says = active?.compiled.rule.says;
  const activity: Activity = says === 'working' || says === 'idle' ? says : 'unknown';
  const question =
    asked?.compiled.rule.says === 'blocked'
      ? questionOf(view, asked.compiled.rule.kind ?? null, asked.trace.text)
      : null;
  const decided = question !== null ? asked : (active ?? skipped);
  return {
    activity,
    question,
    state: stateOf(activity, question),
    certain: decided !== undefined && (says !== 'idle' || question !== null || active?.compiled.rule.certain === true),
    skip: skipped !== undefined && activity === 'unknown' && question === null,
    rule: decided === undefined ? null : nameOf(decided.compiled),
    evidence: [asked, active, skipped].flatMap((match) => (match === undefined ? [] : [evidenceOf(match)])),
  };
}

export const nameOf = ({ manifest, rule }: CompiledRule): string => `${manifest}/${rule.id}`;

function evidenceOf({ compiled, trace }: Match): Evidence {
  const where = / in (title|progress)/.exec(trace.reason)?.[1];
  const kind = where === 'title' || where === 'progress' ? where : 'screen';
  return { kind, rule: nameOf(compiled), text: trace.text.slice(0, MAX_EVIDENCE_CHARS) };
}
