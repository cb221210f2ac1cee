import type { SerializeAddon } from '@xterm/addon-serialize';
import type { IBuffer, IBufferCell, Terminal } from '@xterm/headless';
import { geometryBytes, keyboardBytes, printingBytes, quietModeBytes } from './mode-bytes.js';
import type { ModeTracker } from './mode-tracker.js';

const CSI = '\x1b[';
const RESET_PEN = `${CSI}m`;
const CLEAN = `${RESET_PEN}${CSI}H${CSI}J`;
/** Serialising a coloured row takes about 14 µs, so a piece keeps the event loop for a few milliseconds. */
const ROWS_PER_PIECE = 256;
/**
 * No row at all. Of a number behind the last row the addon would get the first one when the scrollback is full, and rows that
 * have been taken away when it is not: xterm keeps its rows in a ring.
 */
const NOWHERE = { start: 0.5, end: 0.5 };
const NO_ROW = { excludeModes: true, excludeAltBuffer: true } as const;

/**
 * Bytes that paint a terminal into a fresh one of the same size. The addon paints rows well; cursor, alternate screen,
 * pen and modes are written here, because it keeps too few of them and moves the cursor relative to where it believes
 * to be (a mark in a cell of its own, or a grapheme that the reader joins differently, would shift it).
 */
export function* paintTerminal(
  terminal: Terminal,
  addon: SerializeAddon,
  modes: ModeTracker,
  scrollbackLines: number,
): Generator<string, void> {
  yield CLEAN;
  yield* paintMain(terminal, addon, scrollbackLines);
  yield quietModeBytes(modes);
  yield keyboardBytes(modes.keyboard.main);
  if (modes.altScreen !== null && terminal.buffer.active.type === 'alternate') {
    const main = terminal.buffer.normal;
    yield place(main.cursorY, main.cursorX) + RESET_PEN;
    yield `${CSI}?${modes.altScreen}h${CSI}H${alternateRows(addon)}${keyboardBytes(modes.keyboard.alt)}`;
  }
  yield geometryBytes(modes) + cursorAndPen(terminal, addon, modes) + printingBytes(modes);
}

function* paintMain(terminal: Terminal, addon: SerializeAddon, scrollbackLines: number): Generator<string, void> {
  const buffer = terminal.buffer.normal;
  let from = Math.max(0, buffer.baseY - scrollbackLines);
  // The last piece holds more rows than the screen: of a shorter one the addon drops the blank rows at its end.
  while (buffer.length - from > ROWS_PER_PIECE + terminal.rows + 1) {
    const next = lineEnd(buffer, from + ROWS_PER_PIECE);
    if (buffer.length - next <= terminal.rows) break;
    yield `${addon.serialize({ ...NO_ROW, range: { start: from, end: next - 1 } })}${RESET_PEN}\r\n`;
    from = next;
  }
  yield addon.serialize({ ...NO_ROW, range: { start: from, end: buffer.length - 1 } }) + RESET_PEN;
}

/** A piece must not end inside a wrapped line: the reader would not wrap it. @returns row after the end of the line */
function lineEnd(buffer: IBuffer, row: number): number {
  let next = row;
  while (next < buffer.length && buffer.getLine(next)?.isWrapped) next++;
  return next;
}

/** The addon gives the alternate screen only behind some of the main one: what comes after that is it. */
function alternateRows(addon: SerializeAddon): string {
  const main = addon.serialize({ ...NO_ROW, range: NOWHERE });
  const both = addon.serialize({ excludeModes: true, range: NOWHERE });
  return both.slice(main.length).replace(`${CSI}?1049h${CSI}H`, '');
}

const place = (row: number, column: number) => `${CSI}${row + 1};${column + 1}H`;

function cursorAndPen(terminal: Terminal, addon: SerializeAddon, modes: ModeTracker): string {
  const { active } = terminal.buffer;
  const top = modes.isOn(6) && modes.region !== null ? modes.region.top - 1 : 0;
  const row = active.cursorY - top;
  const pen = RESET_PEN + presentPen(addon);
  if (active.cursorX < terminal.cols) return place(row, active.cursorX) + pen;
  // The cursor waits behind the last column for the next character to wrap. Only printing gets it there.
  const line = active.getLine(active.baseY + active.cursorY);
  const last = line?.getCell(terminal.cols - 1);
  const column = last?.getWidth() === 0 ? terminal.cols - 2 : terminal.cols - 1;
  const cell = line?.getCell(column);
  if (cell === undefined) return place(row, column) + pen;
  return place(row, column) + cellPen(cell) + (cell.getChars() || ' ') + pen;
}

/** Serialising a row that does not exist leaves only the attributes that the next character would have. */
function presentPen(addon: SerializeAddon): string {
  return addon.serialize({ ...NO_ROW, range: NOWHERE });
}

function cellPen(cell: IBufferCell): string {
  const codes: (string | number)[] = [0];
  if (cell.isBold()) codes.push(1);
  if (cell.isDim()) codes.push(2);
  if (cell.isItalic()) codes.push(3);
  if (cell.isUnderline()) codes.push(4);
  if (cell.isBlink()) codes.push(5);
  if (cell.isInverse()) codes.push(7);
  if (cell.isInvisible()) codes.push(8);
  if (cell.isStrikethrough()) codes.push(9);
  if (cell.isOverline()) codes.push(53);
  if (cell.isFgPalette()) codes.push(38, 5, cell.getFgColor());
  if (cell.isFgRGB()) codes.push(38, 2, ...channels(cell.getFgColor()));
  if (cell.isBgPalette()) codes.push(48, 5, cell.getBgColor());
  if (cell.isBgRGB()) codes.push(48, 2, ...channels(cell.getBgColor()));
  return `${CSI}${codes.join(';')}m`;
}

const channels = (colour: number) => [(colour >> 16) & 0xff, (colour >> 8) & 0xff, colour & 0xff];
