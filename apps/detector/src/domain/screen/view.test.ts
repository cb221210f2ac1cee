import type { ScreenSample } from '@switchyard/agents';
import { describe, expect, it } from 'vitest';
import { regionOf, type Shape, shapeIn, viewOf } from './view.js';

const HIDDEN = { row: 0, col: 0, visible: false };
function sample(lines: readonly string[], more: Partial<ScreenSample> = {}): ScreenSample {
  return {
    surface_id: 's',
    rev: 1,
    offset: 0,
    at: 0,
    cols: 80,
    rows: lines.length,
    lines: [...lines],
    cursor: HIDDEN,
    alternate: false,
    title: '',
    progress: null,
    foreground: null,
    ...more,
  };
}
const has = (lines: readonly string[], shape: Shape, more: Partial<ScreenSample> = {}) =>
  shapeIn(viewOf(sample(lines, more)), shape) !== null;
const RULE = '─'.repeat(30);
const BOX = ['╭──────────────╮', '│ > next       │', '╰──────────────╯'];
const visible = (row: number, col: number) => ({ cursor: { row, col, visible: true } });

describe('a composer', () => {
  it.each([
    ['between two lines', ['text', RULE, '❯ draft', RULE, '  status'], {}],
    ['in a box', ['text', ...BOX], {}],
    ['between half blocks', ['▄'.repeat(20), ' > draft', '▀'.repeat(20)], {}],
    ['behind a bar', ['  ┃  draft', '  ┃  model', `  ╹${'▀'.repeat(20)}`], {}],
    [
      'without a glyph, when it holds the cursor',
      ['text', RULE, 'draft', RULE],
      { cursor: { row: 2, col: 5, visible: false } },
    ],
    ['bare, with the cursor', ['text', '› draft', '', '  status'], visible(1, 7)],
    ['of several lines', ['text', RULE, '❯ one', '  two', RULE], { cursor: { row: 3, col: 5, visible: false } }],
    [
      'far above the end of the screen',
      ['text', ...BOX, '', '', '', '', '', '', '', '', '', '', '', '', '', '', '', '/tmp'],
      {},
    ],
  ] as const)('is seen %s', (_, lines, more) => {
    expect(has(lines, 'composer', more)).toBe(true);
  });

  it.each([
    [
      'a prompt in the history',
      ['▄'.repeat(20), ' > asked', '▀'.repeat(20), ...Array.from({ length: 8 }, () => 'answer')],
    ],
    ['a prompt without the cursor', ['› asked', 'answer']],
    ['a table', ['━━━━━━  ━━━━━━━  ━━━━━━━', ' > a', '──────  ───────  ───────']],
    ['a box that another one covers', ['  ────          ────', '  ❯ Wh   Open   t', '  ────          ────']],
  ])('is not %s', (_, lines) => {
    expect(has(lines, 'composer')).toBe(false);
  });

  it('divides the screen', () => {
    const lines = ['one', '', 'two', '── ⠼ Working ─────────────', '❯ draft', RULE, '  footer'];
    const view = viewOf(sample(lines));
    expect(regionOf(view, 'above_composer', 1)).toEqual(['two']);
    expect(regionOf(view, 'composer', null)).toEqual(['❯ draft']);
    expect(regionOf(view, 'composer_frame', null)).toEqual(['⠼ Working']);
    expect(regionOf(view, 'footer', null)).toEqual(['  footer']);
  });
});

