import { likeness } from './likeness.js';
import { matchLines } from './line-match.js';

/** Lines of a text, counted from 1, both ends included. */
export interface LineRange {
  readonly start: number;
  readonly end: number;
}

/** Where lines are now. `changed`: not as they were. */
export interface Followed extends LineRange {
  readonly changed: boolean;
}

/** Two lines this alike are one line that was edited. */
const EDITED = 0.5;
/** An edited line is looked for among so many; beyond, a block was rewritten and only its place counts. */
const MOST_CANDIDATES = 200;
/** A line with fewer letters and digits than this is like many others: where `}` is says nothing of where a function is. */
const LEAST_LETTERS_OF_LINE = 3;
/** Lines with fewer than this in all may stand anywhere: they have not moved, others are like them. */
const LEAST_LETTERS_MOVED = 8;

/**
 * Where lines of an old text are in a new one. A line that was edited is followed to its successor, a block that was
 * rewritten to its place, a block that was moved to where it went.
 *
 * @param before the old text. @param after the new one. @param range within `before`
 * @returns null when they are gone: removed, with nothing in their place
 */
export function followLines(before: readonly string[], after: readonly string[], range: LineRange): Followed | null {
  const matched = matchLines(before, after);
  const places: (Place | null)[] = [];
  for (let line = range.start - 1; line < range.end; line++) places.push(placeOf(line, before, after, matched));
  // Where the range has nothing else, braces and blank lines count as well.
  const hasTelling = before.slice(range.start - 1, range.end).some(isTelling);
  const telling = places.filter((_, index) => !hasTelling || isTelling(before[range.start - 1 + index] ?? ''));
  if (!telling.some((place) => place?.is === 'same')) {
    const moved = movedTo(before, after, range, matched);
    if (moved) return { ...moved, changed: false };
  }
  if (telling.every((place) => place === null)) return null;
  const kept = places.filter((place) => place !== null);
  const lines = kept.map(({ line }) => line);
  const [start, end] = [Math.min(...lines) + 1, Math.max(...lines) + 1];
  const isWhole = kept.length === places.length && end - start === range.end - range.start;
  return { start, end, changed: !isWhole || kept.some(({ is }) => is !== 'same') };
}

const lettersIn = (text: string): number => text.replace(/[^\p{L}\p{N}]/gu, '').length;
const isTelling = (line: string): boolean => lettersIn(line) >= LEAST_LETTERS_OF_LINE;

interface Place {
  readonly is: 'same' | 'edited';
  /** From 0. */
  readonly line: number;
}

function placeOf(line: number, before: readonly string[], after: readonly string[], matched: Int32Array): Place | null {
  const same = matched[line] ?? -1;
  if (same >= 0) return { is: 'same', line: same };
  let [first, next] = [line, line + 1];
  while (first > 0 && (matched[first - 1] ?? -1) < 0) first--;
  while (next < before.length && (matched[next] ?? -1) < 0) next++;
  const from = first === 0 ? 0 : (matched[first - 1] ?? -1) + 1;
  const to = next === before.length ? after.length : (matched[next] ?? after.length);
  if (from >= to) return null;
  const expected = Math.min(from + (line - first), to - 1);
  return { is: 'edited', line: successorOf(before[line] ?? '', after, { from, to, expected }) };
}

interface Gap {
  readonly from: number;
  readonly to: number;
  /** Where the line would be if the block had only been rewritten in place. */
  readonly expected: number;
}

/** The new line that is most like the old one, the nearer of two that are equally so. */
function successorOf(old: string, after: readonly string[], { from, to, expected }: Gap): number {
  if (to - from > MOST_CANDIDATES) return expected;
  let best = { line: expected, like: EDITED };
  for (let line = from; line < to; line++) {
    const like = likeness(old, after[line] ?? '');
    const isNearer = Math.abs(line - expected) < Math.abs(best.line - expected);
    if (like > best.like || (like === best.like && isNearer)) best = { line, like };
  }
  return best.line;
}

/** Where exactly these lines stand among what is new; the nearest of several. */
function movedTo(
  before: readonly string[],
  after: readonly string[],
  range: LineRange,
  matched: Int32Array,
): LineRange | null {
  const wanted = before.slice(range.start - 1, range.end);
  if (lettersIn(wanted.join('')) < LEAST_LETTERS_MOVED) return null;
  const taken = new Set(matched);
  const isFree = (at: number, line: string) => !taken.has(at) || !isTelling(line);
  let best: number | null = null;
  for (let at = 0; at + wanted.length <= after.length; at++) {
    const isThere = wanted.every((line, index) => after[at + index] === line && isFree(at + index, line));
    const isNearer = best === null || Math.abs(at - range.start + 1) < Math.abs(best - range.start + 1);
    if (isThere && isNearer) best = at;
  }
  return best === null ? null : { start: best + 1, end: best + wanted.length };
}
