import type { ScreenSample, Verdict } from '@switchyard/agents';
import { type Engine, judgeWith, viewFor } from './engine.js';
import { recognize } from './recognize.js';

/** What is said of a screen on which no agent is known. */
const NOBODY = {
  agent: null,
  recognized_via: null,
  activity: 'unknown',
  question: null,
  state: null,
  rule: null,
  skip: false,
  certain: false,
  unmarked: false,
} as const;

/** Who is on a screen, and what the screen says of it. Pure: the same sample and engines always give the same answer. */
export function evaluate(engines: readonly Engine[], sample: ScreenSample): Verdict {
  const known = recognize(engines, sample);
  if (known === null) return { ...NOBODY, rev: sample.rev, evidence: [] };
  const view = viewFor(known.engine, sample);
  const judgement = judgeWith(known.engine, view);
  return {
    ...judgement,
    rev: sample.rev,
    agent: known.engine.agent,
    recognized_via: known.via,
    unmarked: known.engine.version === 2 && known.engine.manifest.works_unmarked === true,
    evidence: [known.evidence, ...judgement.evidence],
  };
}
