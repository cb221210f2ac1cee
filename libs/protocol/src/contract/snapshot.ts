import { method } from '../define.js';
import { oneOf, opt, params, result, str } from '../params.js';
import { Type } from '../schema.js';
import { ids, nullable } from './shapes.js';

const owner = { owner: 'workspace-service', tier: 'alpha' } as const;

const Snapshot = Type.Object({
  id: Type.String(),
  saved_at: Type.String({ description: 'ISO 8601.' }),
  created_at: Type.Number({ description: 'Unix seconds.' }),
  reason: Type.Enum(['manual', 'auto', 'start', 'stop', 'before_restore'], { description: 'Why it was taken.' }),
  clean_shutdown: nullable(
    Type.Boolean(),
    'Whether the service had stopped in order when it was taken; null: it was taken while it ran.',
  ),
  window_count: Type.Integer(),
  workspace_count: Type.Integer(),
  panel_count: Type.Integer(),
});

const LastRestore = Type.Object({
  kind: Type.Enum(['start', 'recovery', 'restore', 'rollback'], {
    description:
      '`start`: of this service, with what the database held. `recovery`: the database was lost, a snapshot took its place.',
  }),
  source: nullable(Type.String(), 'The snapshot that was restored; null: none, the database was there.'),
  before: nullable(Type.String(), 'The snapshot of what was there before; it is kept until the restore is confirmed.'),
  started_at: Type.Number({ description: 'Unix milliseconds.' }),
  attempts: Type.Integer({ description: 'How many starts it took: more than one if it was cut off.' }),
  confirmed_at: nullable(Type.Number(), 'When all terminals were known to run or not to; null: not yet.'),
  running: Type.Integer({ description: 'Terminals that run.' }),
  problem_count: Type.Integer(),
  problems: Type.Array(
    Type.Object({
      surface_id: Type.String(),
      title: Type.String(),
      outcome: Type.Enum(['ended', 'failed'], {
        description: '`ended`: its program is not started by itself. `failed`: its shell could not be started.',
      }),
      reason: Type.String(),
    }),
  ),
});

const Restored = Type.Object({
  id: Type.String({ description: 'The snapshot that was restored.' }),
  before: nullable(Type.String(), 'The snapshot that was taken first: a rollback to it undoes this.'),
  restored: Type.Object({ windows: Type.Integer(), workspaces: Type.Integer(), panels: Type.Integer() }),
  surfaces: Type.Array(
    Type.Object({
      ...ids('surface'),
      was: Type.String({ description: 'Its id in the snapshot.' }),
      outcome: Type.Enum(['running', 'started', 'ended', 'failed'], {
        description:
          '`running`: it had not ended. `started`: a new shell. `ended`: a program or agent, which surface.respawn or agent.resume starts again. `failed`: its shell could not be started.',
      }),
      error: nullable(Type.Object({ code: Type.String(), message: Type.String() }), 'With `failed`.'),
    }),
  ),
  kept: Type.Array(Type.Object(ids('surface')), {
    description: 'Surfaces that the snapshot does not know: they run on, in a workspace of their own.',
  }),
});

const restore = {
  ...owner,
  effect: 'mutation',
  result: Restored,
  errors: ['not_found', 'version_mismatch'],
  risks: ['Starts a shell for every terminal that was saved and does not run.'],
  /** A few hundred shells, a few milliseconds each, on a machine that is busy. */
  deadlineMs: 60_000,
} as const;

export const snapshot = {
  'snapshot.list': method({
    ...owner,
    effect: 'query',
    summary: 'Saved pictures of all windows, newest first, and what became of the last restore.',
    params: params({}),
    result: result({ snapshots: Type.Array(Snapshot), last_restore: nullable(LastRestore) }),
  }),
  'snapshot.save': method({
    ...owner,
    effect: 'mutation',
    summary: 'Saves all windows: the tree, titles, directories, programs, conversations of agents, and text.',
    params: params({}),
    result: Snapshot,
    deadlineMs: 30_000,
  }),
  'snapshot.restore': method({
    ...restore,
    summary: 'Adds the windows of a saved picture, with new ids, to those that are open.',
    params: params({ id: opt(str('Which one; absent or `latest`: the newest.')) }),
  }),
  'snapshot.rollback': method({
    ...restore,
    summary:
      'Makes the tree what it was: what still runs goes back to its place, what is gone comes back, what is newer is kept apart.',
    params: params({ id: opt(str('Which one; absent: the newest that differs from what is there now.')) }),
  }),
  'snapshot.resume': method({
    ...owner,
    effect: 'mutation',
    idempotent: true,
    summary: 'Starts again what ended with the yard and was not started by itself, each in its own surface.',
    params: params({
      what: opt(
        oneOf(
          ['shells', 'commands', 'agents'],
          'Each with those before it: shells; programs, and commands of layouts; agents, with their conversation. Default: all.',
        ),
      ),
    }),
    result: result({
      started: Type.Array(Type.Object(ids('surface')), { description: 'They are being started.' }),
      left: Type.Array(Type.Object(ids('surface')), {
        description: 'Not asked for, or an agent of which no conversation is known, or one that goes on elsewhere.',
      }),
    }),
    risks: ['Programs run a second time from their beginning.'],
  }),
} as const;
