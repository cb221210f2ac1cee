import { method } from '../define.js';
import { handle, int, oneOf, opt, params, raw, result, str } from '../params.js';
import { Type } from '../schema.js';
import { AgentVerdict, ForegroundProcess, SCREEN_SAMPLE } from './agent-shapes.js';
import { key, reported, reportedSurface } from './metadata-shapes.js';
import { AgentState, CTX_ERRORS, ids, inWorkspace, nullable, tabAlias } from './shapes.js';

const owner = { owner: 'workspace-service' } as const;
const internal = { ...owner, visibility: 'internal' } as const;
/** Reports are answered without a look whether their target exists (programa-api decision 6), so they fail only for form. */
const telemetry = { ...owner, effect: 'mutation', idempotent: true } as const;

const workspace_id = handle('workspace');
const surface_id = handle('surface');
export const QUESTION_KINDS = ['permission', 'question', 'trust', 'setup', 'auth', 'unknown'] as const;

/** What is reported of the agent in a terminal, and what the pty-host sees of it. */
export const agentState = {
  'surface.report_agent_state': method({
    ...telemetry,
    selfService: true,
    summary: 'Reports the state of the agent in a terminal, as its hooks and integrations do.',
    params: params({
      workspace_id,
      surface_id,
      ...tabAlias,
      state: oneOf(['working', 'blocked', 'idle'], 'What the agent does; blocked: it waits for a person.'),
      source: opt(oneOf(['hooks', 'inferred'], 'How the reporter knows. Default hooks; those always win.')),
      reporter: opt(str('Who reports; each reporter has sequence numbers of its own.', { maxLength: 128 })),
      seq: opt(int('Rises with every report of one reporter; an older report is dropped.', { minimum: 0 })),
      agent: opt(str('Id of the agent, e.g. `claude-code`, where the reporter knows it.', { maxLength: 64 })),
      message: opt(raw('With blocked: what is asked. Untrusted text.', { maxLength: 4096 })),
      question: opt(oneOf([...QUESTION_KINDS], 'With blocked: what kind of question it is.')),
    }),
    result: result({
      ...reportedSurface,
      state: AgentState,
      source: Type.Enum(['hooks', 'inferred']),
      accepted: Type.Boolean({ description: 'false: older than what is known, or outranked.' }),
    }),
  }),
  'surface.clear_agent_state': method({
    ...telemetry,
    selfService: true,
    summary:
      'Takes back what was reported of the agent in a terminal: its state is unknown until something is said anew.',
    params: params({ workspace_id, surface_id, ...tabAlias }),
    result: result(reportedSurface),
  }),
  'workspace.set_agent_pid': method({
    ...telemetry,
    summary: 'Registers the process of an agent that runs in a workspace. At most 128; the oldest goes first.',
    params: params({ workspace_id, key, pid: int('Its process id.', { minimum: 1 }) }),
    result: result({ ...reported, key: Type.String(), pid: Type.Integer() }),
  }),
  'workspace.clear_agent_pid': method({
    ...telemetry,
    summary: 'Takes back workspace.set_agent_pid.',
    params: params({ workspace_id, key }),
    result: result({ ...reported, key: Type.String() }),
  }),
  'surface.observe': method({
    ...internal,
    fromHosts: true,
    effect: 'mutation',
    idempotent: true,
    summary: 'What a pty-host and a detector saw of the agent in a terminal. Looks may arrive in any order.',
    params: params({
      surface_id: Type.String({ description: 'Canonical surface id.' }),
      at: Type.Number({ description: 'When the screen was looked at, Unix milliseconds.' }),
      rev: Type.Integer({ minimum: 0, description: 'Revision of the screen that was looked at.' }),
      foreground: nullable(ForegroundProcess, 'null: not known.'),
      verdict: nullable(Type.Object(AgentVerdict), 'null: no detector answered; only the rest is news.'),
      program: nullable(
        Type.Object({
          state: Type.Enum(['idle', 'working', 'done', 'blocked', 'error']),
          kind: nullable(Type.Enum(['permission', 'question', 'auth'])),
          msg: nullable(Type.String()),
          at: Type.Number({ description: 'When it was last said, Unix milliseconds.' }),
        }),
        'Root record of the program’s own status reports (OSC 7501); null: it says nothing.',
      ),
    }),
    result: result({ accepted: Type.Boolean({ description: 'false: older than what is known, or no such surface.' }) }),
  }),
  'surface.sample': method({
    ...internal,
    fromHosts: 'detectors',
    effect: 'query',
    summary: 'The screen of a surface as a detector would be given it now.',
    params: params({
      window_id: opt(handle('window')),
      workspace_id: opt(handle('workspace')),
      surface_id: opt(handle('surface')),
      ...tabAlias,
    }),
    result: result({ ...inWorkspace, ...ids('surface'), sample: Type.Object(SCREEN_SAMPLE) }),
    errors: CTX_ERRORS,
  }),
} as const;
