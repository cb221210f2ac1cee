import { AgentQuestion } from '../contract/agent-shapes.js';
import { AgentState, AgentStateSource, nullable } from '../contract/shapes.js';
import { type Static, Type } from '../schema.js';

/**
 * Kinds that a subscription can have besides those of the journal. They tell of a state, so nothing needs to be replayed:
 * whoever resumes is told the state there is.
 */
const offset = Type.Integer({ minimum: 0, description: 'Bytes the terminal had produced.' });

export const liveEvents = {
  'surface.output': Type.Object(
    { offset, rev: Type.Integer({ description: 'Changes of the screen so far.' }) },
    {
      description:
        'A terminal has printed: at most one per surface and 50 ms, the newest replaces one that waits. Needs `surfaces`.',
    },
  ),
  output_matched: Type.Object(
    { pattern: Type.String(), match: Type.String(), offset },
    {
      description:
        'Text that matches `pattern` has appeared; told again only after it has been gone. Needs `surfaces` and `pattern`.',
    },
  ),
  agent_status: Type.Object(
    {
      agent: nullable(Type.String()),
      state: nullable(AgentState),
      source: nullable(AgentStateSource),
      question: nullable(AgentQuestion),
      initial: Type.Boolean({ description: 'So it was when the subscription began.' }),
    },
    {
      description:
        'The state of the agent in a surface: first as it is, then at each change of state, source or question. ' +
        '`agent_states` names those that are wanted.',
    },
  ),
} as const;

export type LiveKind = keyof typeof liveEvents;
export type LiveData<K extends LiveKind> = Static<(typeof liveEvents)[K]>;

export const LIVE_KINDS: readonly LiveKind[] = (Object.keys(liveEvents) as LiveKind[]).sort();

export function isLiveKind(word: string): word is LiveKind {
  return Object.hasOwn(liveEvents, word);
}
