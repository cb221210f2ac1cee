import { type Choices, type Cursor, filledAfter, filledBefore } from './choices.js';
import type { Composer } from './composer.js';
import { asksYesNo, buttonsIn, hintsIn, isAnswer, isQuestion } from './hints.js';
import { lastFilled, type Row, textAt } from './rows.js';

/** Something at the end of the screen that waits for an answer. */
export interface Dialog {
  readonly shape: 'list' | 'buttons' | 'yes_no' | 'form' | 'unknown';
  /** From the first row that belongs to it to the end of the screen. */
  readonly from: number;
  /** What it asks. */
  readonly asks: string;
}

/** Hints and status lines stand this close below what they are about. */
const ROWS_BELOW = 6;
/** The question stands this close above its answers. */
const ROWS_ABOVE = 10;
/** Nearer than this the question needs no hints to be believed. */
const CLOSE_ROWS = 4;
/** A dialog is rarely longer; what is above it is history. */
const MAX_DIALOG_ROWS = 24;

interface Found {
  readonly rows: readonly Row[];
  readonly choices: Choices | null;
  readonly composer: Composer | null;
  readonly cursor: Cursor;
}

/**
 * The dialog that is open, by its shape: a list with a mark, answers side by side, a question for y or n, or a form with
 * the keys that send it. Words alone never make one. Whatever stands above a composer is history or a menu, not a dialog.
 */
export function findDialog(found: Found): Dialog | null {
  return listDialog(found) ?? buttonDialog(found) ?? yesNoDialog(found) ?? formDialog(found);
}

function listDialog({ rows, choices, composer, cursor }: Found): Dialog | null {
  if (choices === null || (composer !== null && choices.from <= composer.bottom)) return null;
  // While somebody types, a list below is what the draft can be completed to.
  if (composer !== null && cursor.row >= composer.from && cursor.row <= composer.to) return null;
  const below = filledAfter(rows, choices.to, ROWS_BELOW + 1);
  if (below.length > ROWS_BELOW) return null;
  const hints = [choices.to, ...below].map((i) => hintsIn(textAt(rows, i))).filter((hint) => hint !== null);
  const confirms = hints.some((hint) => hint.confirms || hint.moves);
  const hinted = confirms || hints.some((hint) => hint.cancels);
  const answers = choices.options.filter(isAnswer).length;
  const asked = filledBefore(rows, choices.from, CLOSE_ROWS).some((i) => isQuestion(textAt(rows, i)));
  const marked = choices.pointer !== null;
  const proven = marked ? hinted || answers >= 2 || asked : confirms || (answers >= 2 && asked);
  if (!proven && !marked) return null;
  return dialogAt(rows, choices.from, proven ? 'list' : 'unknown');
}

function buttonDialog({ rows, composer }: Found): Dialog | null {
  const end = lastFilled(rows);
  const row = filledBefore(rows, end + 1, ROWS_BELOW).find((i) => buttonsIn(textAt(rows, i)).length > 0);
  if (row === undefined || isAbove(row, composer)) return null;
  const hinted = [row, ...filledAfter(rows, row, ROWS_BELOW)].some((i) => hintsIn(textAt(rows, i))?.confirms);
  const keyed = /[[(<]\w[\])>]/.test(textAt(rows, row));
  const asked = filledBefore(rows, row, ROWS_ABOVE).some((i) => isQuestion(textAt(rows, i)));
  return hinted || keyed || asked ? dialogAt(rows, row, 'buttons') : null;
}

/** Asked on the line where the cursor waits. */
function yesNoDialog({ rows, composer, cursor }: Found): Dialog | null {
  const end = lastFilled(rows);
  if (end < 0 || cursor.row !== end || isAbove(end, composer) || composer?.from === end) return null;
  return asksYesNo(textAt(rows, end)) ? { shape: 'yes_no', from: end, asks: textAt(rows, end).trim() } : null;
}

/** No list, but a hint which key sends it, and no composer to which the hint could belong. */
function formDialog({ rows, composer }: Found): Dialog | null {
  if (composer !== null) return null;
  const end = lastFilled(rows);
  const row = filledBefore(rows, end + 1, ROWS_BELOW).find((i) => hintsIn(textAt(rows, i))?.confirms);
  return row === undefined ? null : dialogAt(rows, row, 'form');
}

const isAbove = (row: number, composer: Composer | null) => composer !== null && row < composer.top;

function dialogAt(rows: readonly Row[], at: number, shape: Dialog['shape']): Dialog {
  const above = filledBefore(rows, at, ROWS_ABOVE);
  const from = startOf(rows, at);
  const inside = above.filter((i) => i >= from && rows[i]?.rule === null);
  const question = inside.findLast((i) => isQuestion(textAt(rows, i))) ?? inside.at(-1) ?? at;
  return { shape, from, asks: textAt(rows, question).trim() };
}

/** A dialog begins below the last line or box top above its answers. */
function startOf(rows: readonly Row[], at: number): number {
  for (let i = at - 1; i > Math.max(0, at - MAX_DIALOG_ROWS); i--) {
    const rule = rows[i]?.rule ?? null;
    if (rule !== null && rule.edge !== 'bottom' && !/[╌┄┈]/.test(rows[i]?.text ?? '')) return i;
  }
  return Math.max(0, at - MAX_DIALOG_ROWS);
}
