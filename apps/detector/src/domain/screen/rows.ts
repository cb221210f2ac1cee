/** One row of the screen, with what frames around it taken away so that text is compared with text. */
export interface Row {
  /** As shown. */
  readonly raw: string;
  /** Side borders replaced by blanks, so that columns stay; no blanks at the end. */
  readonly text: string;
  readonly indent: number;
  readonly blank: boolean;
  readonly rule: Rule | null;
}

/** A horizontal line, or the top or bottom of a box. */
export interface Rule {
  readonly edge: 'top' | 'bottom' | 'line';
  /** What is written into it. */
  readonly label: string;
}

/** No terminal that a person works in is larger; a row beyond is not read. */
const MAX_COLS = 1000;
/** A box in a box in a box; deeper ones are pictures. */
const MAX_FRAMES = 3;

const INVISIBLE = /\ufe0e|\ufe0f|\u200b|\u200d|\u2060/g;
const BLANKS = /[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g;
const LEFT_BORDER = /^(\s*)[│┃║▏▎▌┆┊](?=\s|$)/;
const RIGHT_BORDER = /\s*[│┃║▕▐┆┊]\s*$/;
const RULE_CHARS = '─━═▄▀▔▁╌┄╍┈‾—_';
const RULE_START = new RegExp(`^(?:[╭┌╔╻╰└╚╹├╠╟][${RULE_CHARS}]|[${RULE_CHARS}]{2})`);
const RULE_PARTS = new RegExp(`[╭┌╔╻╮┐╗╰└╚╹╯┘╝├┤╠╣╟╢┬┴┼${RULE_CHARS}]`, 'g');
const RULE_WHOLE = new RegExp(`^[╭┌╔╻╰└╚╹├╠╟]?[${RULE_CHARS}┬┴┼]+[╮┐╗╯┘╝┤╣╢]?$`);
/** A shorter line is a dash or a table. */
const SHORTEST_RULE = 10;
/** A line of which less is a line is text. */
const RULE_SHARE = 0.4;

/** Most rows are the same from one frame to the next: what they are is found out once. Some megabytes at most. */
const MAX_KNOWN = 8192;
const known = new Map<string, Row>();

export function rowsOf(lines: readonly string[]): Row[] {
  if (known.size > MAX_KNOWN) known.clear();
  return lines.map((line) => {
    const row = known.get(line) ?? rowOf(line);
    known.set(line, row);
    return row;
  });
}

/** Without what takes no cell, and with one kind of blank. */
export const visibleText = (text: string): string => text.replace(INVISIBLE, '').replace(BLANKS, ' ');

function rowOf(line: string): Row {
  const raw = visibleText(line.slice(0, MAX_COLS)).trimEnd();
  const text = unframed(raw);
  return {
    raw,
    text,
    indent: text.length - text.trimStart().length,
    blank: text.trim() === '',
    rule: ruleOf(raw, text),
  };
}

function unframed(raw: string): string {
  let text = raw;
  for (let i = 0; i < MAX_FRAMES; i++) {
    const inner = text.replace(LEFT_BORDER, '$1 ');
    if (inner === text) break;
    text = inner.replace(RIGHT_BORDER, '');
  }
  return text.trimEnd();
}

function ruleOf(raw: string, text: string): Rule | null {
  const line = raw.trim();
  return plainRule(line) ?? (text === raw ? null : plainRule(text.trim()));
}

function plainRule(line: string): Rule | null {
  if (line.length < SHORTEST_RULE || !RULE_START.test(line)) return null;
  const drawn = line.length - line.replace(RULE_PARTS, '').length;
  if (drawn < SHORTEST_RULE / 2 || drawn / line.length < RULE_SHARE) return null;
  const label = line.replace(RULE_PARTS, ' ').replace(/\s+/g, ' ').trim();
  // Pieces of a line with gaps between them are a table, or a box that another one covers.
  if (label === '' && !RULE_WHOLE.test(line)) return null;
  return { edge: edgeOf(line), label };
}

function edgeOf(line: string): Rule['edge'] {
  if (/^[╭┌╔╻]/.test(line) || /^▄/.test(line) || /^▁/.test(line)) return 'top';
  if (/^[╰└╚╹]/.test(line) || /^▀/.test(line) || /^▔/.test(line)) return 'bottom';
  return 'line';
}

/** Index of the last row with something on it; -1: the screen is empty. */
export function lastFilled(rows: readonly Row[]): number {
  return rows.findLastIndex((row) => row.raw.trim() !== '');
}

/** Indices of the filled rows of [from, to), top first. */
export function filledIn(rows: readonly Row[], from: number, to: number): number[] {
  const found: number[] = [];
  for (let i = Math.max(0, from); i < Math.min(rows.length, to); i++) if (!rows[i]?.blank) found.push(i);
  return found;
}

export const textAt = (rows: readonly Row[], index: number): string => rows[index]?.text ?? '';
