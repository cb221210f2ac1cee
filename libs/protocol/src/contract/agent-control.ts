import { method } from '../define.js';
import {
  aliasOf,
  bool,
  ctx,
  handle,
  int,
  opt,
  PICKS,
  params,
  raw,
  result,
  str,
  strings,
  stringsOrNone,
} from '../params.js';
import { Type } from '../schema.js';
import { AgentSession } from './agent-session.js';
import { AgentEvidence, AgentQuestion } from './agent-shapes.js';
import {
  AgentState,
  AgentStateSource,
  CTX_ERRORS,
  ids,
  inWorkspace,
  nullable,
  PROGRAM_ERRORS,
  program,
  tabAlias,
} from './shapes.js';

/** The longest time Node can wait with one timer. */
const MAX_WAIT_MS = 2_147_483_647;
const WAIT_DEFAULT_MS = 30_000;
/** As in programa-api §7.2. */
const PROMPT_DEFAULT_MS = 120_000;
/** A prompt is a message to an agent, not a way to send files. */
const MAX_PROMPT_CHARS = 1_048_576;

const owner = { owner: 'workspace-service', tier: 'alpha' } as const;
const NAME = { pattern: '^[a-z][a-z0-9_-]{0,31}$' };
const name = str('Name that the agent was started with.', { ...NAME, ...PICKS });
/** Either of them names an agent. */
const target = {
  surface_id: opt(handle('surface', 'The surface it runs in. Give this or `name`.')),
  ...tabAlias,
  name: opt(name),
};
const here = { ...inWorkspace, ...ids('surface') };

const agentFacts = {
  agent: nullable(Type.String(), 'Id of the agent, e.g. `claude-code`; null: a state was reported, but not whose.'),
  name: nullable(Type.String(), 'Name that it was started with.'),
  state: nullable(AgentState, 'The two facts in one word; null: not known.'),
  source: nullable(AgentStateSource, 'Who said so; null together with `state`.'),
  activity: Type.Enum(['working', 'idle', 'unknown']),
  question: nullable(AgentQuestion, 'What waits for a person, whatever else goes on.'),
  since: Type.Number({ description: 'When the state became what it is, Unix milliseconds.' }),
  pid: nullable(Type.Integer(), 'Its process, where it is known.'),
  evidence: Type.Array(AgentEvidence),
  session: nullable(AgentSession, 'Its conversation, as its hooks named it last; null: they named none.'),
};
export const AgentRow = Type.Object({
  ...here,
  title: Type.String({ description: 'Title of the surface. Untrusted text unless a person gave it.' }),
  cwd: nullable(Type.String()),
  ...agentFacts,
});

export const PROMPT_STAGES = [
  'accepted',
  'written',
  'seen_in_composer',
  'submitted',
  'turn_started',
  'finished',
] as const;
export const PROMPT_OUTCOMES = ['pending', 'delivered', 'not_submitted', 'unknown'] as const;

export const PromptReceipt = Type.Object({
  client_message_id: Type.String({ description: 'As given; made up where the caller gave none.' }),
  ...ids('surface'),
  agent: nullable(Type.String(), 'Id of the agent that it was sent to; null: a program that is no known agent.'),
  stage: Type.Enum([...PROMPT_STAGES], {
    description:
      'How far it is known to have come. `submitted`: Enter has had its effect; `turn_started`: the agent works; `finished`: it has stopped working since.',
  }),
  outcome: Type.Enum([...PROMPT_OUTCOMES], {
    description:
      '`delivered`: submitted. `not_submitted`: written, but Enter had no effect that could be seen. `unknown`: this service was restarted in between, and nothing is written again.',
  }),
  stages: Type.Array(
    Type.Object({ stage: Type.Enum([...PROMPT_STAGES]), at: Type.Number({ description: 'Unix milliseconds.' }) }),
    { description: 'The stages that were reached, and when.' },
  ),
  enters: Type.Integer({ minimum: 0, description: 'How often Enter was pressed.' }),
  text_bytes: Type.Integer({ minimum: 0, description: 'Length of the text in UTF-8.' }),
});

