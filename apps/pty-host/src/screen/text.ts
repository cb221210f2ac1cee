import type { IBuffer } from '@xterm/headless';

/**
 * Rows of a buffer as text. A row that the terminal wrapped is one line with the next; cells never written to the right
 * of a line are not part of it, blanks that were written are. Blank lines at the end are dropped.
 *
 * @param from first row
 * @param to row after the last
 * @param wholeLines when `from` continues a line, start with that line's first row
 */
export function rowsToText(buffer: IBuffer, from: number, to: number, wholeLines = true): string {
  const lines: string[] = [];
  let line = '';
  let lastWithText = 0;
  for (let row = wholeLines ? lineStart(buffer, from) : from; row < to; row++) {
    line += buffer.getLine(row)?.translateToString(true) ?? '';
    if (row + 1 < to && buffer.getLine(row + 1)?.isWrapped) continue;
    lines.push(line);
    if (line.trimEnd() !== '') lastWithText = lines.length;
    line = '';
  }
  return lines.slice(0, lastWithText).join('\n');
}

/** The last `count` lines of a buffer, blank ones at its end not counted. */
export function lastLinesOf(buffer: IBuffer, count: number): string {
  let end = buffer.length;
  while (end > 0 && isBlank(buffer, end - 1)) end--;
  let start = end;
  for (let lines = 0; lines < count && start > 0; lines++) start = lineStart(buffer, start - 1);
  return start === end ? '' : rowsToText(buffer, start, end);
}

const isBlank = (buffer: IBuffer, row: number) => buffer.getLine(row)?.translateToString(true).trimEnd() === '';

/** @returns the row in which the line that holds `row` starts */
function lineStart(buffer: IBuffer, row: number): number {
  let start = Math.max(0, row);
  while (start > 0 && buffer.getLine(start)?.isWrapped) start--;
  return start;
}
