import type { Result } from '@switchyard/protocol';
import { cleanLines, cleanText } from './clean-text.js';

export type ReviewFile = Result<'review.get'>['files'][number];
export type Comment = Result<'review.comment.list'>['comments'][number];
type Line = ReviewFile['hunks'][number]['lines'][number];
type Paint = (colour: 'bold' | 'dim' | 'red' | 'green' | 'yellow', text: string) => string;

/** Enough of an id to tell the comments of a review apart; what `remove` takes. */
export const ID_CHARS = 8;

const LETTERS: Record<ReviewFile['status'], string> = {
  added: 'A',
  modified: 'M',
  deleted: 'D',
  renamed: 'R',
  copied: 'C',
  type_changed: 'T',
  unmerged: 'U',
};
const MARKS = { context: ' ', added: '+', removed: '-' } as const;
const COLOURS = { context: undefined, added: 'green', removed: 'red' } as const;
/** Why the lines of a file are not shown. */
const UNSHOWN: Record<ReviewFile['kind'], string> = {
  text: '',
  binary: 'binary',
  too_large: 'too large to be shown',
  withheld: 'withheld: it may hold secrets',
  symlink: 'symbolic link',
  submodule: 'submodule',
  typechange: 'another type of file',
};

/** One file of a review: its lines with their numbers, and under them what was said about them. */
export function fileLines(file: ReviewFile, comments: readonly Comment[], paint: Paint): string[] {
  const left = new Set(comments.filter(({ file_path }) => file_path === file.path));
  const lines = [paint('bold', headOf(file))];
  const width = numberWidth(file);
  for (const hunk of file.hunks) {
    lines.push(paint('dim', hunkHead(hunk)));
    let [old, now] = [hunk.old_start, hunk.new_start];
    for (const line of hunk.lines) {
      const isOld = line.kind !== 'added';
      const isNew = line.kind !== 'removed';
      lines.push(diffLine(line, isOld ? old : null, isNew ? now : null, width, paint));
      if (isNew)
        lines.push(...takeAt(left, now).map((comment) => commentLine(comment, ' '.repeat(width * 2 + 2), paint)));
      if (isOld) old++;
      if (isNew) now++;
    }
  }
  return [...lines, ...[...left].map((comment) => commentLine(comment, '  ', paint))];
}

/** Comments on files that are not among those shown. */
export function strayLines(files: readonly ReviewFile[], comments: readonly Comment[], paint: Paint): string[] {
  const shown = new Set(files.map(({ path }) => path));
  return comments
    .filter(({ file_path }) => !shown.has(file_path))
    .map((comment) => commentLine(comment, `${cleanText(comment.file_path)} `, paint));
}

/** Where a comment is: `a.ts:3`, `a.ts:3-5`. */
export const placeText = ({ file_path, start_line, end_line }: Comment): string =>
  `${cleanText(file_path)}:${start_line}${end_line === start_line ? '' : `-${end_line}`}`;

/** What has become of the lines of a comment. */
export const fateText = ({ is_stale, is_changed }: Comment): string =>
  is_stale ? 'stale' : is_changed ? 'changed' : '';

function headOf(file: ReviewFile): string {
  const name = cleanText(file.path);
  const from = file.old_path === null ? '' : `${cleanText(file.old_path)} → `;
  const facts = file.diffable ? countsOf(file) : ` (${UNSHOWN[file.kind]})`;
  return `${file.untracked ? '?' : LETTERS[file.status]} ${from}${name}${modesOf(file)}${facts}`;
}

const countsOf = ({ additions, deletions }: ReviewFile): string =>
  additions === null || deletions === null ? '' : ` +${additions} -${deletions}`;

const modesOf = ({ old_mode, new_mode }: ReviewFile): string =>
  old_mode === null || new_mode === null || old_mode === new_mode ? '' : ` ${old_mode} → ${new_mode}`;

function hunkHead({ old_start, old_lines, new_start, new_lines, heading }: ReviewFile['hunks'][number]): string {
  return `@@ -${old_start},${old_lines} +${new_start},${new_lines} @@ ${cleanText(heading)}`.trimEnd();
}

/** Digits of the highest number. */
function numberWidth({ hunks }: ReviewFile): number {
  const last = hunks.at(-1);
  if (last === undefined) return 0;
  return String(Math.max(last.old_start + last.old_lines, last.new_start + last.new_lines)).length;
}

function diffLine(line: Line, old: number | null, now: number | null, width: number, paint: Paint): string {
  const numbers = [old, now].map((number) => String(number ?? '').padStart(width)).join(' ');
  const text = `${MARKS[line.kind]}${cleanLines(line.text)}${line.no_newline ? '  (no line end)' : ''}`;
  const colour = COLOURS[line.kind];
  return `${paint('dim', numbers)} ${colour === undefined ? text : paint(colour, text)}`.trimEnd();
}

function takeAt(left: Set<Comment>, line: number): Comment[] {
  const here = [...left].filter(({ end_line, is_stale }) => end_line === line && !is_stale);
  for (const comment of here) left.delete(comment);
  return here;
}

function commentLine(comment: Comment, indent: string, paint: Paint): string {
  const { id, start_line, end_line, text } = comment;
  const lines = end_line === start_line ? `${start_line}` : `${start_line}-${end_line}`;
  const fate = fateText(comment);
  const head = `▸ ${lines} ${id.slice(0, ID_CHARS).toLowerCase()}${fate === '' ? '' : ` (${fate})`}`;
  return `${indent}${paint(
    'yellow',
    `${head}: ${cleanLines(text)
      .trim()
      .replace(/\s*\n\s*/g, ' / ')}`,
  )}`;
}
