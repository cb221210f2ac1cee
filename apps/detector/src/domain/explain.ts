import type { ScreenSample } from '@switchyard/agents';
import { type Engine, type EngineV2, judgeWith, seenOn, viewFor } from './engine.js';
import { testGate } from './gates.js';
import { type Contest, contestOf, type Judgement, nameOf } from './judge.js';
import { mayHide, type Recognition, recognize } from './recognize.js';
import { type ScreenView, viewOf } from './screen/view.js';
import { type CompiledV1, textFor } from './version-1.js';

/** Why one rule won or lost. */
export interface RuleAccount {
  /** As `manifest/id`; of version 1, `agent/bucket`. */
  readonly rule: string;
  readonly says: string;
  readonly priority: number;
  /** `outranked`: it holds, and one of higher priority about the same holds too. `covered`: a viewer or picker is open. */
  readonly outcome: 'won' | 'outranked' | 'covered' | 'no_match';
  /** The condition that decided. */
  readonly reason: string;
  /** The text it looked at, or the part that matched. */
  readonly text: string;
}

/** Why an agent was recognised or not. */
export interface AgentAccount {
  readonly agent: string;
  /** `not_asked`: what the screen looks like counts for nothing, since it is known what runs. */
  readonly outcome: 'recognized' | 'outranked' | 'no_match' | 'not_asked';
  readonly reason: string;
}

export interface Explanation {
  readonly recognition: Recognition | null;
  readonly judgement: Judgement | null;
  readonly agents: readonly AgentAccount[];
  readonly rules: readonly RuleAccount[];
}

/** Texts in an explanation are for reading; a whole screen is not one. */
const MAX_TEXT_CHARS = 600;

/**
 * Everything that was asked of a screen, with every answer. The judgement is the one that `evaluate` gives.
 *
 * @param asked the agent whose rules are to be used; null: the one that is recognised
 */
export function explain(engines: readonly Engine[], sample: ScreenSample, asked: Engine | null): Explanation {
  const recognition = recognize(engines, sample);
  const engine = asked ?? recognition?.engine ?? null;
  const agents = engines.map((each) => accountOfAgent(each, recognition, sample));
  if (engine === null) return { recognition, judgement: null, agents, rules: [] };
  const view = viewFor(engine, sample);
  const rules = engine.version === 2 ? accountsOf(engine, view) : accountsOfV1(engine.compiled, view);
  return { recognition, judgement: judgeWith(engine, view), agents, rules };
}

function accountOfAgent(engine: Engine, recognition: Recognition | null, sample: ScreenSample): AgentAccount {
  const { agent } = engine;
  if (recognition?.engine === engine) {
    return { agent, outcome: 'recognized', reason: `${recognition.via}: ${recognition.evidence.text}` };
  }
  if (!mayHide(sample.foreground)) {
    return { agent, outcome: 'not_asked', reason: 'no name of the foreground process, which hides no other' };
  }
  const seen = seenOn(engine, viewOf(sample));
  if (seen === null) return { agent, outcome: 'no_match', reason: 'neither a name of the process nor on the screen' };
  return { agent, outcome: 'outranked', reason: `screen: ${seen.slice(0, MAX_TEXT_CHARS)}` };
}

function accountsOf(engine: EngineV2, view: ScreenView): RuleAccount[] {
  const won = new Set<Contest>();
  return engine.rules.map((compiled) => {
    const { says, priority } = compiled.rule;
    const trace = testGate(compiled.gate, view);
    const outcome = !trace.holds
      ? 'no_match'
      : won.has('skip')
        ? 'covered'
        : won.has(contestOf(says))
          ? 'outranked'
          : 'won';
    if (outcome === 'won') won.add(contestOf(says));
    const { reason } = trace;
    return { rule: nameOf(compiled), says, priority, outcome, reason, text: trace.text.slice(0, MAX_TEXT_CHARS) };
  });
}

function accountsOfV1({ manifest, rules }: CompiledV1, view: ScreenView): RuleAccount[] {
  const text = view.sample.lines.join('\n');
  let decided = false;
  return rules.map((rule) => {
    const shown = textFor(rule, text);
    const hit = rule.patterns.find(({ expression }) => expression.test(shown));
    const outcome = hit === undefined ? 'no_match' : decided ? 'outranked' : 'won';
    if (hit !== undefined) decided = true;
    return {
      rule: `${manifest.agent}/${rule.bucket}`,
      says: rule.bucket,
      priority: rule.priority,
      outcome,
      reason: hit === undefined ? 'no pattern matches' : `pattern ${hit.source}`,
      text: shown.slice(-MAX_TEXT_CHARS),
    } as const;
  });
}
