import { method } from '../define.js';
import { bool, NO_NUL, opt, params, result, str } from '../params.js';
import { Type } from '../schema.js';
import { nullable } from './shapes.js';

const owner = { owner: 'workspace-service', tier: 'alpha' } as const;

const agent = str('Name of the agent: `claude`, `codex`, `gemini` …; integration.list has them all.');
const config_dir = opt(
  str(
    'Folder of the agent’s configuration, absolute. Default: the usual one, or where a variable of the agent points.',
    {
      maxLength: 4096,
      ...NO_NUL,
    },
  ),
);

const State = Type.Enum(['current', 'outdated', 'missing', 'broken'], {
  description:
    '`outdated`: of another version, or only in part. `broken`: a file is not what it should be; nothing is changed in it.',
});
const File = Type.Object({
  path: Type.String(),
  state: Type.Enum(['current', 'outdated', 'missing', 'broken', 'theirs'], {
    description: '`theirs`: it says already what is needed, without our part.',
  }),
  detail: nullable(Type.String(), 'Why it is broken.'),
  remarks: Type.Array(Type.String(), { description: 'What keeps our part from working, such as hooks switched off.' }),
});
const status = {
  agent: Type.String(),
  title: Type.String(),
  state: State,
  version: Type.Integer({ description: 'What an installation today has.' }),
  config_dir: Type.String(),
  agent_found: Type.Boolean({ description: 'The agent has a configuration folder there.' }),
};
const Change = Type.Object({
  path: Type.String(),
  action: Type.Enum(['create', 'change', 'remove']),
  reason: Type.String(),
  before: Type.Optional(nullable(Type.String(), 'With `dry_run`: the text as it is; null: there is no file.')),
  after: Type.Optional(nullable(Type.String(), 'With `dry_run`: the text as it would be; null: the file is removed.')),
});
const action = {
  ...owner,
  effect: 'mutation',
  idempotent: true,
  scope: 'admin',
  params: params({ agent, config_dir, dry_run: opt(bool('Only say what would be changed. Default false.')) }),
  result: result({
    agent: Type.String(),
    dry_run: Type.Boolean(),
    state: State,
    changes: Type.Array(Change, { description: 'In the order in which they are made; all of them or none.' }),
    remarks: Type.Array(Type.String(), { description: 'What a person has to do or to know now.' }),
  }),
  errors: ['not_found', 'invalid_state'],
} as const;

/** Hooks and plugins by which coding agents report to the terminal that they run in. */
export const integration = {
  'integration.list': method({
    ...owner,
    effect: 'query',
    summary: 'The agents that can be made to report their sessions and states, and whether they do.',
    params: params({}),
    result: result({
      integrations: Type.Array(
        Type.Object({
          ...status,
          basis: Type.Enum(['recorded', 'documented'], {
            description: '`recorded`: seen at work. `documented`: written after the vendor’s documentation, not tried.',
          }),
          events: Type.Array(Type.Object({ event: Type.String(), tells: Type.String() })),
          gaps: Type.Array(Type.String(), { description: 'What the agent does not tell.' }),
        }),
      ),
    }),
  }),
  'integration.status': method({
    ...owner,
    effect: 'query',
    summary: 'What of an integration is in which file; of all of them if none is named.',
    params: params({ agent: opt(agent), config_dir }),
    result: result({ integrations: Type.Array(Type.Object({ ...status, files: Type.Array(File) })) }),
    errors: ['not_found', 'invalid_params'],
  }),
  'integration.install': method({
    ...action,
    summary: 'Makes an agent report its sessions and states. Nothing else in its files is changed.',
    risks: ['Writes into the configuration of the agent, which then runs a program of ours on its events.'],
  }),
  'integration.uninstall': method({
    ...action,
    summary: 'Takes it back: files are as they were, or have only our part less where they changed since.',
    risks: ['Writes into the configuration of the agent.'],
  }),
} as const;
