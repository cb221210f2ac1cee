import type { ScreenSample } from '@switchyard/agents';
import type { Result } from '@switchyard/protocol';
import type { Engine } from '../domain/engine.js';
import type { Explanation } from '../domain/explain.js';

type Explained = Result<'agent.explain'>;
type Ids = 'window_id' | 'window_ref' | 'workspace_id' | 'workspace_ref' | 'surface_id' | 'surface_ref';

/** An explanation as it goes over the wire. */
export function explained(
  { recognition, judgement, agents, rules }: Explanation,
  asked: Engine | null,
  sample: ScreenSample,
): Omit<Explained, Ids> {
  const engine = asked ?? recognition?.engine ?? null;
  return {
    requested_agent: asked?.agent ?? null,
    agent: engine?.agent ?? null,
    display_name: engine?.displayName ?? null,
    recognized_via: asked === null ? (recognition?.via ?? null) : null,
    state: judgement?.state ?? null,
    activity: judgement?.activity ?? 'unknown',
    question: judgement?.question ?? null,
    skip: judgement?.skip ?? false,
    rule: judgement?.rule ?? null,
    title: sample.title,
    agents: agents.map((account) => ({ ...account })),
    rules: rules.map((account) => ({ ...account })),
  };
}
