import { method } from '../define.js';
import { bool, ctx, NO_NUL, opt, params, result, str, strings } from '../params.js';
import { Type } from '../schema.js';
import { nullable, nullableIds } from './shapes.js';
import { RecoveryNote, repo, whichWorktree } from './worktree-shapes.js';

const owner = { owner: 'git-service' } as const;
/** What is saved first may be gigabytes. */
const REMOVAL_DEADLINE_MS = 300_000;
const FIND_ERRORS = ['not_a_git_repo', 'worktree_not_found', 'git_command_failed'] as const;

export const INVENTORY_KINDS = [
  'agent',
  'conflicted',
  'hidden_change',
  'ignored',
  'missing_folder',
  'modified',
  'nested_repository',
  'nested_worktree',
  'operation',
  'past_commits',
  'rebuildable',
  'staged',
  'stash',
  'submodule',
  'unpushed',
  'unreferenced_commits',
  'untracked',
] as const;

/** Also what `data.inventory` of `worktree_dirty` holds. */
export const InventoryItem = Type.Object({
  kind: Type.Enum([...INVENTORY_KINDS]),
  blocks: Type.Enum(['no', 'without_force', 'always'], { description: 'Whether removal refuses because of it.' }),
  saved_in: Type.Enum(['recovery_ref', 'archive', 'stays', 'nowhere'], {
    description: 'Where a removal with force leaves it. nowhere: it is not kept, or there is nothing to keep.',
  }),
  count: Type.Integer({ minimum: 0 }),
  bytes: nullable(Type.Integer({ minimum: 0 }), 'Size on disk, where that means something.'),
  text: Type.String({ description: 'One sentence for a person.' }),
  entries: Type.Array(Type.String(), { description: 'The first 500 of them by name.' }),
});

const saved = {
  id: Type.String({ description: 'What worktree.recover takes.' }),
  created_at: Type.Number({ description: 'Unix milliseconds.' }),
  ref: nullable(Type.String(), 'Reference that holds commits, trees and blobs; null: there were none to hold.'),
  archive: Type.String({ description: 'A tar archive: `files/` from the worktree, `git-dir/` from git.' }),
  files: Type.Integer({ minimum: 0, description: 'In the archive.' }),
  bytes: Type.Integer({ minimum: 0, description: 'Of the archive.' }),
  left_out: nullable(Type.String(), 'What is neither here nor there any more; null: nothing.'),
};

const Recovery = Type.Object({
  ...saved,
  path: Type.String({ description: 'Where the worktree was.' }),
  branch: nullable(Type.String()),
  head: nullable(Type.String(), 'Commit id.'),
  reason: Type.Enum(['remove', 'prune']),
  items: Type.Array(Type.Object({ kind: Type.Enum([...INVENTORY_KINDS]), count: Type.Integer() })),
});

const Finding = Type.Object({
  name: nullable(Type.String(), 'Of the registration; null: only a folder was found.'),
  path: nullable(Type.String()),
  branch: nullable(Type.String()),
  states: Type.Array(Type.Enum(['missing', 'locked', 'stale', 'orphaned']), {
    description:
      'missing: its folder is not there. locked: not to be pruned. stale: something else is in its place, or it names none. orphaned: a folder whose registration is gone.',
  }),
  lock_reason: nullable(Type.String()),
  found_at: nullable(Type.String(), 'Where its folder was moved to.'),
  detail: Type.String({ description: 'One sentence for a person.' }),
  repairs: Type.Array(Type.Enum(['unlock', 'prune', 'relink']), {
    description: 'What can be asked for, in this order.',
  }),
  done: Type.Array(Type.Enum(['unlock', 'prune', 'relink']), { description: 'What was done now.' }),
  recovery_id: nullable(Type.String(), 'Under which what a pruned registration held is kept.'),
});

