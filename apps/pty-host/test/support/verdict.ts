import type { Verdict } from '@switchyard/agents';

/** A verdict in which only some facts matter to who passes it on. */
export function verdictWith(facts: Partial<Verdict>): Verdict {
  const nothing = { agent: null, recognized_via: null, activity: 'unknown', question: null, state: null, rule: null };
  return { rev: 1, skip: false, evidence: [], ...nothing, ...facts } as Verdict;
}
