import type { Choices, Cursor } from './choices.js';
import { filledIn, lastFilled, type Row, textAt } from './rows.js';

/** The box in which a prompt is written. */
export interface Composer {
  /** First and last row, its frame included. */
  readonly top: number;
  readonly bottom: number;
  /** First and last row inside the frame. */
  readonly from: number;
  readonly to: number;
  /** What is written into its frame. */
  readonly label: string;
}

const PROMPT = /^\s*[❯›>»▌➜λ](?:\s|$)/;
/** A prompt only in a frame: elsewhere it marks an option. */
const ARROW = /^\s*→(?:\s|$)/;
/** Some programs hide the cursor and draw one: only where a person writes. */
const DRAWN_CURSOR = /^\s*(?:\S\s+)?[▋▊▉]/;
/** Filled rows below a composer: menus open there while it is typed in, and then its cursor is in it. */
const MAX_ROWS_BELOW = 16;
/** Status lines and hints; more, and it is history that happens to be framed. */
const MAX_QUIET_ROWS_BELOW = 6;
const MAX_BODY_ROWS = 24;
const BAR = /^\s*[┃▌▍┇]/;
const BAR_FOOT = /^\s*╹▀{8,}/;
/** How deep a prompt without a frame may be indented. */
const MAX_BARE_INDENT = 4;

/**
 * The composer nearest to the end of the screen: between two lines, in a box, behind a bar, or a bare prompt that holds
 * the cursor.
 *
 * @param prompts further shapes of a prompt, of one agent
 */
export function findComposer(
  rows: readonly Row[],
  cursor: Cursor,
  choices: Choices | null,
  prompts: readonly RegExp[] = [],
): Composer | null {
  const end = lastFilled(rows);
  const found = [ruled(rows, cursor, end, prompts), barred(rows, end), bare(rows, cursor, end, prompts)];
  return found
    .filter((composer) => composer !== null)
    .filter((composer) => !holdsChoices(composer, choices) || isTypedIn(composer, rows, cursor))
    .reduce<Composer | null>((best, next) => (best === null || next.bottom > best.bottom ? next : best), null);
}

const holdsChoices = (composer: Composer, choices: Choices | null) =>
  choices !== null && choices.from <= composer.to && choices.to >= composer.from;

/** Its prompt is on its first row, and the cursor stands behind what is written: a list in it is a draft. */
function isTypedIn(composer: Composer, rows: readonly Row[], cursor: Cursor): boolean {
  if (composer.top === composer.from || cursor.row < composer.from || cursor.row > composer.to) return false;
  return PROMPT.test(textAt(rows, composer.from)) && cursor.col >= textAt(rows, cursor.row).length;
}

const below = (rows: readonly Row[], row: number, end: number) => filledIn(rows, row + 1, end + 1).length;

function ruled(rows: readonly Row[], cursor: Cursor, end: number, prompts: readonly RegExp[]): Composer | null {
  for (let bottom = end; bottom > 0 && below(rows, bottom, end) <= MAX_ROWS_BELOW; bottom--) {
    if (rows[bottom]?.rule === null || rows[bottom]?.rule?.edge === 'top') continue;
    const top = frameTop(rows, bottom);
    if (top === null) continue;
    const composer = { top, bottom, from: top + 1, to: bottom - 1, label: labelOf(rows, top, bottom) };
    if (isComposer(composer, rows, cursor, prompts)) return composer;
  }
  return null;
}

function frameTop(rows: readonly Row[], bottom: number): number | null {
  for (let i = bottom - 1; i >= 0 && bottom - i <= MAX_BODY_ROWS + 1; i--) {
    const rule = rows[i]?.rule ?? null;
    if (rule === null) continue;
    return rule.edge === 'bottom' || i === bottom - 1 ? null : i;
  }
  return null;
}

const labelOf = (rows: readonly Row[], top: number, bottom: number) =>
  [rows[top]?.rule?.label, rows[bottom]?.rule?.label].filter((label) => label !== undefined && label !== '').join(' ');

function isComposer(composer: Composer, rows: readonly Row[], cursor: Cursor, prompts: readonly RegExp[]): boolean {
  const holdsCursor = cursor.row >= composer.from && cursor.row <= composer.to;
  const [first] = filledIn(rows, composer.from, composer.to + 1);
  if (first === undefined) return holdsCursor;
  if (![PROMPT, ARROW, DRAWN_CURSOR, ...prompts].some((prompt) => prompt.test(textAt(rows, first)))) return holdsCursor;
  const under = filledIn(rows, composer.bottom + 1, rows.length).length;
  return first === composer.from && (holdsCursor || under <= MAX_QUIET_ROWS_BELOW);
}

function barred(rows: readonly Row[], end: number): Composer | null {
  for (let bottom = end; bottom > 0 && below(rows, bottom, end) <= MAX_QUIET_ROWS_BELOW; bottom--) {
    if (!BAR_FOOT.test(rows[bottom]?.raw ?? '')) continue;
    let from = bottom;
    while (from > 0 && BAR.test(rows[from - 1]?.raw ?? '')) from--;
    if (from === bottom) return null;
    return { top: Math.max(0, from - 1), bottom, from, to: bottom - 1, label: '' };
  }
  return null;
}

function bare(rows: readonly Row[], cursor: Cursor, end: number, prompts: readonly RegExp[]): Composer | null {
  if (!cursor.visible || below(rows, cursor.row, end) > MAX_ROWS_BELOW) return null;
  for (let from = cursor.row; from >= 0 && cursor.row - from <= MAX_BODY_ROWS; from--) {
    const row = rows[from];
    if (row === undefined) return null;
    const isPrompt = (PROMPT.test(row.text) && row.indent <= MAX_BARE_INDENT) || prompts.some((p) => p.test(row.raw));
    if (isPrompt) return { top: from, bottom: cursor.row, from, to: cursor.row, label: '' };
    // A draft of several lines goes on indented; anything else is not a prompt.
    if (row.blank || row.indent === 0) return null;
  }
  return null;
}
