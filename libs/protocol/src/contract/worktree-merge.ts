import { method } from '../define.js';
import { bool, oneOf, opt, params, raw, result, str } from '../params.js';
import { Type } from '../schema.js';
import { nullable } from './shapes.js';
import { RecoveryNote, repo, whichWorktree } from './worktree-shapes.js';

/** Reading two large trees, and a checkout. */
const MERGE_DEADLINE_MS = 300_000;

export const worktreeMerge = {
  'worktree.merge': method({
    owner: 'git-service',
    effect: 'mutation',
    idempotent: true,
    deadlineMs: MERGE_DEADLINE_MS,
    summary:
      'Brings the commits of a worktree into a base branch. With conflicts nothing at all is changed; a base that is checked out is brought along if it has no changes.',
    params: params({
      repo,
      ...whichWorktree,
      base: opt(str('Local branch to merge into. Default: the one of the main checkout.')),
      mode: opt(
        oneOf(
          ['ff', 'merge', 'squash'],
          'ff: only move the base forward. merge: a merge commit. squash: one commit with all changes. Default ff.',
        ),
      ),
      message: opt(raw('Of the commit that merge or squash makes.')),
      committed_only: opt(bool('Also when the worktree has changes that are not committed: they are left out.')),
    }),
    result: result({
      merged: Type.Boolean({ description: 'false: the base had everything already.' }),
      outcome: Type.Enum(['fast_forward', 'merged', 'squashed', 'up_to_date']),
      source: Type.String({ description: 'Branch, or commit id of a detached HEAD.' }),
      base: Type.String(),
      before: Type.String({ description: 'Commit of the base before.' }),
      after: Type.String({ description: 'Commit of the base now.' }),
      checked_out_at: nullable(Type.String(), 'The checkout of the base that was brought along.'),
      recovered: RecoveryNote,
    }),
    errors: [
      'not_a_git_repo',
      'worktree_not_found',
      'not_found',
      'invalid_state',
      'worktree_dirty',
      'base_dirty',
      'not_fast_forward',
      'merge_conflict',
      'git_command_failed',
      'worktree_operation_in_progress',
    ],
    risks: ['The post-merge hook runs where the base is checked out; no other hook of a merge does.'],
  }),
} as const;
