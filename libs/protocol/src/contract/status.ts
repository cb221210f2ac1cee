import { method } from '../define.js';
import { ctx, params, result } from '../params.js';
import { Type } from '../schema.js';
import { SCREEN_SAMPLE } from './agent-shapes.js';
import { CTX_ERRORS, ids, inWorkspace, nullable } from './shapes.js';

/** What programs say of themselves to their terminal, and what their terminal looks like to a detector. */
const surface_id = Type.String({ description: 'Canonical surface id.' });
const internal = { owner: 'pty-host', visibility: 'internal', effect: 'query', errors: ['not_found'] } as const;

export const StatusRecord = Type.Object({
  id: Type.String({ description: 'Segments joined by `/`; empty: the root record, of the program itself.' }),
  state: Type.Enum(['idle', 'working', 'done', 'blocked', 'error']),
  kind: nullable(Type.Enum(['permission', 'question', 'auth']), 'Why it is blocked, if it says so.'),
  progress: nullable(Type.Integer({ minimum: 0, maximum: 100 }), 'Percent.'),
  app: nullable(Type.String(), 'Name of the program; its own, or that of the nearest record above it that has one.'),
  title: nullable(Type.String(), 'Untrusted text.'),
  msg: nullable(Type.String(), 'One line. Untrusted text.'),
  at: Type.Number({ description: 'When it was last reported, Unix milliseconds.' }),
});

const Said = Type.Object({
  kind: Type.Enum(['progress', 'notification', 'prompt', 'cwd', 'clipboard', 'session']),
  text: Type.String({ description: 'What was said, in one line of text. Untrusted.' }),
  at: Type.Number({ description: 'Unix milliseconds.' }),
});

const said = {
  records: Type.Array(StatusRecord, {
    description: 'What programs reported with OSC 7501, the least recently updated first. No proof of who they are.',
  }),
  said: Type.Array(Said, {
    description:
      'The last of each other kind: OSC 9;4, 9, 99, 777, 133, 7, 52, and the status sequences 21337, 26, 9999.',
  }),
};

export const status = {
  'surface.status_records': method({
    owner: 'workspace-service',
    effect: 'query',
    tier: 'alpha',
    selfService: true,
    summary: 'What the programs in a terminal report of themselves.',
    params: params(ctx),
    result: result({ ...inWorkspace, ...ids('surface'), ...said }),
    errors: CTX_ERRORS,
  }),
  'terminal.status_records': method({
    ...internal,
    summary: 'What the programs in a terminal report of themselves.',
    params: params({ surface_id }),
    result: result(said),
  }),
  'terminal.sample': method({
    ...internal,
    summary: 'The screen as a detector would be given it now, with the program in the foreground.',
    params: params({ surface_id }),
    result: result(SCREEN_SAMPLE),
  }),
} as const;
