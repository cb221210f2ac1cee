import { Type } from 'typebox';

const pattern = { description: 'Regular expression, no flags: `$` matches only at the end of the sample.' };

const RuleSchema = Type.Object({
  bucket: Type.String({ description: 'working, blocked, idle or done; a rule with another word is ignored.' }),
  priority: Type.Integer({ description: 'Higher is tried first; the first rule that matches decides.' }),
  anchor_last_n_lines: Type.Integer({ description: 'Looks at the last N lines only; 0 or less: at all.' }),
  patterns: Type.Array(Type.String(pattern), {
    description: 'Any match is enough; a pattern that is no regular expression is skipped.',
  }),
  confidence: Type.Enum(['verified', 'needs_verification', 'low'], {
    description: 'How well the rule is proven. Changes nothing.',
  }),
  source_notes: Type.Optional(Type.String({ description: 'What the rule is based on. Changes nothing.' })),
});

/** How the screens of one agent look. Data: an override file takes the place of a bundled one (programa-api §9.1, §9.3). */
export const ManifestSchema = Type.Object(
  {
    version: Type.Literal(1),
    agent: Type.String({ minLength: 1, description: 'Stable id by which the agent is asked for.' }),
    display_name: Type.String({ description: 'Name for people.' }),
    recognize: Type.Object({
      process_names: Type.Array(Type.String(), { description: 'Names of the foreground program.' }),
      screen_patterns: Type.Array(Type.String(pattern), {
        description: 'Any match says that this agent is on the screen.',
      }),
    }),
    states: Type.Array(RuleSchema),
  },
  { $id: 'switchyard-agent-manifest-1', title: 'Agent detection manifest, version 1' },
);
