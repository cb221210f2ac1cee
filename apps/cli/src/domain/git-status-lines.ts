import type { Result } from '@switchyard/protocol';
import { cleanText } from './clean-text.js';
import type { Paint } from './diff-lines.js';

type Status = Result<'workspace.git.status'>;
type File = Status['files'][number];

/** A path is shown whole, as far as it makes sense to a reader. */
const LONGEST_PATH = 1000;
/** What is shown of a commit id. */
const COMMIT_CHARS = 12;
const LETTERS: Readonly<Record<NonNullable<File['staged']>, string>> = {
  added: 'A',
  copied: 'C',
  deleted: 'D',
  modified: 'M',
  renamed: 'R',
  type_changed: 'T',
};

/** The status of a worktree as lines: the branch first, then a line for each file, in the manner of `git status -sb`. */
export function statusReportLines(status: Status, paint: Paint): string[] {
  if (!status.is_repository) return ['Not in a git repository.'];
  const hidden = status.hidden === 0 ? [] : [`… and ${status.hidden} more`];
  return [branchLine(status, paint), ...status.files.map((file) => fileLine(file, paint)), ...hidden];
}

function branchLine({ branch, head, upstream, ahead, behind, bare }: Status, paint: Paint): string {
  const at = head === null ? 'no commit yet' : head.slice(0, COMMIT_CHARS);
  const name = branch === null ? `detached at ${at}` : cleanText(branch);
  const apart = ahead === null || behind === null ? '' : ` ↑${ahead} ↓${behind}`;
  const remote = upstream === null ? '' : ` → ${cleanText(upstream)}${apart}`;
  return `${paint('bold', name)}${branch !== null && head === null ? ` (${at})` : ''}${remote}${bare ? ' (bare: no files)' : ''}`;
}

function fileLine({ path, old_path, staged, unstaged, untracked, conflict }: File, paint: Paint): string {
  const name = cleanText(path, LONGEST_PATH);
  const names = old_path === null ? name : `${cleanText(old_path, LONGEST_PATH)} → ${name}`;
  if (untracked) return `${paint('red', '??')} ${names}`;
  if (conflict !== null) return `${paint('red', '!!')} ${names} (${conflict.replaceAll('_', ' ')})`;
  const letter = (state: File['staged']) => (state === null ? ' ' : LETTERS[state]);
  return `${paint('green', letter(staged))}${paint('red', letter(unstaged))} ${names}`;
}
