import { isUtf8 } from 'node:buffer';
import { type ChangedFile, type DiffHunk, type DiffLine, LINE_OVERHEAD_BYTES, named } from './changed-file.js';

/** git looks for a NUL in so many bytes to tell a binary file. */
const SNIFFED_BYTES = 8000;
const NEWLINE = 0x0a;

/** What was found at the place of a file that git does not know. */
export type Found =
  | { readonly type: 'file'; readonly isExecutable: boolean; readonly content: Buffer }
  | { readonly type: 'too-large'; readonly isExecutable: boolean }
  | { readonly type: 'link'; readonly target: Buffer }
  | { readonly type: 'repository' }
  | { readonly type: 'unreadable' };

/**
 * A file that git does not know, as it is told: all of it is added.
 *
 * @param found null: the name says that it holds secrets, and it was not looked at
 * @param limitBytes what its lines may take in an answer
 */
export function untrackedFile(path: Buffer, found: Found | null, limitBytes: number): ChangedFile {
  const base = {
    ...named('path', path),
    old_path: null,
    status: 'added',
    untracked: true,
    old_mode: null,
    new_mode: found === null ? null : modeOf(found),
    similarity: null,
    additions: null,
    deletions: null,
    hunks: [],
  } satisfies Omit<ChangedFile, 'kind'>;
  if (found === null) return { ...base, kind: 'withheld' };
  switch (found.type) {
    case 'unreadable':
      return { ...base, kind: 'withheld' };
    case 'repository':
      return { ...base, kind: 'submodule' };
    case 'link':
      return { ...base, kind: 'symlink', symlink: { old_target: null, new_target: found.target.toString('utf8') } };
    case 'too-large':
      return { ...base, kind: 'too_large' };
    case 'file':
      return { ...base, ...contentsOf(found.content, limitBytes) };
  }
}

function modeOf(found: Found): string | null {
  if (found.type === 'unreadable') return null;
  if (found.type === 'link') return '120000';
  if (found.type === 'repository') return '160000';
  return found.isExecutable ? '100755' : '100644';
}

type Contents = Pick<ChangedFile, 'kind' | 'additions' | 'deletions' | 'hunks'> &
  Pick<Partial<ChangedFile>, 'not_utf8'>;

function contentsOf(content: Buffer, limitBytes: number): Contents {
  const uncounted = { additions: null, deletions: null, hunks: [] };
  if (content.subarray(0, SNIFFED_BYTES).includes(0)) return { kind: 'binary', ...uncounted };
  if (content.length + countLines(content) * LINE_OVERHEAD_BYTES > limitBytes) {
    return { kind: 'too_large', ...uncounted };
  }
  const lines = linesOf(content);
  return {
    kind: 'text',
    additions: lines.length,
    deletions: 0,
    hunks: lines.length === 0 ? [] : [wholeFile(lines)],
    ...(!isUtf8(content) && { not_utf8: true }),
  };
}

function wholeFile(lines: DiffLine[]): DiffHunk {
  return { old_start: 0, old_lines: 0, new_start: 1, new_lines: lines.length, heading: '', lines };
}

function countLines(content: Buffer): number {
  let count = 0;
  for (let at = content.indexOf(NEWLINE); at >= 0; at = content.indexOf(NEWLINE, at + 1)) count++;
  return count;
}

function linesOf(content: Buffer): DiffLine[] {
  const lines: DiffLine[] = [];
  let from = 0;
  for (let end = content.indexOf(NEWLINE); end >= 0; end = content.indexOf(NEWLINE, from)) {
    lines.push({ kind: 'added', text: content.toString('utf8', from, end) });
    from = end + 1;
  }
  if (from < content.length) lines.push({ kind: 'added', text: content.toString('utf8', from), no_newline: true });
  return lines;
}
