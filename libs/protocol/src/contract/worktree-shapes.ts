import { NO_NUL, opt, str } from '../params.js';
import { Type } from '../schema.js';
import { ids, nullable } from './shapes.js';

/** Parts that the methods about worktrees share. */
export const repo = str('Any folder of the repository; `~` is the home folder.', NO_NUL);

/** Which worktree of the repository: exactly one of the two. */
export const whichWorktree = {
  path: opt(str('Its folder; `~` is the home folder.', NO_NUL)),
  branch: opt(str('The branch that it has checked out.', NO_NUL)),
};

export const WorktreeIdentity = Type.Object({
  path: Type.String({ description: 'Its folder, free of symbolic links.' }),
  branch: nullable(Type.String(), 'null when detached.'),
  repo: Type.String({ description: 'Top level of the repository that was named.' }),
});

/** Facts about a worktree that git keeps beside it. */
export const registration = {
  head: Type.String({ description: 'Commit id.' }),
  is_main: Type.Boolean({ description: 'The main checkout, which cannot be removed.' }),
  is_missing: Type.Boolean({
    description: 'It is registered, but its folder is not there: deleted, or on a disk that is away.',
  }),
  locked: nullable(Type.String(), 'Why it is locked against pruning; empty when no reason was given; null: it is not.'),
  prunable: nullable(Type.String(), 'Why `git worktree prune` would forget it; null: it would not.'),
};

/** What became of an earlier run of the same request that was cut off by a crash. Said once. */
export const RecoveryNote = nullable(
  Type.Object({
    outcome: Type.Enum(['completed', 'undone']),
    detail: Type.String({ description: 'One sentence for a person.' }),
    at: Type.Number({ description: 'Unix milliseconds.' }),
  }),
  'null: there was none.',
);

export const TrustState = Type.Enum(['none', 'untrusted', 'changed', 'trusted', 'invalid'], {
  description:
    'How `.switchyard/worktree.json` of the repository stands. none: there is none. changed: it was trusted, but said something else then.',
});

/** What was done of what the repository wants to be done in a new worktree. */
export const SetupReport = Type.Object({
  state: Type.Enum(['none', 'skipped', 'untrusted', 'changed', 'invalid', 'done'], {
    description:
      'none: there is no `.switchyard/worktree.json`. skipped: not asked for. untrusted, changed: worktree.trust first, or again. invalid: `detail` says why. done.',
  }),
  detail: nullable(Type.String(), 'One sentence for a person.'),
  copied: Type.Integer({ description: 'Files copied from the main checkout.' }),
  skipped: Type.Array(
    Type.Object({
      path: Type.String(),
      reason: Type.Enum(['exists', 'not_a_file', 'outside', 'too_large', 'too_many', 'unreadable']),
    }),
    { description: 'Files that match but were not copied; the first hundred.' },
  ),
  surface_id: nullable(Type.String(), 'The terminal that runs the commands.'),
  surface_ref: nullable(Type.String()),
});

/** The window and workspace that show a worktree. */
export const shownIn = ids('window', 'workspace');
