import { method } from '../define.js';
import { bool, ctx, handle, int, NO_NUL, opt, params, raw, result, str } from '../params.js';
import { Type } from '../schema.js';
import { CTX_ERRORS, ids, inWorkspace, nullable, tabAlias } from './shapes.js';

const owner = { owner: 'workspace-service', tier: 'alpha' } as const;
/** Longer than the id of any session, shorter than what could fill a database. */
const ID = { minLength: 1, maxLength: 512 };
const PATH = { maxLength: 4096, ...NO_NUL };

/** A conversation of an agent, as its hooks name it. */
export const AgentSession = Type.Object({
  agent: Type.String({ description: 'Id of the agent, e.g. `claude-code`.' }),
  session_id: Type.String({ description: 'In the agent’s own form.' }),
  transcript_path: nullable(Type.String(), 'Where the agent says that it writes the conversation. Untrusted text.'),
  start_reason: nullable(Type.String(), 'In the agent’s words: `startup`, `resume`, `clear` …; null: not said.'),
  parent_session_id: nullable(Type.String(), 'The session that started it, where the agent says so.'),
  pid: nullable(Type.Integer(), 'Process of the agent, where it is known.'),
  since: Type.Number({ description: 'When it was first reported, Unix milliseconds.' }),
});

export const agentSession = {
  'surface.report_agent_session': method({
    ...owner,
    effect: 'mutation',
    idempotent: true,
    selfService: true,
    summary: 'Reports which conversation the agent in a terminal has, as its hooks do.',
    params: params({
      workspace_id: opt(handle('workspace', 'Not looked at: a terminal may have moved since its agent was started.')),
      surface_id: handle('surface'),
      ...tabAlias,
      agent: str('Id of the agent, e.g. `claude-code`.', { minLength: 1, maxLength: 64 }),
      session_id: str('Id of the conversation, in the agent’s own form.', ID),
      transcript_path: opt(raw('Where the agent writes the conversation.', PATH)),
      start_reason: opt(str('Why it began: `startup`, `resume`, `clear` …', { maxLength: 64 })),
      parent_session_id: opt(str('The session that started it: it is kept as a child.', ID)),
      nested: opt(bool('Another agent in the terminal started this one: it is kept as a child. Default false.')),
      pid: opt(int('Process of the agent.', { minimum: 1 })),
      seq: opt(int('Rises with every report; an older one does not replace a newer session.', { minimum: 0 })),
    }),
    result: result({
      surface_id: Type.String({ description: 'As it was sent, where nothing has it.' }),
      surface_ref: nullable(Type.String()),
      role: Type.Enum(['root', 'child', 'ignored'], {
        description: '`root`: the session of the terminal. `ignored`: an older report, or there is no such terminal.',
      }),
    }),
  }),
  'agent.sessions': method({
    ...owner,
    effect: 'query',
    summary:
      'The conversations that agents have had in a terminal: the present one, earlier ones, those of sub-agents.',
    params: params(ctx),
    result: result({
      ...inWorkspace,
      ...ids('surface'),
      current: nullable(AgentSession, 'The last one reported; its agent may have ended since.'),
      earlier: Type.Array(AgentSession, { description: 'Those that it replaced, the latest first.' }),
      children: Type.Array(AgentSession, { description: 'Of sub-agents and nested agents, the latest first.' }),
      also_in: Type.Array(Type.String(), {
        description: 'Other surfaces that report the present one: resume it nowhere.',
      }),
    }),
    errors: CTX_ERRORS,
  }),
} as const;
