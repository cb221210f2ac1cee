/** Words of one cell in xterm's lines: content, foreground, background. */
export const CELL_WORDS = 3;
/** A number below 2^32 in seven bits a byte. */
const MAX_NUMBER_BYTES = 5;
const NUMBERS_PER_RUN = 4;
/** The low byte of the content of a cell: of ASCII, its character. */
const LOW = 0xff;

/** Bytes that a packed line never exceeds: when each cell is a run of its own. */
export function mostBytes(cells: number): number {
  return (NUMBERS_PER_RUN * MAX_NUMBER_BYTES + 1) * cells + MAX_NUMBER_BYTES;
}

/**
 * Cells, small: the low bytes of their contents without the empty ones at the end, and all else, which is the same for many
 * cells in a row, as runs. A plain line of 200 columns takes 2,400 bytes before, and its text and 10 after.
 *
 * @param out with room for {@link mostBytes} from `at`
 * @returns where the line ends
 */
export function packLine(cells: Uint32Array, out: Uint8Array, at: number): number {
  let texts = cells.length;
  while (texts > 0 && ((cells[texts - CELL_WORDS] ?? 0) & LOW) === 0) texts -= CELL_WORDS;
  let end = putNumber(texts / CELL_WORDS, out, at);
  for (let i = 0; i < texts; i += CELL_WORDS) out[end++] = cells[i] ?? 0;
  for (let i = 0; i < cells.length; ) {
    const next = endOfRun(cells, i);
    end = putNumber(((cells[i] ?? 0) & ~LOW) >>> 0, out, end);
    end = putNumber(cells[i + 1] ?? 0, out, end);
    end = putNumber(cells[i + 2] ?? 0, out, end);
    end = putNumber((next - i) / CELL_WORDS, out, end);
    i = next;
  }
  return end;
}

/** @param from where {@link packLine} began @param cells of a line of the same length, all of which are written */
export function unpackLine(packed: Uint8Array, from: number, cells: Uint32Array): void {
  at = from;
  const texts = takeNumber(packed);
  const text = at;
  at += texts;
  for (let i = 0; i < cells.length; ) {
    const content = takeNumber(packed);
    const foreground = takeNumber(packed);
    const background = takeNumber(packed);
    for (let left = takeNumber(packed); left > 0; left--) {
      cells[i] = content;
      cells[i + 1] = foreground;
      cells[i + 2] = background;
      i += CELL_WORDS;
    }
  }
  for (let i = 0; i < texts; i++) {
    const cell = i * CELL_WORDS;
    cells[cell] = (cells[cell] ?? 0) | (packed[text + i] ?? 0);
  }
}

function endOfRun(cells: Uint32Array, first: number): number {
  const content = (cells[first] ?? 0) & ~LOW;
  const foreground = cells[first + 1];
  const background = cells[first + 2];
  let i = first + CELL_WORDS;
  while (
    i < cells.length &&
    ((cells[i] ?? 0) & ~LOW) === content &&
    cells[i + 1] === foreground &&
    cells[i + 2] === background
  ) {
    i += CELL_WORDS;
  }
  return i;
}

function putNumber(value: number, out: Uint8Array, from: number): number {
  let left = value;
  let end = from;
  while (left >= 0x80) {
    out[end++] = (left & 0x7f) | 0x80;
    left >>>= 7;
  }
  out[end++] = left;
  return end;
}

/** Where the next number is taken from: one line is unpacked at a time, and thousands in a row. */
let at = 0;

function takeNumber(packed: Uint8Array): number {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = packed[at++] ?? 0;
    value |= (byte & 0x7f) << shift;
    if (byte < 0x80) return value >>> 0;
  }
}
