/** A line of a hunk, without its line end. */
export interface DiffLine {
  kind: 'context' | 'added' | 'removed';
  /** Bytes that are not UTF-8 are shown as U+FFFD; a carriage return before the line end belongs to the text. */
  text: string;
  /** The file ends here, without a line end. */
  no_newline?: true;
}

export interface DiffHunk {
  /** First line of the hunk on each side, from 1; 0 where a side has no lines. */
  old_start: number;
  old_lines: number;
  new_start: number;
  new_lines: number;
  /** What git shows beside the numbers: the line of the function around it, or nothing. */
  heading: string;
  lines: DiffLine[];
}

export type ChangeStatus = 'added' | 'modified' | 'deleted' | 'renamed' | 'copied' | 'type_changed' | 'unmerged';
export type ChangeKind = 'text' | 'binary' | 'too_large' | 'withheld' | 'symlink' | 'submodule' | 'typechange';

/** One changed file, as it goes over the wire. */
export interface ChangedFile {
  /** From the top of the worktree; of a deleted file where it was. Bytes that are not UTF-8 are U+FFFD. */
  path: string;
  /** The exact name, base64, where `path` cannot say it. */
  path_bytes?: string;
  /** Where it was before it was renamed or copied. */
  old_path: string | null;
  old_path_bytes?: string;
  status: ChangeStatus;
  kind: ChangeKind;
  /** git does not know the file yet. */
  untracked: boolean;
  /** As git writes it: 100644, 100755, 120000 (symbolic link), 160000 (submodule); null where a side has no file. */
  old_mode: string | null;
  new_mode: string | null;
  /** Percentage, of a renamed or copied file. */
  similarity: number | null;
  /** Lines; null where they are not shown. */
  additions: number | null;
  deletions: number | null;
  /** Only `text` has any, and it has none where only name or mode has changed, or an empty file came or went. */
  hunks: DiffHunk[];
  /** Some of the text could not be shown as it is: it is not UTF-8. */
  not_utf8?: true;
  /** Of a symbolic link, also one that took the place of a file or gave way to one: what it says, not what is there. */
  symlink?: { old_target: string | null; new_target: string | null };
  submodule?: { old_commit: string | null; new_commit: string | null; dirty: boolean };
}

/** What a name takes in the answer: the text where that is exact, else the bytes beside it. */
export function named<K extends 'path' | 'old_path'>(
  key: K,
  bytes: Buffer,
): { [P in K]: string } & { [P in `${K}_bytes`]?: string } {
  const text = bytes.toString('utf8');
  const isExact = Buffer.from(text, 'utf8').equals(bytes);
  return { [key]: text, ...(isExact ? {} : { [`${key}_bytes`]: bytes.toString('base64') }) } as {
    [P in K]: string;
  } & { [P in `${K}_bytes`]?: string };
}

/** A line costs its text and about so much around it: the JSON of an object with two members. */
export const LINE_OVERHEAD_BYTES = 40;
/** The same of a file without its lines and names. */
const FILE_OVERHEAD_BYTES = 400;

/** What a file takes in an answer, roughly, in bytes. */
export function costOf({ path, old_path, hunks }: ChangedFile): number {
  let cost = FILE_OVERHEAD_BYTES + path.length + (old_path?.length ?? 0);
  for (const { lines } of hunks) for (const { text } of lines) cost += text.length + LINE_OVERHEAD_BYTES;
  return cost;
}
