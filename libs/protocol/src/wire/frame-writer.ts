/** Largest reply by default: a screen or a slice of output is far smaller; a whole log is read in slices. */
export const MAX_REPLY_BYTES = 64 * 1024 * 1024;
/** Largest request by default: the peer's limit, which its clients rely on. */
export const MAX_REQUEST_BYTES = 8 * 1024 * 1024;

const NEWLINE = '\n';

/**
 * Makes the line for one frame.
 *
 * @param json one JSON value without line breaks, as JSON.stringify writes it
 * @returns undefined when the line, without its newline, is over `maxBytes`
 */
export function frameOf(json: string, maxBytes: number): Buffer | undefined {
  // A UTF-16 unit is one to three bytes of UTF-8: most lines are judged without counting.
  if (json.length > maxBytes) return undefined;
  if (json.length * 3 > maxBytes && Buffer.byteLength(json) > maxBytes) return undefined;
  return Buffer.from(json + NEWLINE, 'utf8');
}
