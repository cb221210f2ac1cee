/** Reads `line 00000001`, `line 00000002`, … in pieces of any size and says whether each came once and in order. */
export class NumberedLines {
  #rest = '';
  #next = 1;
  /** The first thing that was not as expected, or null. */
  fault = null;

  get count() {
    return this.#next - 1;
  }

  /** @param {Buffer} bytes */
  push(bytes) {
    const lines = (this.#rest + bytes.toString('latin1')).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      const expected = `line ${String(this.#next).padStart(8, '0')}\r`;
      if (line !== expected && this.fault === null) {
        this.fault = `expected ${JSON.stringify(expected)}, found ${JSON.stringify(line.slice(0, 60))}`;
      }
      this.#next++;
    }
  }
}

/** Reads all that a terminal has printed, to the end. @returns bytes read */
export async function readAll(client, surface_id, onBytes) {
  let offset = 0;
  for (;;) {
    const slice = await client.call('surface.read_output', {
      surface_id,
      offset,
      max_bytes: 1024 * 1024,
      wait_ms: 5000,
    });
    if (slice.gap) throw new Error(`the log no longer has ${JSON.stringify(slice.gap)}`);
    onBytes(Buffer.from(slice.data, 'base64'));
    offset = slice.next_offset;
    if (slice.eof) return offset;
  }
}