export const worktreeRemoval = {
  'worktree.remove': method({
    ...owner,
    effect: 'mutation',
    deadlineMs: REMOVAL_DEADLINE_MS,
    summary:
      'Removes a worktree and closes its workspace. Refuses when it holds what is nowhere else; with `force` that is saved first. The branch stays.',
    params: params({
      repo,
      ...whichWorktree,
      force: opt(bool('Save what would be lost, then remove. Default false: refuse.')),
      dry_run: opt(bool('Only say what it holds and what would become of it.')),
      window_id: ctx.window_id,
    }),
    result: result({
      removed: Type.Boolean({ description: 'false with `dry_run`.' }),
      path: Type.String(),
      branch: nullable(Type.String()),
      inventory: Type.Array(InventoryItem, { description: 'What it held, also what does not speak against removal.' }),
      recovery: nullable(Type.Object(saved), 'null: nothing had to be saved.'),
      closed_workspace_id: Type.Optional(Type.String()),
      closed_workspace_ref: Type.Optional(Type.String()),
      kept_workspace: nullable(
        Type.Object({ ...nullableIds('workspace'), reason: Type.String() }),
        'A workspace that could not be closed: pinned, or the only one of its window.',
      ),
      left_behind: nullable(Type.String(), 'The folder, when some file in it could not be deleted.'),
      recovered: RecoveryNote,
    }),
    errors: [
      'unavailable',
      ...FIND_ERRORS,
      'invalid_state',
      'worktree_locked',
      'worktree_dirty',
      'worktree_changing',
      'archive_impossible',
      'worktree_operation_in_progress',
    ],
    risks: [
      'With `force` every program in the workspace of the worktree ends, agents included.',
      'Ignored files that tools make again (`node_modules` and the like) are archived only up to 64 MiB, and only with `force`.',
    ],
  }),
  'worktree.recover': method({
    ...owner,
    effect: 'mutation',
    deadlineMs: REMOVAL_DEADLINE_MS,
    summary:
      'What was saved of removed worktrees of a repository; with `id` one of them is made again: HEAD, index, files, what was in progress.',
    params: params({
      repo,
      id: opt(str('Which to make again. Default: only list.')),
      path: opt(str('Where, absolute or from `~/`. Default: where it was.', NO_NUL)),
      drop: opt(bool('Delete what was saved under `id`, for good.')),
    }),
    result: result({
      recoveries: Type.Array(Recovery, { description: 'Newest first.' }),
      restored: nullable(
        Type.Object({
          path: Type.String(),
          branch: nullable(Type.String(), 'null: detached, as it was, or because the branch is elsewhere by now.'),
          head: nullable(Type.String()),
          files: Type.Integer({ description: 'Taken from the archive.' }),
        }),
        'null: only listed or dropped.',
      ),
      dropped: Type.Boolean(),
      recovered: RecoveryNote,
    }),
    errors: [
      'not_a_git_repo',
      'not_found',
      'worktree_path_exists',
      'git_command_failed',
      'worktree_operation_in_progress',
    ],
    risks: ['`drop` deletes the only copy of what it held.'],
  }),
  'worktree.doctor': method({
    ...owner,
    effect: 'mutation',
    idempotent: true,
    deadlineMs: REMOVAL_DEADLINE_MS,
    summary: 'Names registrations of worktrees that are missing, locked, stale or orphaned. Repairs what is asked for.',
    params: params({
      repo,
      path: opt(str('Only the worktree registered or found there.', NO_NUL)),
      repair: opt(strings('Any of `unlock`, `prune`, `relink`. Default: only look.')),
    }),
    result: result({ repo: Type.String(), findings: Type.Array(Finding, { description: 'What is not well.' }) }),
    errors: [
      'not_a_git_repo',
      'git_command_failed',
      'archive_impossible',
      'worktree_changing',
      'worktree_operation_in_progress',
    ],
    risks: ['`prune` forgets a registration; what it held is kept for worktree.recover.'],
  }),
} as const;
