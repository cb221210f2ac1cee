import { method } from '../define.js';
import { bool, ctx, handle, NO_NUL, opt, params, result, str } from '../params.js';
import { Type } from '../schema.js';
import { nullable, nullableIds, PROGRAM_ERRORS } from './shapes.js';
import {
  RecoveryNote,
  registration,
  repo,
  SetupReport,
  shownIn,
  TrustState,
  WorktreeIdentity,
  whichWorktree,
} from './worktree-shapes.js';

const owner = { owner: 'git-service' } as const;
/** A checkout of a large repository takes minutes on a slow disk. */
const CHECKOUT_DEADLINE_MS = 300_000;
/** Copying what git does not keep can be a checkout's work. */
const SETUP_DEADLINE_MS = 120_000;

const Worktree = Type.Object({
  path: Type.String(),
  branch: nullable(Type.String(), 'null when detached.'),
  ...registration,
  is_open: Type.Boolean({ description: 'A workspace was opened on this directory.' }),
  ...nullableIds('workspace'),
});

const Changes = Type.Object(
  {
    staged: Type.Integer(),
    unstaged: Type.Integer(),
    untracked: Type.Integer({ description: 'Files and whole folders.' }),
    conflicted: Type.Integer(),
  },
  { description: 'Entries of `git status`.' },
);

const focus = opt(bool('Select the workspace and make its window the active one. Default false.'));
const REPO_ERRORS = ['not_a_git_repo', 'git_command_failed'] as const;
const FIND_ERRORS = ['not_a_git_repo', 'worktree_not_found', 'git_command_failed'] as const;

export const worktree = {
  'worktree.create': method({
    ...owner,
    effect: 'mutation',
    idempotent: true,
    focusIntent: true,
    deadlineMs: CHECKOUT_DEADLINE_MS,
    summary:
      'Makes a worktree for a branch and opens a workspace on it; a repeat for the same branch and path answers with the same workspace.',
    params: params({
      repo,
      branch: str('Checked out if it exists, else made from `base`.', NO_NUL),
      base: opt(str('Where a new branch begins. Default: HEAD of the folder named.', NO_NUL)),
      path: opt(str('Where it goes, absolute or from `~/`. Default: `worktrees.directory`/repository/branch.', NO_NUL)),
      layout: opt(str('Name of a layout for the workspace; its directories are taken from the worktree.')),
      title: opt(str('Title of the workspace. Default: the branch.')),
      window_id: ctx.window_id,
      setup: opt(bool('Do what `.switchyard/worktree.json` says, if that is trusted. Default true.')),
      focus,
    }),
    result: result({
      worktree: WorktreeIdentity,
      ...shownIn,
      created: Type.Boolean({ description: 'false: the worktree was there already.' }),
      setup: SetupReport,
      warnings: Type.Array(Type.String(), { description: 'What is less than was asked for, a sentence each.' }),
      recovered: RecoveryNote,
    }),
    errors: [
      'unavailable',
      'not_a_git_repo',
      'layout_not_found',
      'branch_checked_out',
      'worktree_path_exists',
      'git_command_failed',
      'worktree_operation_in_progress',
      ...PROGRAM_ERRORS,
    ],
    risks: ['Runs the hooks of the repository, as git itself does, and its setup if that is trusted.'],
  }),
  'worktree.open': method({
    ...owner,
    effect: 'mutation',
    idempotent: true,
    focusIntent: true,
    summary: 'The workspace of a worktree; one is opened when there is none.',
    params: params({
      repo,
      ...whichWorktree,
      title: opt(str('Title of a new workspace. Default: the branch.')),
      window_id: ctx.window_id,
      focus,
    }),
    result: result({
      worktree: WorktreeIdentity,
      ...shownIn,
      created: Type.Boolean({ description: 'The workspace is new.' }),
    }),
    errors: ['unavailable', ...FIND_ERRORS, 'worktree_operation_in_progress', ...PROGRAM_ERRORS],
  }),
  'worktree.list': method({
    ...owner,
    effect: 'query',
    summary: 'The worktrees of a repository, the main checkout first.',
    params: params({ repo }),
    result: result({ repo: Type.String({ description: 'Its top level.' }), worktrees: Type.Array(Worktree) }),
    errors: REPO_ERRORS,
  }),
  'worktree.status': method({
    ...owner,
    effect: 'query',
    summary: 'How a worktree stands: changes, upstream, what git is in the middle of, setup, workspace.',
    params: params({ repo, ...whichWorktree }),
    result: result({
      worktree: WorktreeIdentity,
      ...registration,
      upstream: nullable(Type.String(), 'Branch that it follows, such as origin/main.'),
      ahead: nullable(Type.Integer(), 'Commits that the upstream lacks; null without one.'),
      behind: nullable(Type.Integer()),
      changes: nullable(Changes, 'null when its folder is missing.'),
      in_progress: nullable(
        Type.Enum(['merge', 'rebase', 'am', 'cherry_pick', 'revert', 'bisect']),
        'What git is in the middle of.',
      ),
      setup: TrustState,
      is_open: Type.Boolean(),
      ...nullableIds('workspace'),
    }),
    errors: FIND_ERRORS,
  }),
  'worktree.attach': method({
    ...owner,
    effect: 'mutation',
    idempotent: true,
    summary:
      'Makes a workspace that is open the one of a worktree: from then on it counts as its workspace, and new terminals start there.',
    params: params({ repo, ...whichWorktree, workspace_id: handle('workspace') }),
    result: result({ worktree: WorktreeIdentity, ...shownIn }),
    errors: ['not_found', ...FIND_ERRORS, 'already_exists', 'worktree_operation_in_progress'],
    risks: ['Terminals of the workspace that run already stay in the folder they are in.'],
  }),
  'worktree.setup': method({
    ...owner,
    effect: 'mutation',
    deadlineMs: SETUP_DEADLINE_MS,
    summary:
      'Does in a worktree what `.switchyard/worktree.json` of its repository says: copies files that git does not keep, runs commands in a terminal.',
    params: params({ repo, ...whichWorktree }),
    result: result({ worktree: WorktreeIdentity, setup: SetupReport }),
    errors: [
      ...FIND_ERRORS,
      'setup_not_trusted',
      'invalid_state',
      'unavailable',
      'worktree_operation_in_progress',
      ...PROGRAM_ERRORS,
    ],
    risks: ['Runs commands that the repository names.'],
  }),
  'worktree.trust': method({
    ...owner,
    effect: 'mutation',
    idempotent: true,
    scope: 'admin',
    summary: 'Allows what `.switchyard/worktree.json` of a repository says now, and nothing else it may say later.',
    params: params({
      repo,
      trusted: opt(bool('false takes the permission back. Default true.')),
      dry_run: opt(bool('Only say what would be allowed.')),
    }),
    result: result({
      repo: Type.String({ description: 'Top level of the main checkout.' }),
      file: Type.String(),
      state: TrustState,
      detail: nullable(Type.String(), 'What is wrong with an invalid file.'),
      copy: Type.Array(Type.String(), { description: 'Patterns of the files that are copied.' }),
      run: Type.Array(Type.String(), { description: 'Commands that are run.' }),
    }),
    errors: REPO_ERRORS,
    risks: ['The commands run with the rights of the user.'],
  }),
} as const;
