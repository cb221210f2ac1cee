/** Longest UTF-8 sequence is 4 bytes, so at most 3 can be waiting for the rest. */
const MAX_WAITING = 3;

/** @returns how many bytes at the end of `bytes` begin a character that may yet be completed: 0 … 3 */
export function incompleteTail(bytes: Uint8Array): number {
  const end = bytes.length;
  for (let back = 1; back <= Math.min(MAX_WAITING, end); back++) {
    const byte = bytes[end - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return sequenceLength(byte) > back && soundPrefix(bytes, end - back) ? back : 0;
  }
  return 0;
}

function sequenceLength(lead: number): number {
  if (lead >= 0xc2 && lead <= 0xdf) return 2;
  if (lead >= 0xe0 && lead <= 0xef) return 3;
  if (lead >= 0xf0 && lead <= 0xf4) return 4;
  return 0;
}

/** The byte after some leads has a narrower range (no overlong forms, no surrogates, nothing above U+10FFFF). */
function soundPrefix(bytes: Uint8Array, at: number): boolean {
  const second = bytes[at + 1];
  if (second === undefined) return true;
  const lead = bytes[at] ?? 0;
  const low = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  const high = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  return second >= low && second <= high;
}

/**
 * Bytes to text over any chunking. What is not UTF-8 becomes U+FFFD, as in any terminal and browser; the exact bytes
 * stay in the log.
 */
export class Utf8Decoder {
  #waiting: Buffer = Buffer.alloc(0);

  /** Bytes taken but not yet part of any text. */
  get waiting(): number {
    return this.#waiting.length;
  }

  decode(chunk: Buffer): string {
    const bytes = this.#waiting.length === 0 ? chunk : Buffer.concat([this.#waiting, chunk]);
    const tail = incompleteTail(bytes);
    this.#waiting = Buffer.from(bytes.subarray(bytes.length - tail));
    return bytes.toString('utf8', 0, bytes.length - tail);
  }
}
