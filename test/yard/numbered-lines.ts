import type { Client } from '@switchyard/client';

/** As much as one reply may well carry. */
const PIECE_BYTES = 1024 * 1024;

/** Follows what a terminal prints from its own cursor and expects `line 00000001`, `line 00000002`, … exactly once. */
export class LineFollower {
  readonly surfaceId: string;
  #offset: number;
  #rest = '';
  #next = 1;

  /** @param offset where the first line begins */
  constructor(surfaceId: string, offset: number) {
    this.surfaceId = surfaceId;
    this.#offset = offset;
  }

  get offset(): number {
    return this.#offset;
  }

  /** @throws Error at the first line that is missing, doubled or damaged */
  async readUntil(client: Client, lastLine: number): Promise<void> {
    while (this.#next <= lastLine) {
      const slice = await client.call('surface.read_output', {
        surface_id: this.surfaceId,
        offset: this.#offset,
        max_bytes: PIECE_BYTES,
        wait_ms: 5000,
      });
      if (slice.gap !== undefined) throw new Error(`${this.surfaceId}: the log has a gap ${JSON.stringify(slice.gap)}`);
      if (slice.next_offset === this.#offset) {
        throw new Error(`${this.surfaceId}: nothing after offset ${this.#offset}, line ${this.#next} is missing`);
      }
      this.#offset = slice.next_offset;
      this.#check(Buffer.from(slice.data, 'base64').toString('latin1'));
    }
  }

  #check(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      if (line !== `${lineText(this.#next)}\r`) {
        throw new Error(
          `${this.surfaceId}: expected ${lineText(this.#next)}, found ${JSON.stringify(line.slice(0, 80))}`,
        );
      }
      this.#next++;
    }
  }
}

export const lineText = (n: number): string => `line ${String(n).padStart(8, '0')}`;

/**
 * A shell that prints so many further numbered lines as each line of a FIFO says, so that all can be told in one moment
 * and past the yard. `READY <pid>;` comes first.
 */
export const linePrinter = (fifo: string): string[] => [
  '/bin/sh',
  '-c',
  `exec 3<>"$1"; printf 'READY %s;\\n' $$; i=0; while read n <&3; do seq -f 'line %08.0f' $((i+1)) $((i+n)); i=$((i+n)); done`,
  'printer',
  fifo,
];
