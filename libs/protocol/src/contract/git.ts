import { method } from '../define.js';
import { bool, ctx, int, NO_NUL, oneOf, opt, params, raw, result, str, strings } from '../params.js';
import { Type } from '../schema.js';
import { CHANGE_STATUSES, ChangedFile } from './diff-shapes.js';
import { CTX_ERRORS, nullable } from './shapes.js';

/** Files on one page at most. */
const MAX_PAGE_FILES = 500;
/** Lines around a change; with more the whole file is meant, which is what the file itself is for. */
const MAX_CONTEXT_LINES = 100;
const MAX_CURSOR_CHARS = 256;

const owner = { owner: 'git-service', effect: 'query', tier: 'alpha' } as const;
const where = {
  ...ctx,
  directory: opt(
    raw('Any folder of the worktree, absolute or from `~`. Default: that of the surface, or of the workspace.', {
      minLength: 1,
      ...NO_NUL,
    }),
  ),
};
const count = Type.Integer({ minimum: 0 });
const snapshot = nullable(
  Type.String(),
  'Changes with HEAD, with the index and with every file that is listed. Opaque. null: no worktree.',
);
const head = nullable(Type.String(), 'Commit id; null on a branch that has no commit yet.');

const FileState = nullable(Type.Enum(CHANGE_STATUSES.filter((status) => status !== 'unmerged')));
const StatusFile = Type.Object({
  path: Type.String({ description: 'From the top of the worktree. Bytes that are not UTF-8 are U+FFFD.' }),
  path_bytes: Type.Optional(Type.String({ description: 'The exact name, base64; only where it is not UTF-8.' })),
  old_path: nullable(Type.String(), 'Where it was before it was renamed.'),
  old_path_bytes: Type.Optional(Type.String()),
  staged: FileState,
  unstaged: FileState,
  untracked: Type.Boolean({ description: 'git does not know it yet.' }),
  conflict: nullable(
    Type.Enum([
      'both_deleted',
      'added_by_us',
      'deleted_by_them',
      'added_by_them',
      'deleted_by_us',
      'both_added',
      'both_modified',
    ]),
    'What a merge could not decide.',
  ),
  submodule: nullable(
    Type.Object({ commit_changed: Type.Boolean(), modified: Type.Boolean(), untracked: Type.Boolean() }),
    'null: it is none.',
  ),
});

/** What git says of a worktree. The worktrees themselves: worktree.ts. */
export const git = {
  'workspace.git.status': method({
    ...owner,
    summary: 'The state of the worktree that a workspace is in: branch, upstream, and up to 1000 files that differ.',
    params: params({ ...where, untracked: opt(bool('Look for files that git does not know. Default true.')) }),
    result: result({
      is_repository: Type.Boolean({ description: 'false: the folder is in none, and all else is empty.' }),
      root: nullable(Type.String(), 'Top of the worktree; of a bare repository its folder.'),
      bare: Type.Boolean({ description: 'There are no files.' }),
      branch: nullable(Type.String(), 'null on a detached HEAD.'),
      detached: Type.Boolean(),
      head,
      upstream: nullable(Type.String(), 'e.g. `origin/main`.'),
      ahead: nullable(count, 'Commits that the upstream lacks; null: there is none.'),
      behind: nullable(count, 'Commits of the upstream that are missing here.'),
      counts: Type.Object({ staged: count, unstaged: count, untracked: count, conflicted: count }),
      files: Type.Array(StatusFile),
      hidden: Type.Integer({ minimum: 0, description: 'Files that differ beyond those listed.' }),
      snapshot,
    }),
    errors: [...CTX_ERRORS, 'not_supported', 'git_command_failed'],
  }),
  'workspace.git.diff': method({
    ...owner,
    summary: 'What has changed in the worktree that a workspace is in: files with their hunks, a page at a time.',
    params: params({
      ...where,
      mode: opt(
        oneOf(
          ['uncommitted', 'staged', 'unstaged', 'branch'],
          'What is compared: HEAD with the files (the default), HEAD with the index, the index with the files, or the commit where the branch left its base with the files.',
          { base: 'branch' },
        ),
      ),
      base_branch: opt(
        str('With `branch`: its base, a branch or commit. Default: the first of origin/main, main and master.', NO_NUL),
      ),
      untracked: opt(bool('Files that git does not know count as added. Never with `staged`. Default true.')),
      paths: opt(strings('Only these files and folders, from the top of the worktree, taken literally.')),
      context_lines: opt(
        int('Unchanged lines around each change. Default 3.', { minimum: 0, maximum: MAX_CONTEXT_LINES }),
      ),
      limit: opt(int('Files on a page at most. Default 200.', { minimum: 1, maximum: MAX_PAGE_FILES })),
      cursor: opt(str('`next_cursor` of the page before.', { maxLength: MAX_CURSOR_CHARS })),
    }),
    result: result({
      root: Type.String({ description: 'Top of the worktree.' }),
      mode: Type.Enum(['uncommitted', 'staged', 'unstaged', 'branch']),
      base_branch: nullable(Type.String(), 'With `branch`: the base that was found; else null.'),
      base_commit: nullable(Type.String(), 'With `branch`: the commit where the branch left it; else null.'),
      head,
      snapshot: Type.String({
        description: 'The same question has the same one until something it is about changes. Opaque.',
      }),
      files: Type.Array(ChangedFile, { description: 'By path, untracked ones last; about 2 MiB a page.' }),
      untracked_omitted: Type.Integer({ minimum: 0, description: 'Untracked files beyond the first 200.' }),
      next_cursor: nullable(Type.String(), 'null: this was the last page.'),
    }),
    errors: [
      ...CTX_ERRORS,
      'not_a_git_repo',
      'not_supported',
      'snapshot_changed',
      'too_many_changes',
      'git_command_failed',
    ],
    risks: [
      'Contents of files whose names say that they hold secrets are withheld; others are shown whatever they hold.',
    ],
  }),
} as const;
