import { filledIn, lastFilled, type Row, textAt } from './rows.js';

/** A list of options of which one is marked, as menus and dialogs draw it. */
export interface Choices {
  /** First and last row of the options, the descriptions of the last one included. */
  readonly from: number;
  readonly to: number;
  /** Row of the mark; null: the list is numbered and its mark a colour, which text does not show. */
  readonly pointer: number | null;
  readonly numbered: boolean;
  readonly options: readonly string[];
}

export interface Cursor {
  readonly row: number;
  readonly col: number;
  readonly visible: boolean;
}

/** A dialog is at the end of the screen; what is further up is history. */
const REACH_ROWS = 30;
const POINTER = /^(\s*)([❯›>→●▶◉▸➤▷»])(\s+)(?=\S)/;
/** What is chosen now, beside what the mark is on. */
const TICK = /^[✔✓☑]\s+/u;
/** Of a radio list: `● Allow` above `○ Deny`. */
const EMPTY_MARK = /^\s*[○◯◌☐□◇◦]\s+\S/u;
const NUMBER = /^(\s*)(\d{1,2})[.)]\s+(?=\S)/;
/** Descriptions of one option; more is a text that happens to begin with a number. */
const MAX_DESCRIPTION_ROWS = 4;
const MAX_OPTIONS = 40;

/** The lowest list of options on the screen, marked or numbered. */
export function findChoices(rows: readonly Row[], cursor: Cursor): Choices | null {
  const end = lastFilled(rows);
  for (let i = end; i >= Math.max(0, end - REACH_ROWS); i--) {
    const found = pointerList(rows, i) ?? numberedList(rows, i);
    if (found !== null && !isDraft(found, rows, cursor)) return found;
  }
  return null;
}

function pointerList(rows: readonly Row[], at: number): Choices | null {
  const text = textAt(rows, at);
  const match = POINTER.exec(text);
  if (match === null) return null;
  const column = match[0].length;
  const tick = TICK.exec(text.slice(column))?.[0].length ?? 0;
  const mark = match[1]?.length ?? 0;
  return listAt(rows, at, column, mark) ?? (tick > 0 ? listAt(rows, at, column + tick, mark) : null);
}

/**
 * @param column where the options start
 * @param mark where the mark stands, and where others of a radio list have an empty one
 */
function listAt(rows: readonly Row[], at: number, column: number, mark: number): Choices | null {
  const label = textAt(rows, at).slice(column);
  const above = siblings(rows, at, column, mark, -1);
  const below = siblings(rows, at, column, mark, 1);
  const options = [...above.options.reverse(), label, ...below.options];
  if (options.length < 2) return null;
  const numbered = options.filter((option) => NUMBER.test(option)).length >= 2;
  return { from: above.end, to: below.end, pointer: at, numbered, options };
}

/** Options beside the marked one: they start in its column, and between them there are at most descriptions. */
function siblings(rows: readonly Row[], at: number, column: number, mark: number, step: 1 | -1) {
  const options: string[] = [];
  let end = at;
  let between = 0;
  let divided = false;
  for (let i = at + step; i >= 0 && i < rows.length && options.length < MAX_OPTIONS; i += step) {
    const row = rows[i];
    if (row === undefined || between > MAX_DESCRIPTION_ROWS) break;
    const divider = step > 0 && row.rule !== null && row.rule.edge === 'line' && row.rule.label === '';
    if (row.blank || divider) {
      divided ||= divider;
      between++;
      continue;
    }
    const radio = row.indent === mark && EMPTY_MARK.test(row.text);
    if (row.rule !== null || (row.indent < column && !radio) || POINTER.test(row.text)) break;
    // Below a line stands the footer of a composer, unless the numbers go on.
    if (divided && !NUMBER.test(row.text)) break;
    if (row.indent === column || radio) {
      options.push(row.text.slice(column));
      end = i;
      between = 0;
    } else {
      between++;
      if (step > 0 && options.length > 0) end = i;
    }
  }
  return { options, end };
}

/** 1. … n. at one column, found from its last number. */
function numberedList(rows: readonly Row[], at: number): Choices | null {
  const last = NUMBER.exec(textAt(rows, at));
  if (last === null) return null;
  const options: string[] = [];
  let wanted = Number(last[2]);
  let from = at;
  let between = 0;
  for (let i = at; i >= 0 && wanted > 0 && between <= MAX_DESCRIPTION_ROWS; i--) {
    const match = NUMBER.exec(textAt(rows, i));
    if (match !== null && match[1] === last[1] && Number(match[2]) === wanted) {
      options.unshift(textAt(rows, i).trim());
      from = i;
      wanted--;
      between = 0;
    } else {
      between++;
    }
  }
  if (wanted !== 0 || options.length < 2) return null;
  return { from, to: at, pointer: null, numbered: true, options };
}

/** Where a person types there is no list: a cursor that shows stands in its text, not on its mark. */
function isDraft(choices: Choices, rows: readonly Row[], cursor: Cursor): boolean {
  if (!cursor.visible || cursor.row < choices.from || cursor.row > choices.to) return false;
  const mark = POINTER.exec(textAt(rows, choices.pointer ?? choices.from));
  return cursor.col >= (mark?.[0].length ?? 0);
}

/** Rows of [from, from + count) filled rows after an index. */
export function filledAfter(rows: readonly Row[], index: number, count: number): number[] {
  return filledIn(rows, index + 1, rows.length).slice(0, count);
}

/** The last `count` filled rows before an index, top first. */
export function filledBefore(rows: readonly Row[], index: number, count: number): number[] {
  return filledIn(rows, 0, index).slice(-count);
}
