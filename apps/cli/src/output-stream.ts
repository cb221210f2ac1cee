import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { ReconnectingClient } from '@switchyard/client';
import type { Result } from '@switchyard/protocol';

export type Slice = Result<'surface.read_output'>;

/** One request waits this long for new output; then it is asked again. */
const WAIT_MS = 20_000;
/** Also bridges a restart of the gateway. */
const CALL_MS = 60_000;
/** Small enough to appear soon, large enough for a flood. */
const SLICE_BYTES = 256 * 1024;

/**
 * A terminal's output from an offset on, as it comes, until its program has ended and everything has been read.
 * What is lost because nobody kept it comes as a slice with `gap`.
 */
export async function* outputFrom(
  client: ReconnectingClient,
  surface_id: string,
  offset: number,
  signal: AbortSignal,
): AsyncGenerator<Slice> {
  for (let at = offset; ; ) {
    const params = { surface_id, offset: at, wait_ms: WAIT_MS, max_bytes: SLICE_BYTES };
    const slice = await client.call('surface.read_output', params, { timeoutMs: CALL_MS, signal });
    at = slice.next_offset;
    yield slice;
    if (slice.eof) return;
  }
}

/** Writes exact bytes; waits while the reader is behind. */
export async function writeAll(stream: Writable, bytes: Buffer): Promise<void> {
  if (bytes.length > 0 && !stream.write(bytes)) await once(stream, 'drain');
}
