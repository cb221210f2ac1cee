import type { ScreenSample } from '@switchyard/agents';
import { type Choices, findChoices } from './choices.js';
import { type Composer, findComposer } from './composer.js';
import { type Dialog, findDialog } from './dialog.js';
import { filledIn, lastFilled, type Row, rowsOf, visibleText } from './rows.js';
import { findWork, statusRows, type WorkSign } from './work.js';

/** A screen taken apart: what the rules of manifests look at. */
export interface ScreenView {
  readonly sample: ScreenSample;
  readonly rows: readonly Row[];
  readonly choices: Choices | null;
  readonly composer: Composer | null;
  readonly dialog: Dialog | null;
  readonly work: WorkSign | null;
}

/** @param prompts shapes of a bare prompt that only one agent has */
export function viewOf(sample: ScreenSample, prompts: readonly RegExp[] = []): ScreenView {
  const rows = rowsOf(sample.lines);
  const choices = findChoices(rows, sample.cursor);
  const composer = findComposer(rows, sample.cursor, choices, prompts);
  const dialog = findDialog({ rows, choices, composer, cursor: sample.cursor });
  return { sample, rows, choices, composer, dialog, work: findWork(rows, composer) };
}

/** Parts of the screen that rules can name. */
export const REGIONS = [
  'screen',
  'title',
  'progress',
  'composer',
  'composer_frame',
  'above_composer',
  'footer',
  'status',
  'dialog',
  'cursor_line',
  'last_lines',
  'last_filled_lines',
  'first_filled_lines',
] as const;
export type RegionName = (typeof REGIONS)[number];

/** Without a composer its footer is taken to be here. */
const FOOTER_ROWS = 3;

/**
 * The lines of a region, top first; what is not there is empty. Frames around text are taken away, except in `screen`.
 *
 * @param count how many lines; only of `above_composer` and the regions that are counted
 */
export function regionOf(view: ScreenView, region: RegionName, count: number | null): readonly string[] {
  const { rows, composer, dialog, sample } = view;
  const texts = (indices: readonly number[]) => indices.map((i) => rows[i]?.text ?? '');
  const end = lastFilled(rows) + 1;
  switch (region) {
    case 'screen':
      return rows.slice(0, end).map((row) => row.raw);
    case 'title':
      return [visibleText(sample.title).trim()].filter((title) => title !== '');
    case 'progress':
      return sample.progress === null ? [] : [`${sample.progress.state};${sample.progress.value ?? ''}`];
    case 'composer':
      return composer === null ? [] : rows.slice(composer.from, composer.to + 1).map((row) => row.text);
    case 'composer_frame':
      return composer === null || composer.label === '' ? [] : [composer.label];
    case 'above_composer':
      return texts(lastOf(filledIn(rows, 0, composer?.top ?? 0), count));
    case 'footer':
      return texts(
        composer === null ? filledIn(rows, 0, end).slice(-FOOTER_ROWS) : filledIn(rows, composer.bottom + 1, end),
      );
    case 'status':
      return texts(statusRows(rows, composer));
    case 'dialog':
      return dialog === null ? [] : texts(filledIn(rows, dialog.from, end));
    case 'cursor_line':
      return texts([sample.cursor.row]);
    case 'last_lines':
      return rows.slice(Math.max(0, end - (count ?? end)), end).map((row) => row.text);
    case 'last_filled_lines':
      return texts(lastOf(filledIn(rows, 0, end), count));
    case 'first_filled_lines':
      return texts(filledIn(rows, 0, end).slice(0, count ?? undefined));
  }
}

const lastOf = (indices: readonly number[], count: number | null) => (count === null ? indices : indices.slice(-count));

/** What a rule can ask of the shape of a screen, without a word of any language. */
export const SHAPES = [
  'composer',
  'choices',
  'dialog',
  'list_dialog',
  'button_dialog',
  'yes_no_dialog',
  'form_dialog',
  'unknown_dialog',
  'spinner',
  'activity',
  'interrupt_hint',
  'work',
] as const;
export type Shape = (typeof SHAPES)[number];

/** What of the screen has the shape, as text; null: nothing. */
export function shapeIn(view: ScreenView, shape: Shape): string | null {
  const { composer, choices, dialog, work } = view;
  switch (shape) {
    case 'composer':
      return composer === null ? null : regionOf(view, 'composer', null).join('\n');
    case 'choices':
      return choices === null ? null : choices.options.join('\n');
    case 'dialog':
      return dialog === null || dialog.shape === 'unknown' ? null : dialog.asks;
    case 'work':
      return work?.text ?? null;
    case 'spinner':
    case 'activity':
      return work?.kind === shape ? work.text : null;
    case 'interrupt_hint':
      return work?.kind === 'interrupt' ? work.text : null;
    default:
      return dialog?.shape === DIALOG_SHAPES[shape] ? dialog.asks : null;
  }
}

const DIALOG_SHAPES = {
  list_dialog: 'list',
  button_dialog: 'buttons',
  yes_no_dialog: 'yes_no',
  form_dialog: 'form',
  unknown_dialog: 'unknown',
} as const;
