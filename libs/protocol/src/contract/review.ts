import { method } from '../define.js';
import { bool, ctx, handle, int, NO_NUL, oneOf, opt, params, raw, result, str } from '../params.js';
import { Type } from '../schema.js';
import { PromptReceipt } from './agent-control.js';
import { ChangedFile } from './diff-shapes.js';
import { AgentState, CTX_ERRORS, direction, ids, inWorkspace, nullable } from './shapes.js';

/** A comment is a remark on some lines; whatever is longer belongs into a prompt. */
const MAX_COMMENT_CHARS = 16_384;
const MAX_PREAMBLE_CHARS = 16_384;
const MAX_PATH_CHARS = 4096;
/** Files in one answer; what does not fit into its bytes comes on the next page all the same. */
const MAX_PAGE_FILES = 500;
/** To paste a message, enter it and see that it was taken. */
const SEND_DEADLINE_MS = 30_000;

const owner = { owner: 'git-service', tier: 'alpha' } as const;
const keptBy = { owner: 'workspace-service', visibility: 'internal', tier: 'alpha' } as const;
/** Which review is meant: the one named, else the focused surface if it is one, else any of the workspace. */
const panel = {
  ...ctx,
  surface_id: opt(
    handle('surface', 'The review. Default: the focused surface if it is one, else any review of the workspace.'),
  ),
};
/** What can go wrong when a worktree is looked at; a review of which nothing is known any more is made anew. */
const LOOK_ERRORS = ['git_command_failed', 'snapshot_changed', 'too_many_changes'] as const;
const count = Type.Integer({ minimum: 0 });
const lineNumber = Type.Integer({ minimum: 1 });
const counts = {
  file_count: Type.Integer({ minimum: 0, description: 'Files that have changed.' }),
  diffable_file_count: Type.Integer({ minimum: 0, description: 'Those of them whose lines are shown.' }),
};

export const REVIEW_MODES = ['uncommitted', 'branch'] as const;
const ReviewMode = Type.Enum([...REVIEW_MODES]);
const BaseBranch = Type.String({ description: 'What is compared with: `HEAD`, or the branch that was found.' });
const Generation = Type.Integer({ minimum: 1, description: 'Rises with every refresh of the review.' });

/** As workspace.git.diff has it. */
const ReviewFile = Type.Object({
  ...ChangedFile.properties,
  diffable: Type.Boolean({
    description: 'Its lines are shown: then it has hunks, unless only name or mode has changed.',
  }),
});

const Comment = Type.Object({
  id: Type.String(),
  file_path: Type.String(),
  start_line: lineNumber,
  end_line: lineNumber,
  text: Type.String(),
  created_at: Type.Integer({ description: 'Unix seconds.' }),
  is_stale: Type.Boolean({ description: 'Its lines or its file are gone; the place is where they were last.' }),
  is_changed: Type.Boolean({ description: 'Its lines are no longer as they were when it was written.' }),
  excerpt: Type.String({ description: 'Its lines as they were when it was written, cut short.' }),
});

