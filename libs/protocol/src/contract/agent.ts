import { method } from '../define.js';
import { bool, ctx, int, opt, params, raw, result, str } from '../params.js';
import { Type } from '../schema.js';
import { AgentAccount, AgentVerdict, RuleAccount, SAMPLES_LIMIT, SCREEN_SAMPLE } from './agent-shapes.js';
import { CTX_ERRORS, nullable, nullableIds } from './shapes.js';

const owner = { owner: 'detector', effect: 'query', tier: 'alpha' } as const;

const Manifest = Type.Object({
  agent: Type.String(),
  display_name: Type.String(),
  version: Type.Integer({ description: 'Of the format: 1 or 2.' }),
  source: Type.Enum(['bundled', 'override']),
  process_names: Type.Array(Type.String()),
  shadows_bundled: Type.Boolean(),
  verified: Type.Array(Type.String(), {
    description: 'Versions of the program on whose recorded screens it was tried.',
  }),
  states: Type.Array(
    Type.Object({
      bucket: Type.String(),
      priority: Type.Integer(),
      anchor_last_n_lines: Type.Integer(),
      patterns: Type.Array(Type.String()),
      confidence: Type.String(),
      source_notes: nullable(Type.String()),
    }),
  ),
});

const { rev: _rev, evidence: _evidence, unmarked: _unmarked, certain: _certain, ...JUDGED } = AgentVerdict;

export const agent = {
  'agent.detection.list': method({
    ...owner,
    summary: 'The manifests by which agents and their states are told from the screen, read afresh.',
    params: params({}),
    result: result({ manifests: Type.Array(Manifest) }),
  }),
  'agent.detection.classify': method({
    ...owner,
    summary: 'What the manifests make of the screen of a surface, or of a given text.',
    params: params({
      ...ctx,
      text: opt(raw('Classify this instead of the screen of a surface.')),
      scrollback: opt(bool('Scrollback too.')),
      lines: opt(int('Only the last so many lines; implies scrollback.', { minimum: 1 })),
      agent: opt(str('Use the manifest of this agent. Default: the one whose screen patterns match.')),
    }),
    result: result({
      requested_agent: nullable(Type.String()),
      recognized_via: nullable(Type.Enum(['explicit', 'screen_pattern', 'process', 'hint'])),
      agent: nullable(Type.String()),
      display_name: nullable(Type.String()),
      bucket: nullable(Type.String()),
      confidence: nullable(Type.String()),
      matched_pattern: nullable(Type.String()),
      ...nullableIds('window', 'workspace', 'surface'),
    }),
    errors: CTX_ERRORS,
  }),
  'agent.explain': method({
    ...owner,
    summary: 'Every rule that was asked about a screen, with the text it looked at and why it won or lost.',
    params: params({
      ...ctx,
      text: opt(raw('Explain this instead of the screen of a surface.')),
      scrollback: opt(bool('Scrollback too.')),
      lines: opt(int('Only the last so many lines; implies scrollback.', { minimum: 1 })),
      title: opt(raw('The title of the terminal, with `text`.')),
      process: opt(str('Name of the foreground program, with `text`. Default: not known.')),
      agent: opt(str('Use the manifest of this agent. Default: the one that is recognised.')),
    }),
    result: result({
      requested_agent: nullable(Type.String()),
      display_name: nullable(Type.String()),
      ...JUDGED,
      title: Type.String(),
      agents: Type.Array(AgentAccount, { description: 'Why each agent was recognised or not.' }),
      rules: Type.Array(RuleAccount, { description: 'Why each rule won or lost, in the order in which they win.' }),
      ...nullableIds('window', 'workspace', 'surface'),
    }),
    errors: CTX_ERRORS,
  }),
  'agent.evaluate': method({
    ...owner,
    visibility: 'internal',
    fromHosts: true,
    summary: 'What screens say of the agents on them. Pure: the same sample always gets the same verdict.',
    params: params({
      samples: Type.Array(Type.Object(SCREEN_SAMPLE), { minItems: 1, maxItems: SAMPLES_LIMIT }),
    }),
    result: result({
      verdicts: Type.Array(nullable(Type.Object(AgentVerdict)), {
        description: 'In the order of the samples; null: the detector failed on this one, and its log says how.',
      }),
    }),
    deadlineMs: 2000,
  }),
} as const;