export const agentControl = {
  'agent.list': method({
    ...owner,
    effect: 'query',
    summary: 'Every agent in the yard: where it runs, what it does, what it asks.',
    params: params({ window_id: ctx.window_id, workspace_id: ctx.workspace_id }),
    result: result({ agents: Type.Array(AgentRow) }),
    errors: CTX_ERRORS,
  }),
  'agent.get': method({
    ...owner,
    effect: 'query',
    selfService: true,
    summary: 'One agent, by its surface or its name.',
    params: params(target),
    result: AgentRow,
    errors: ['not_found', 'agent_not_running'],
  }),
  'agent.wait': method({
    ...owner,
    effect: 'wait',
    summary:
      'Waits until an agent is in one of some states. Only this run of it counts: another in its place does not.',
    params: params({
      ...target,
      until: opt(strings('Any of `idle`, `working`, `blocked`. Default: idle and blocked.')),
      timeout_ms: opt(int('Give up after so long. Default 30000.', { minimum: 0, maximum: MAX_WAIT_MS })),
      timeout: aliasOf('timeout_ms'),
    }),
    result: result({ ...AgentRow.properties, waited: Type.Boolean({ description: 'false: it was so already.' }) }),
    errors: ['not_found', 'agent_not_running', 'timeout'],
    deadlineMs: WAIT_DEFAULT_MS,
    timeoutParam: 'timeout_ms',
  }),
  'agent.interrupt': method({
    ...owner,
    effect: 'mutation',
    summary: 'Presses the key by which an agent is interrupted: Escape or Ctrl-C, as it is used to.',
    params: params({ ...target, agent: opt(str('Only if it is this agent.')) }),
    result: result({
      ...here,
      agent: Type.String(),
      key: Type.String({ description: 'What was pressed. It is accepted, not necessarily heeded.' }),
      bytes: Type.Integer(),
      offset: Type.Integer({ minimum: 0 }),
    }),
    errors: ['not_found', 'agent_not_running', 'terminal_exited', 'input_overflow'],
  }),
  'agent.start': method({
    ...owner,
    effect: 'mutation',
    summary: 'Opens a terminal that runs an agent; answers when the agent is recognised and has settled.',
    params: params({
      window_id: ctx.window_id,
      workspace_id: opt(handle('workspace', 'Where the tab is opened. Default: the selected one.')),
      pane_id: opt(handle('pane', 'In this pane. Default: the focused one.')),
      new_workspace: opt(bool('In a workspace of its own. Default false.')),
      title: opt(str('Title of the new workspace.')),
      kind: str('Id of the agent or name of its command: `claude-code`, `codex`, `gemini` …', { maxLength: 64 }),
      args: opt(stringsOrNone('Arguments for the agent.')),
      command: opt(strings('Program, and its first arguments, to run in place of the usual command of this kind.')),
      name: opt(str('A name to call it by while it runs; no two agents share one.', NAME)),
      cwd: program.cwd,
      working_directory: program.working_directory,
      env: program.env,
      initial_env: program.initial_env,
      host: program.host,
      remain_on_exit: program.remain_on_exit,
      timeout_ms: opt(
        int('Give up after so long; the terminal stays. Default 30000.', { minimum: 1, maximum: MAX_WAIT_MS }),
      ),
      timeout: aliasOf('timeout_ms'),
    }),
    result: AgentRow,
    errors: [...CTX_ERRORS, ...PROGRAM_ERRORS, 'agent_name_taken', 'agent_not_running', 'timeout'],
    deadlineMs: WAIT_DEFAULT_MS,
    timeoutParam: 'timeout_ms',
  }),
  'agent.resume': method({
    ...owner,
    effect: 'mutation',
    summary:
      'Starts the agent of a terminal again with the conversation that it had; answers when it is recognised and has settled.',
    params: params({
      surface_id: handle('surface', 'Its program has ended, or a shell waits there at its prompt.'),
      ...tabAlias,
      session_id: opt(str('One of the conversations that agent.sessions names. Default: the last one.')),
      args: opt(stringsOrNone('More arguments for the agent. Those it had before are not given again.')),
      timeout_ms: opt(
        int('Give up after so long; the terminal stays. Default 30000.', { minimum: 1, maximum: MAX_WAIT_MS }),
      ),
      timeout: aliasOf('timeout_ms'),
    }),
    result: AgentRow,
    errors: ['not_found', 'invalid_state', ...PROGRAM_ERRORS, 'agent_not_running', 'input_overflow', 'timeout'],
    deadlineMs: WAIT_DEFAULT_MS,
    timeoutParam: 'timeout_ms',
    risks: ['One conversation in two places mixes them up: it is refused while an agent known to have it runs.'],
  }),
  'agent.prompt': method({
    ...owner,
    effect: 'mutation',
    tier: 'stable',
    repeatKey: 'client_message_id',
    summary:
      'Writes a prompt to the agent in a terminal, submits it, sees to it that it arrived, and waits for the turn.',
    params: params({
      ...ctx,
      name: opt(name),
      text: raw('The prompt; blanks at its end are cut. It is pasted where the program can be pasted to.', {
        maxLength: MAX_PROMPT_CHARS,
      }),
      timeout_ms: opt(int('Give up after so long. Default 120000.', { minimum: 0, maximum: MAX_WAIT_MS })),
      timeout: aliasOf('timeout_ms'),
      working_grace_ms: opt(
        int('How long after Enter the agent may take to begin. Default 3000.', { minimum: 0, maximum: MAX_WAIT_MS }),
      ),
      wait: opt(bool('Wait until the turn is over. Default true; false: until it began, or had time to.')),
      client_message_id: opt(
        str(
          'Chosen by the caller: the prompt is written at most once under it, and a repeat is told what became of it.',
          {
            minLength: 1,
            maxLength: 128,
          },
        ),
      ),
      agent: opt(str('Only if this agent runs there.')),
      force: opt(
        bool(
          'Also while a dialog is open, an earlier prompt stands in the composer, or its directory was deleted. Default false.',
        ),
      ),
    }),
    result: result({
      ...here,
      working_observed: Type.Boolean({ description: 'The agent was seen working, before or after the prompt.' }),
      final_state: nullable(AgentState, 'null: not known.'),
      warning: Type.Optional(Type.String()),
      receipt: PromptReceipt,
    }),
    errors: [
      ...CTX_ERRORS,
      'agent_not_ready',
      'directory_not_found',
      'agent_not_running',
      'terminal_exited',
      'input_overflow',
      'timeout',
      'invalid_state',
    ],
    deadlineMs: PROMPT_DEFAULT_MS,
    timeoutParam: 'timeout_ms',
    risks: ['The agent acts on the prompt. A shell runs what is typed and entered.'],
  }),
  'agent.receipt': method({
    ...owner,
    effect: 'query',
    summary: 'What became of a prompt, by its client_message_id. Also after restarts.',
    params: params({ client_message_id: str('As given to agent.prompt.', { minLength: 1, maxLength: 128 }) }),
    result: PromptReceipt,
    errors: ['not_found'],
  }),
} as const;
