/** Anything that moves the cursor, erases, colours or joins; a line end is "\r\n", as a terminal makes it of "\n". */
const MORE_THAN_TEXT = /[^\x20-\x7e\r\n]|\r(?!\n)|(?<!\r)\n/;

/**
 * @returns what a program has printed as text, when it is whole lines of printable ASCII and nothing else: then it stands
 *   on the screen as it was printed. undefined otherwise.
 */
export function plainLines(output: Buffer): string | undefined {
  if (output.at(-1) !== LINE_FEED) return undefined;
  const text = output.toString('latin1');
  return MORE_THAN_TEXT.test(text) ? undefined : text;
}

/** Output that is looked at ends with a line where it can. @returns the first bytes of `output`, or all */
export function upToLineEnd(output: Buffer): Buffer {
  const end = output.lastIndexOf(LINE_FEED) + 1;
  return end === 0 ? output : output.subarray(0, end);
}

const LINE_FEED = 0x0a;