describe('a dialog', () => {
  it.each<[string, Shape, readonly string[]]>([
    ['a marked list with key hints', 'list_dialog', ['❯ alpha', '  beta', '', 'enter select · esc cancel']],
    ['a marked list of answers', 'list_dialog', ['Run it', '> Yes', '  No']],
    ['a radio list', 'list_dialog', ['◆ Do you allow?', '│ ● Allow', '│ ○ Always Allow', '│ ○ Deny', '└']],
    [
      'a list in a box',
      'list_dialog',
      ['╭────────────╮', '│ Proceed?   │', '│ ● 1. Once  │', '│   2. Never │', '╰────────────╯'],
    ],
    ['a list whose mark is a colour', 'list_dialog', ['Proceed?', ' 1. Yes', ' 2. No', '↑↓ navigate • Enter select']],
    [
      'options with descriptions',
      'list_dialog',
      ['Which?', '❯ 1. A', '     about a', '  2. B', '     about b', 'Enter to select'],
    ],
    [
      'answers side by side',
      'button_dialog',
      ['Permission required', '$ rm x', ' Allow once   Allow always   Reject   enter confirm'],
    ],
    ['answers with their keys', 'button_dialog', ['Approve tool call?', '  [y] Approve   [n] Deny']],
    ['a key to send it', 'form_dialog', ['Paste the key:', '', 'Press enter to continue']],
    ['options that nothing proves', 'unknown_dialog', ['Things', '❯ alpha', '  beta']],
  ])('is seen in %s', (_, shape, lines) => {
    expect(has(lines, shape)).toBe(true);
  });

  it.each(['Continue? (y/n) ', 'Add it to the chat? (Y)es/(N)o [Yes]: ', 'Proceed [Y/n/t]:'])(
    'is seen in "%s"',
    (line) => {
      expect(has([line], 'yes_no_dialog', visible(0, line.length))).toBe(true);
    },
  );

  it('is not what stands above a composer', () => {
    expect(has(['Proceed?', '❯ 1. Yes', '  2. No', 'esc to cancel', ...BOX], 'dialog')).toBe(false);
    expect(has(['? Continue (y/n)', ...BOX], 'dialog')).toBe(false);
  });

  it('is not the menu of a command that is being typed', () => {
    const menu = [RULE, '/', RULE, '→ /model   choose one', '  /quit    leave', '  enter select · esc cancel'];
    expect(has(menu, 'dialog', visible(1, 1))).toBe(false);
    expect(has(menu, 'unknown_dialog', visible(1, 1))).toBe(false);
  });

  it('is not a list that is being typed', () => {
    const draft = [RULE, '❯ 1. Yes', '  2. No', RULE];
    expect(has(draft, 'dialog', { cursor: { row: 2, col: 7, visible: false } })).toBe(false);
    expect(has(['› 1. Yes', '  2. No'], 'dialog', visible(1, 7))).toBe(false);
  });
});

describe('a sign of work', () => {
  it.each([
    ['a spinner', ['⠼ Reading', ...BOX]],
    [
      'a spinner before a paragraph that is being written',
      ['⠼ Some text', ...Array.from({ length: 9 }, () => '  text'), ...BOX],
    ],
    ['a glyph before what goes on', ['✻ Thinking… (3s)', ...BOX]],
    ['a counter', ['• Working (12s • esc to interrupt)', ...BOX]],
    ['a hint in the footer', [...BOX, '  manual mode · esc to interrupt']],
    ['a word in the footer', [...BOX, ' ◉ Working · 85 B']],
    ['a word in the frame', ['── ⠼ Working ─────────────', 'draft', RULE]],
  ])('is %s', (_, lines) => {
    expect(has(lines, 'work', { cursor: { row: lines.length - 2, col: 2, visible: true } })).toBe(true);
  });

  it.each([
    ['prose about one', ['Press Esc to interrupt is what the footer shows.', ...BOX]],
    ['a thing that is done', ['✻ Churned for 2s · done', '● Ran it', ...BOX]],
    ['a picture of dots', ['⣀⣤⣶⣿⣿', '⠈⠛⠿', ...BOX]],
    ['the hints of a dialog', ['❯ 1. A', '  2. B', 'enter to submit | esc to interrupt']],
  ])('is not %s', (_, lines) => {
    expect(has(lines, 'work')).toBe(false);
  });
});
