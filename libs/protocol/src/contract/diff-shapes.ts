import { Type } from '../schema.js';
import { nullable } from './shapes.js';

/** What a diff is made of, for all methods that show one. */
const count = Type.Integer({ minimum: 0 });
const mode = nullable(
  Type.String(),
  'As git writes it: 100644, 100755, 120000 (symbolic link), 160000 (submodule); null: there is no file on this side.',
);

export const CHANGE_STATUSES = [
  'added',
  'modified',
  'deleted',
  'renamed',
  'copied',
  'type_changed',
  'unmerged',
] as const;

const DiffLine = Type.Object({
  kind: Type.Enum(['context', 'added', 'removed']),
  text: Type.String({
    description: 'Without its line end; a carriage return belongs to the text. Bytes that are not UTF-8 are U+FFFD.',
  }),
  no_newline: Type.Optional(Type.Literal(true, { description: 'The file ends here, without a line end.' })),
});

export const DiffHunk = Type.Object({
  old_start: count,
  old_lines: count,
  new_start: count,
  new_lines: count,
  heading: Type.String({ description: 'What git shows beside the line numbers, such as a function; may be empty.' }),
  lines: Type.Array(DiffLine),
});

const exactName = Type.Optional(
  Type.String({ description: 'The exact name, base64; only where it is not UTF-8, and the text has U+FFFD.' }),
);

export const ChangedFile = Type.Object({
  path: Type.String({ description: 'From the top of the worktree; of a deleted file where it was.' }),
  path_bytes: exactName,
  old_path: nullable(Type.String(), 'Where it was before it was renamed or copied.'),
  old_path_bytes: exactName,
  status: Type.Enum([...CHANGE_STATUSES]),
  kind: Type.Enum(['text', 'binary', 'too_large', 'withheld', 'symlink', 'submodule', 'typechange'], {
    description:
      'Only `text` has hunks. `too_large`: over 1 MiB. `withheld`: the name says that it holds secrets, now or before it was renamed, or it cannot be read. `typechange`: a file became a link, a link a submodule, …',
  }),
  untracked: Type.Boolean({ description: 'git does not know it yet.' }),
  old_mode: mode,
  new_mode: mode,
  similarity: nullable(Type.Integer({ minimum: 0, maximum: 100 }), 'Percentage, of a renamed or copied file.'),
  additions: nullable(count, 'Lines; null: they are not shown.'),
  deletions: nullable(count, 'Lines; null: they are not shown.'),
  hunks: Type.Array(DiffHunk, {
    description: 'Empty as well where only name or mode has changed, or a file came or went that was empty.',
  }),
  not_utf8: Type.Optional(Type.Literal(true, { description: 'Some of the text could not be shown as it is.' })),
  symlink: Type.Optional(
    Type.Object(
      { old_target: nullable(Type.String()), new_target: nullable(Type.String()) },
      { description: 'What a symbolic link says. What it points to is never read.' },
    ),
  ),
  submodule: Type.Optional(
    Type.Object({
      old_commit: nullable(Type.String()),
      new_commit: nullable(Type.String()),
      dirty: Type.Boolean({ description: 'Files in it have changed.' }),
    }),
  ),
});
