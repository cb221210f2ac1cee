import { Type } from '../schema.js';
import { nullable } from './shapes.js';

/** What a screen is judged by, and the judgement: between the pty-hosts and the detectors, and in `agent.explain`. */
const count = Type.Integer({ minimum: 0 });

export const ScreenCursor = Type.Object({
  row: Type.Integer({ minimum: 0, description: 'Index into `lines`.' }),
  col: count,
  visible: Type.Boolean(),
});

export const ScreenProgress = Type.Object({
  state: Type.Integer({ minimum: 0, maximum: 4, description: 'OSC 9;4: 0 none, 1 value, 2 error, 3 busy, 4 paused.' }),
  value: nullable(Type.Integer({ minimum: 0, maximum: 100 })),
});

export const ForegroundProcess = Type.Object(
  {
    pid: Type.Integer(),
    pgid: Type.Integer(),
    start_time: Type.Integer({
      description: 'Together with the pid it names one process for ever; unit of the system.',
    }),
    names: Type.Array(Type.String(), {
      description:
        'What it may be called, best first: seen through wrappers, lower case, without folder and extension.',
    }),
    argv: Type.Array(Type.String()),
    hint: nullable(Type.String(), 'SWITCHYARD_AGENT in its environment.'),
  },
  { description: 'Leader of the foreground process group of the terminal.' },
);

export const SCREEN_SAMPLE = {
  surface_id: Type.String(),
  rev: Type.Integer({ minimum: 0, description: 'Revision of the screen; rises with every change.' }),
  offset: Type.Integer({ minimum: 0, description: 'Bytes the terminal had produced.' }),
  at: Type.Number({ description: 'When the sample was taken, Unix milliseconds.' }),
  cols: Type.Integer({ minimum: 1 }),
  rows: Type.Integer({ minimum: 1 }),
  lines: Type.Array(Type.String(), { description: 'The visible rows, top first, without trailing blanks.' }),
  wrapped: Type.Optional(
    Type.Array(Type.Boolean(), { description: 'Whether the row continues the one above; absent: none does.' }),
  ),
  cursor: ScreenCursor,
  alternate: Type.Boolean({ description: 'The alternate screen is shown.' }),
  title: Type.String({ description: 'Last title set with OSC 0 or 2; empty: none.' }),
  progress: nullable(ScreenProgress),
  foreground: nullable(ForegroundProcess, 'null: not known.'),
} as const;

/** Screens in one question to a detector, at most: each is some kilobytes, and is judged in a fraction of a millisecond. */
export const SAMPLES_LIMIT = 64;

export const AgentQuestion = Type.Object({
  kind: Type.Enum(['permission', 'question', 'trust', 'setup', 'auth', 'unknown']),
  excerpt: Type.String({ description: 'What is asked, as it is on the screen. Untrusted text.' }),
});

export const AgentEvidence = Type.Object({
  kind: Type.Enum(['process', 'hint', 'screen', 'title', 'progress', 'program', 'hooks']),
  rule: nullable(Type.String(), 'Rule of the manifest, where one said so.'),
  text: Type.String({ description: 'What was seen. Untrusted text.' }),
});

export const AgentVerdict = {
  rev: count,
  agent: nullable(Type.String(), 'Id of the agent whose screen this is; null: none known.'),
  recognized_via: nullable(Type.Enum(['process', 'hint', 'screen'])),
  activity: Type.Enum(['working', 'idle', 'unknown']),
  question: nullable(AgentQuestion, 'The dialog that waits for a person.'),
  state: nullable(Type.Enum(['working', 'idle', 'blocked']), 'The two facts in one word; null: not known.'),
  rule: nullable(Type.String(), 'The rule that decided the state.'),
  skip: Type.Boolean({ description: 'A viewer or picker covers the agent: keep what was known before.' }),
  certain: Type.Boolean({ description: 'The state was told by a sign of its own, not by the absence of another.' }),
  unmarked: Type.Boolean({
    description: 'Work may go on without a sign of it: it is over when nothing is printed any more.',
  }),
  evidence: Type.Array(AgentEvidence),
} as const;

export const AgentAccount = Type.Object({
  agent: Type.String(),
  outcome: Type.Enum(['recognized', 'outranked', 'no_match', 'not_asked']),
  reason: Type.String(),
});

export const RuleAccount = Type.Object({
  rule: Type.String({ description: 'As `manifest/id`.' }),
  says: Type.String(),
  priority: Type.Integer(),
  outcome: Type.Enum(['won', 'outranked', 'covered', 'no_match']),
  reason: Type.String({ description: 'The condition that decided.' }),
  text: Type.String({ description: 'What it looked at, or the part that matched. Untrusted text.' }),
});
