import { method } from '../define.js';
import { bool, ctx, handle, int, ints, oneOf, opt, params, result, str } from '../params.js';
import { Type } from '../schema.js';
import {
  aboutSurface,
  directory,
  Port,
  PR_CHECKS,
  PR_STATES,
  reported,
  reportedSurface,
  SHELL_STATES,
  text,
  url,
} from './metadata-shapes.js';
import { CTX_ERRORS, ids, inWorkspace, nullable, tabAlias } from './shapes.js';

const owner = { owner: 'workspace-service' } as const;
/** Reports fail only for their form (programa-api decision 6). */
const report = { ...owner, effect: 'mutation', idempotent: true, selfService: true } as const;
/** More ports in one terminal are no help to anybody. */
const MAX_PORTS = 128;
const MAX_PR_LABEL = 16;

/** What shells and tools tell of the terminal they run in (programa-api §5.5), and what it is found to do. */
export const telemetry = {
  'surface.report_tty': method({
    ...report,
    summary: 'Reports the terminal device that a program sees, as system.tree then shows it.',
    params: params({ ...aboutSurface, tty_name: text('E.g. `ttys003` or `/dev/pts/4`.', 'tty') }),
    result: result({ ...reportedSurface, tty_name: Type.String() }),
  }),
  'surface.report_pwd': method({
    ...report,
    summary: 'Reports the directory that a shell is in; a program that says so itself (OSC 7) needs no report.',
    params: params({ ...aboutSurface, path: directory }),
    result: result({ ...reportedSurface, path: Type.String() }),
  }),
  'surface.report_shell_state': method({
    ...report,
    summary: 'Reports whether a shell waits at its prompt or runs a command.',
    params: params({
      ...aboutSurface,
      state: oneOf([...SHELL_STATES], 'unknown takes back what was said.', {
        idle: 'prompt',
        busy: 'running',
        command: 'running',
        clear: 'unknown',
      }),
    }),
    result: result({
      ...reportedSurface,
      state: Type.Enum([...SHELL_STATES]),
      deduped: Type.Boolean({ description: 'It was known already.' }),
    }),
  }),
  'surface.report_git_branch': method({
    ...report,
    summary: 'Reports the git branch of a terminal; it wins over what is seen on disk, until it is cleared.',
    params: params({
      ...aboutSurface,
      branch: text('Name of the branch.', 'branch'),
      dirty: opt(bool('Something is not committed. Default false.')),
    }),
    result: result({ ...reportedSurface, branch: Type.String(), dirty: Type.Boolean() }),
  }),
  'surface.clear_git_branch': method({
    ...report,
    summary: 'Takes back surface.report_git_branch.',
    params: params(aboutSurface),
    result: result(reportedSurface),
  }),
  'surface.report_pr': method({
    ...report,
    summary: 'Reports the pull request that a terminal works on; it wins over what is found, until it is cleared.',
    params: params({
      ...aboutSurface,
      number: int('Its number.', { minimum: 1 }),
      url: url('Where it is; http or https.'),
      label: opt(str('What stands before the number. Default `PR`.', { maxLength: MAX_PR_LABEL })),
      state: opt(oneOf([...PR_STATES], 'Default open.')),
      branch: opt(text('The branch it wants to have merged.', 'branch')),
      checks: opt(oneOf([...PR_CHECKS], 'How its checks stand.')),
    }),
    result: result({
      ...reportedSurface,
      number: Type.Integer(),
      label: Type.String(),
      url: Type.String(),
      state: Type.Enum([...PR_STATES]),
      branch: nullable(Type.String()),
      checks: nullable(Type.Enum([...PR_CHECKS])),
    }),
  }),
  'surface.clear_pr': method({
    ...report,
    summary: 'Takes back surface.report_pr.',
    params: params(aboutSurface),
    result: result(reportedSurface),
  }),
  'surface.report_ports': method({
    ...report,
    summary: 'Reports ports on which something listens for a terminal, besides those that are found by themselves.',
    params: params({
      ...aboutSurface,
      ports: ints('All of them: they take the place of those reported before.', Port, { maxItems: MAX_PORTS }),
    }),
    result: result({ ...reportedSurface, ports: Type.Array(Type.Integer(), { description: 'Sorted, each once.' }) }),
  }),
  'surface.clear_ports': method({
    ...report,
    summary: 'Takes back the reported ports of a terminal, or of all terminals of a workspace.',
    params: params({
      workspace_id: handle('workspace'),
      surface_id: opt(handle('surface', 'Default: all of the workspace.')),
      ...tabAlias,
    }),
    result: result({ ...reported, surface_id: nullable(Type.String()), surface_ref: nullable(Type.String()) }),
  }),
  'surface.ports_kick': method({
    ...report,
    summary: 'Has the ports of a terminal looked at soon. Not needed for one that prints something.',
    params: params({
      ...aboutSurface,
      reason: opt(
        oneOf(['command', 'refresh'], 'Default command.', {
          running: 'command',
          foreground: 'command',
          start: 'command',
          prompt: 'refresh',
          idle: 'refresh',
        }),
      ),
    }),
    result: result({ ...reportedSurface, reason: Type.Enum(['command', 'refresh']) }),
  }),
  'surface.ports': method({
    ...owner,
    effect: 'query',
    selfService: true,
    summary: 'The ports on which the processes of a terminal listen, looked at now, and those that were reported.',
    params: params(ctx),
    result: result({
      ...inWorkspace,
      ...ids('surface'),
      ports: Type.Array(
        Type.Object({
          port: Type.Integer(),
          source: Type.Enum(['found', 'reported']),
          addresses: Type.Array(Type.String(), { description: 'Where it listens; empty: only reported.' }),
          pid: nullable(Type.Integer(), 'null: only reported.'),
          process: nullable(Type.String(), 'Short name of the process; null: only reported.'),
        }),
        { description: 'Sorted, each once.' },
      ),
    }),
    errors: [...CTX_ERRORS, 'terminal_exited'],
  }),
} as const;
