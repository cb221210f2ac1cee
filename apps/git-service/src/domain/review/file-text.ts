import type { Result } from '@switchyard/protocol';

export type ReviewFile = Result<'review.get'>['files'][number];
type Hunk = ReviewFile['hunks'][number];

/** The lines of a text; what follows the last line end is a line only if there is anything. */
export function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/**
 * The lines that a diff shows as the new side, also those between its hunks.
 *
 * @param old lines of the old side
 * @throws RangeError when the hunks are not of that text
 */
export function newLines(old: readonly string[], hunks: readonly Hunk[]): string[] {
  const lines: string[] = [];
  let at = 0;
  for (const hunk of hunks) {
    // A hunk without old lines names the line that it comes after.
    const from = hunk.old_lines === 0 ? hunk.old_start : hunk.old_start - 1;
    if (from < at || from + hunk.old_lines > old.length) throw new RangeError('the hunks do not fit the text');
    for (; at < from; at++) lines.push(old[at] ?? '');
    for (const { kind, text } of hunk.lines) if (kind !== 'removed') lines.push(text);
    at = from + hunk.old_lines;
  }
  for (; at < old.length; at++) lines.push(old[at] ?? '');
  return lines;
}
