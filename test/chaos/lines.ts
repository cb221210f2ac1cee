/** Numbers in a line; with them a line is longer than a small read and shorter than a row of a terminal. */
const WORDS = 8;
const WORD_MODULUS = 99_999_989;
const SUM_MODULUS = 999_983;

/** `001 000000042 <8 words> <checksum>` and the line end that the terminal makes of a line feed. */
export const LINE_BYTES = 3 + 1 + 9 + WORDS * 9 + 1 + 6 + 2;

const padded = (value: number, width: number) => String(value).padStart(width, '0');

/** @returns line `n` (from 1) of a printer (1 – 999): known from the two numbers alone, and no other is like it */
export function lineOf(printer: number, n: number): string {
  const words: string[] = [];
  let sum = 0;
  for (let k = 1; k <= WORDS; k++) {
    const word = (n * (1_000_003 + 7919 * k) + printer * 104_729 + k * 15_485_863) % WORD_MODULUS;
    sum += k * word;
    words.push(padded(word, 8));
  }
  return `${padded(printer, 3)} ${padded(n, 9)} ${words.join(' ')} ${padded(sum % SUM_MODULUS, 6)}`;
}

/** The same as {@link lineOf}, in the language that every system has. */
const AWK = `BEGIN { for (n = from; n <= to; n++) {
  s = sprintf("%03d %09d", p, n); sum = 0
  for (k = 1; k <= ${WORDS}; k++) {
    w = (n * (1000003 + 7919 * k) + p * 104729 + k * 15485863) % ${WORD_MODULUS}; sum += k * w; s = s sprintf(" %08d", w)
  }
  printf "%s %06d\\n", s, sum % ${SUM_MODULUS}
} }`;

/**
 * A shell that prints so many further lines as each line of a FIFO says, so that it is told past the yard.
 * `READY <pid>;` comes first.
 */
export const printerArgv = (printer: number, fifo: string): string[] => [
  '/bin/sh',
  '-c',
  `exec 3<>"$1"; printf 'READY %s;\\n' $$; i=0
while read n <&3; do awk -v p="$2" -v from=$((i+1)) -v to=$((i+n)) "$3"; i=$((i+n)); done`,
  'printer',
  fifo,
  String(printer),
  AWK,
];

const LINE = new RegExp(`(\\d{3}) (\\d{9})((?: \\d{8}){${WORDS}}) (\\d{6})\\r\\n`, 'g');

export interface FoundLine {
  readonly number: number;
  /** Index in the text. */
  readonly index: number;
}

/** The first whole and undamaged line of a printer in a text, told by its own checksum. */
export function findLine(printer: number, text: string): FoundLine | undefined {
  for (const match of text.matchAll(LINE)) {
    const [whole, , number] = match;
    if (whole === `${lineOf(printer, Number(number))}\r\n`) return { number: Number(number), index: match.index };
  }
  return undefined;
}
