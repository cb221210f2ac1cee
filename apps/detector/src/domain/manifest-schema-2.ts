import { Type } from 'typebox';
import { LIMITS } from './limits.js';
import { SAYS } from './manifest.js';
import { REGIONS, SHAPES } from './screen/view.js';

const closed = { additionalProperties: false };
const matchers = (description: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: LIMITS.matcherLength }), {
    description,
    minItems: 1,
    maxItems: LIMITS.matchers,
  });
const gates = (description: string) => Type.Array(Type.Ref('Gate'), { description, minItems: 1 });
const QUESTION_KINDS = ['permission', 'question', 'trust', 'setup', 'auth', 'unknown'];

const gate = {
  region: Type.Optional(
    Type.Enum([...REGIONS], {
      description: 'Where the texts and expressions look. Default: that of the condition around it, at last `screen`.',
    }),
  ),
  lines: Type.Optional(Type.Integer({ minimum: 1, description: 'Only so many lines of a region that is counted.' })),
  contains: Type.Optional(matchers('Each occurs in the region, in any case.')),
  regex: Type.Optional(matchers('Each matches the region as one text; in Unicode mode and any case.')),
  line_regex: Type.Optional(matchers('Each matches some line of the region; in Unicode mode and any case.')),
  shape: Type.Optional(Type.Enum([...SHAPES], { description: 'The screen has something of this shape.' })),
  all: Type.Optional(gates('All of them hold.')),
  any: Type.Optional(gates('At least one holds.')),
  not: Type.Optional(gates('None holds.')),
};

/** Version 2 of the manifest. Limits and expressions are checked besides (compile.ts). */
export const ManifestSchema2 = Type.Cyclic(
  {
    Gate: Type.Object(gate, closed),
    Rule: Type.Object(
      {
        id: Type.String({ pattern: '^[a-z0-9][a-z0-9-]*$', description: 'Name of the rule, for explanations.' }),
        says: Type.Enum([...SAYS], {
          description:
            'working, idle: what the agent does. unknown: it cannot be told. blocked: a question is open. no_question: ' +
            'none is, whatever rules of lower priority say. skip: the agent is covered; what rules of lower priority ' +
            'say is not believed, and what was known stays.',
        }),
        kind: Type.Optional(
          Type.Enum(QUESTION_KINDS, { description: 'Of the open question. Default: told from its words.' }),
        ),
        priority: Type.Integer({ description: 'Higher wins among rules about the same; then the first in the file.' }),
        certain: Type.Optional(
          Type.Boolean({
            description:
              'Of idle: told by a sign of its own, not by the absence of signs of work, so that it is believed at once.',
          }),
        ),
        note: Type.Optional(Type.String({ description: 'What the rule is based on. Changes nothing.' })),
        ...gate,
      },
      closed,
    ),
    Manifest: Type.Object(
      {
        $schema: Type.Optional(Type.String()),
        version: Type.Literal(2),
        agent: Type.String({
          pattern: '^[a-z0-9][a-z0-9-]*$',
          description: 'Stable id by which the agent is asked for.',
        }),
        display_name: Type.String({ minLength: 1, description: 'Name for people.' }),
        verified: Type.Array(Type.String(), {
          description: 'Versions of the program on whose recorded screens the rules were tried; empty: on none.',
        }),
        note: Type.Optional(Type.String({ description: 'What the rules are based on. Changes nothing.' })),
        recognize: Type.Object(
          {
            process_names: Type.Array(Type.String(), { description: 'Names of the foreground program.' }),
            hints: Type.Optional(
              Type.Array(Type.String(), { description: 'Further words by which SWITCHYARD_AGENT may name it.' }),
            ),
            screen: Type.Optional(
              gates('Any of them shows that the agent is on the screen. Only asked where its process cannot be seen.'),
            ),
          },
          closed,
        ),
        prompts: Type.Optional(
          matchers('Expressions for the row of a prompt, in a frame or not, where it is unusual.'),
        ),
        works_unmarked: Type.Optional(
          Type.Boolean({
            description:
              'It may work without a sign of it on the screen: work is over when nothing is printed any more. Default false.',
          }),
        ),
        generic: Type.Optional(
          Type.Boolean({ description: 'The rules for any agent apply beside its own. Default true.' }),
        ),
        rules: Type.Array(Type.Ref('Rule'), { maxItems: LIMITS.rules }),
      },
      closed,
    ),
  },
  'Manifest',
  { $id: 'switchyard-agent-manifest-2', title: 'Agent detection manifest, version 2' },
);
