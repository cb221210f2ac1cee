import { filledAfter, filledBefore } from './choices.js';
import type { Composer } from './composer.js';
import { hintsIn } from './hints.js';
import { lastFilled, type Row, textAt } from './rows.js';

/** A sign that work goes on. */
export interface WorkSign {
  readonly kind: 'spinner' | 'activity' | 'interrupt';
  readonly row: number;
  readonly text: string;
}

/** A sign of work stands near the composer, or near the end where there is none. */
const ROWS_ABOVE = 6;
const ROWS_BELOW = 6;
/** A spinner may stand before a paragraph that is being written. */
const SPINNER_ROWS_ABOVE = 20;
const ROWS_WITHOUT_COMPOSER = 8;

/** Braille dots are drawn as a spinner and hardly ever written; all eight dots are a block of a picture. */
const SPINNER = /^\s{0,4}[\u2801-\u28fe](?![\u2800-\u28ff])\s?(?:\S|$)/u;
const SPINNER_IN_LINE = /^[─━╭┌╔═]{1,3}\s*[\u2801-\u28fe]\s/u;
/** Glyphs that also stand before finished things: they count before words that say it goes on. */
const ACTIVITY = /^\s*[\u2801-\u28fe◐◓◑◒◴◷◶◵◜◝◞◟∵∴✢✣✤✥✦✧✳✶✷✸✹✺✻✽✿∗·*+○◌◍◎⊙◉●⏳⌛⎋⚒▖▘▝▗|/\\-]\s+\S/u;
const GOES_ON = /(?:…|\.{3})(?:\s*\(.*)?(?:\s{3,}\S.*)?$/u;
/** In the status line below a composer the word is enough, behind a glyph or before the key that ends it. */
const WORDS =
  'working|thinking|generating|processing|streaming|running|executing|compacting|reasoning|planning|responding|writing|retrying';
/** What waits for one of these does not work. */
const PERSON = '(?:(?:your|user) )?(?:you|approval|confirmation|permission|input|answer)';
const AT_WORK = new RegExp(
  String.raw`^\s*(?:[^\p{L}\p{N}\s]\s+(?:${WORDS})\b|(?:${WORDS}|waiting for(?! ${PERSON}))\b.*\b(?:esc|ctrl[+-]c)\b)`,
  'iu',
);
const COUNTER = /\(\s*(?:\d+\s*[hms]\b|esc\b|ctrl\b|⎋)/iu;
const INTERRUPT =
  /(?:^|[\s·•|(,])(?:(?:press )?(?:esc(?:ape)?|ctrl[+-]c|⎋)(?: esc)?)\s*[:=]?\s*(?:to |again to )?(?:interrupt|stop|abort|pause)\b/iu;
const FOOTER_INTERRUPT = /(?:^|[\s·•|(,])(?:esc(?:ape)?|ctrl[+-]c|⎋)\s*[:=]?\s*(?:to )?cancel\b/iu;

/** In the frame of the composer there is no prose. */
const LABEL_AT_WORK = new RegExp(String.raw`^\W*(?:${WORDS})\b[^.…]*(?:…|\.{3})`, 'iu');

/** The rows where signs of work are drawn: around the composer, or the end of the screen. */
export function statusRows(rows: readonly Row[], composer: Composer | null): number[] {
  if (composer === null) return filledBefore(rows, lastFilled(rows) + 1, ROWS_WITHOUT_COMPOSER);
  return [
    ...filledBefore(rows, composer.top, ROWS_ABOVE),
    composer.top,
    ...filledAfter(rows, composer.bottom - 1, ROWS_BELOW + 1),
  ];
}

/** The surest sign that work goes on, by its shape; null: none. Words alone are none. */
export function findWork(rows: readonly Row[], composer: Composer | null): WorkSign | null {
  const near = statusRows(rows, composer).map((row) => ({ row, text: rows[row]?.raw ?? '' }));
  const bare = near.map(({ row, text }) => ({ row, text: rows[row]?.rule === null ? textAt(rows, row) : text }));
  const below = (row: number) => composer !== null && row >= composer.bottom;
  const signs: [WorkSign['kind'], (line: string, row: number) => boolean][] = [
    ['spinner', (line) => SPINNER.test(line) || SPINNER_IN_LINE.test(line)],
    ['activity', (line, row) => goesOn(line) || (below(row) && AT_WORK.test(line))],
    ['interrupt', (line, row) => interrupts(line, row, composer)],
  ];
  for (const [kind, says] of signs) {
    const hit = bare.find(({ row, text }) => says(text, row));
    if (hit !== undefined) return { kind, row: hit.row, text: hit.text.trim() };
  }
  return labelWork(composer) ?? spinnerAbove(rows, composer);
}

/** Written into the frame of the composer. */
function labelWork(composer: Composer | null): WorkSign | null {
  if (composer === null || !(LABEL_AT_WORK.test(composer.label) || AT_WORK.test(composer.label))) return null;
  return { kind: 'activity', row: composer.top, text: composer.label };
}

const goesOn = (line: string) => ACTIVITY.test(line) && (GOES_ON.test(line) || COUNTER.test(line));

function spinnerAbove(rows: readonly Row[], composer: Composer | null): WorkSign | null {
  if (composer === null) return null;
  const row = filledBefore(rows, composer.top, SPINNER_ROWS_ABOVE).findLast((i) => SPINNER.test(rows[i]?.raw ?? ''));
  return row === undefined ? null : { kind: 'spinner', row, text: textAt(rows, row).trim() };
}

/** "esc to interrupt" in a status line. Above the composer, where prose may stand, it must come with a counter. */
function interrupts(line: string, row: number, composer: Composer | null): boolean {
  if (hintsIn(line)?.confirms) return false;
  const below = composer !== null && row >= composer.bottom;
  if (below) return INTERRUPT.test(line);
  return (INTERRUPT.test(line) || FOOTER_INTERRUPT.test(line)) && COUNTER.test(line);
}
