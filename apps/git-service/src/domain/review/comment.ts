import type { Result } from '@switchyard/protocol';
import { followLines, type LineRange } from './follow.js';

/** A comment as it goes over the wire. */
export type Comment = Result<'review.comment.list'>['comments'][number];

/** What a comment was written on: the lines as the review showed them then. */
export interface Anchor {
  readonly path: string;
  /** The whole file; null where it had no lines to show: then there is nothing to follow. */
  readonly lines: readonly string[] | null;
  readonly range: LineRange;
}

/** Where a comment is now. */
export type Place = Pick<Comment, 'file_path' | 'start_line' | 'end_line' | 'is_stale' | 'is_changed'>;

/** What a review shows of a file now; `lines` null: it is gone, or its lines are not shown. */
export interface Shown {
  readonly path: string;
  readonly lines: readonly string[] | null;
}

/** An excerpt reminds of what was commented on; the file has the rest. */
const EXCERPT_LINES = 5;
const EXCERPT_CHARS = 400;

/** Where a comment is that has just been written. */
export function firstPlace({ path, lines, range }: Anchor): Place {
  return { file_path: path, ...startEnd(range), is_stale: lines === null, is_changed: false };
}

/**
 * Where a comment is after a refresh. It is always followed from the text it was written on, so that it finds back when
 * its lines do.
 *
 * @param last where it was before: there it stays when its lines are gone
 */
export function nextPlace(anchor: Anchor, last: Place, shown: Shown): Place {
  const gone: Place = { ...last, is_stale: true, is_changed: true };
  if (shown.lines === null) return gone;
  if (anchor.lines === null) {
    const isThere = anchor.range.end <= shown.lines.length;
    return { file_path: shown.path, ...startEnd(anchor.range), is_stale: !isThere, is_changed: true };
  }
  const now = followLines(anchor.lines, shown.lines, anchor.range);
  if (now === null) return { ...gone, file_path: shown.path };
  return { file_path: shown.path, ...startEnd(now), is_stale: false, is_changed: now.changed };
}

/** The first of the lines that a comment was written on. */
export function excerptOf({ lines, range }: Anchor): string {
  if (lines === null) return '';
  const last = Math.min(range.end, range.start - 1 + EXCERPT_LINES);
  return lines
    .slice(range.start - 1, last)
    .join('\n')
    .slice(0, EXCERPT_CHARS);
}

const startEnd = ({ start, end }: LineRange) => ({ start_line: start, end_line: end });