/** Reviews of the changes of a worktree. A review is a surface beside the one whose work it is about. */
export const review = {
  'review.open': method({
    ...owner,
    effect: 'mutation',
    focusIntent: true,
    summary: 'Opens a review of the changes in the worktree that a surface is in, in a new pane beside it.',
    params: params({
      ...ctx,
      mode: opt(oneOf([...REVIEW_MODES], 'What has not been committed, or everything since the branch left its base.')),
      base_branch: opt(str('With `branch`: the base. Default origin/main; then main and master are tried.', NO_NUL)),
      direction: opt(direction),
      focus: opt(bool('Focus it. Default false.')),
    }),
    result: result({
      ...inWorkspace,
      ...ids('pane', 'surface', 'source_surface', 'source_pane'),
      mode: ReviewMode,
      base_branch: BaseBranch,
      ...counts,
      generation: Generation,
      restored_comment_count: Type.Integer({
        minimum: 0,
        description: 'Comments of a closed review of this worktree that were not sent yet: they are here again.',
      }),
    }),
    errors: [...CTX_ERRORS, ...LOOK_ERRORS, 'invalid_state'],
  }),
  'review.get': method({
    ...owner,
    effect: 'query',
    summary: 'The changes as the review shows them: files with their hunks, a page at a time.',
    params: params({
      ...panel,
      file_path: opt(raw('Only this file.', { maxLength: MAX_PATH_CHARS })),
      cursor: opt(str('`next_cursor` of the page before.')),
      limit: opt(int('Files on a page at most. Default 100.', { minimum: 1, maximum: MAX_PAGE_FILES })),
    }),
    result: result({
      ...inWorkspace,
      ...ids('surface', 'source_surface'),
      directory: Type.String({ description: 'Top of the worktree.' }),
      mode: ReviewMode,
      base_branch: BaseBranch,
      base_commit: nullable(Type.String(), 'null: nothing has been committed yet.'),
      ...counts,
      generation: Generation,
      generated_at: Type.Integer({ description: 'Unix seconds.' }),
      files: Type.Array(ReviewFile),
      next_cursor: nullable(Type.String(), 'null: this was the last page.'),
    }),
    errors: [...CTX_ERRORS, ...LOOK_ERRORS],
  }),
  'review.refresh': method({
    ...owner,
    effect: 'mutation',
    idempotent: true,
    summary:
      'Looks at the worktree again; the comments follow their lines. Done by itself when an agent stops working.',
    params: params(panel),
    result: result({
      ...ids('surface'),
      ...counts,
      generation: Generation,
      generated_at: Type.Integer({ description: 'Unix seconds.' }),
    }),
    errors: [...CTX_ERRORS, ...LOOK_ERRORS],
  }),
  'review.comment.add': method({
    ...owner,
    effect: 'mutation',
    summary: 'Adds a comment on lines of a file, counted as the review shows the new side.',
    params: params({
      ...panel,
      file_path: raw('From the top of the worktree.', { minLength: 1, maxLength: MAX_PATH_CHARS }),
      start_line: int('First line, from 1.', { minimum: 1 }),
      end_line: opt(int('Last line. Default: the first.', { minimum: 1 })),
      text: raw('The comment.', { maxLength: MAX_COMMENT_CHARS }),
    }),
    result: result({ comment_id: Type.String() }),
    errors: [...CTX_ERRORS, ...LOOK_ERRORS],
  }),
  'review.comment.remove': method({
    ...owner,
    effect: 'mutation',
    summary: 'Removes a comment.',
    params: params({ ...panel, comment_id: str('Its id.') }),
    result: result({ ok: Type.Literal(true) }),
    errors: [...CTX_ERRORS, ...LOOK_ERRORS],
  }),
  'review.comment.list': method({
    ...owner,
    effect: 'query',
    summary: 'The comments that were not sent yet, by file and line.',
    params: params(panel),
    result: result({ comments: Type.Array(Comment) }),
    errors: [...CTX_ERRORS, ...LOOK_ERRORS],
  }),
  'review.send_comments': method({
    ...owner,
    effect: 'mutation',
    summary: 'Sends the comments, as one prompt, to what runs in the reviewed surface, and removes them.',
    params: params({
      ...panel,
      preamble: opt(raw('In place of the first line.', { maxLength: MAX_PREAMBLE_CHARS })),
      force: opt(
        bool('Also while a dialog is open, and again where an earlier sending may have arrived. Default false.'),
      ),
    }),
    result: result({
      sent_count: count,
      ...ids('target_surface', 'window'),
      receipt: nullable(PromptReceipt, 'What became of the message; null: there was nothing to send.'),
    }),
    errors: [
      ...CTX_ERRORS,
      ...LOOK_ERRORS,
      'agent_not_ready',
      'agent_not_running',
      'terminal_exited',
      'input_overflow',
    ],
    deadlineMs: SEND_DEADLINE_MS,
    risks: ['An agent acts on the comments. Where none runs, a shell runs what is typed and entered.'],
  }),
  'review.close': method({
    owner: 'workspace-service',
    tier: 'alpha',
    effect: 'mutation',
    summary:
      'Closes a review. Comments that were not sent come back with surface.reopen, or with the next review of the worktree.',
    params: params(panel),
    result: result({ ...inWorkspace, ...ids('surface') }),
    errors: [...CTX_ERRORS, 'invalid_state'],
  }),
  'review.panel_source': method({
    ...keptBy,
    effect: 'query',
    summary: 'The surface that a review would be about, and its directory.',
    params: params(ctx),
    result: result({ ...inWorkspace, ...ids('surface', 'pane'), directory: Type.String() }),
    errors: CTX_ERRORS,
  }),
  'review.panel_open': method({
    ...keptBy,
    effect: 'mutation',
    idempotent: true,
    summary: 'Makes the surface of a review, unless it is there.',
    params: params({
      surface_id: Type.String({ description: 'Id of the new surface.' }),
      source_surface_id: Type.String(),
      directory: Type.String({ description: 'Top of the worktree.' }),
      mode: ReviewMode,
      base_branch: nullable(Type.String(), 'As asked for; null: the usual one.'),
      direction: Type.Enum(['left', 'right', 'up', 'down']),
      focus: Type.Boolean(),
    }),
    result: result({ ...inWorkspace, ...ids('pane', 'surface', 'source_surface', 'source_pane') }),
    errors: [...CTX_ERRORS, 'invalid_state'],
  }),
  'review.panel_find': method({
    ...keptBy,
    effect: 'query',
    summary: 'The review that is meant.',
    params: params(panel),
    result: result({
      ...inWorkspace,
      ...ids('surface', 'source_surface'),
      directory: Type.String(),
      mode: ReviewMode,
      base_branch: nullable(Type.String()),
    }),
    errors: CTX_ERRORS,
  }),
  'review.panel_list': method({
    ...keptBy,
    effect: 'query',
    summary: 'All reviews, with the state of what is reviewed.',
    params: params({}),
    result: result({
      reviews: Type.Array(
        Type.Object({
          surface_id: Type.String(),
          source_surface_id: Type.String(),
          state: nullable(AgentState, 'Of the agent in the source surface; null: not known.'),
          since: nullable(Type.Number(), 'Since when, Unix milliseconds; null together with `state`.'),
        }),
      ),
    }),
  }),
} as const;
