import type { SurfacePlace } from '../domain/resolve.js';
import { codeOf, type Terminals } from '../terminals.js';
import type { Call } from '../yard-state.js';

/** One byte is enough to know. */
const ENOUGH_BYTES = 1;

/**
 * Watches what a terminal does after it was typed into, for who asked for that.
 *
 * @param offset of its output when it was typed into
 * @returns what the answer says of it: nothing unless asked
 */
export async function lookedAfter(
  terminals: Terminals,
  { surface }: SurfacePlace,
  offset: number,
  { verify_ms }: { readonly verify_ms?: number },
  call: Call,
): Promise<{ readonly change_seen?: boolean }> {
  if (verify_ms === undefined) return {};
  const asked = { surface_id: surface.id, offset, max_bytes: ENOUGH_BYTES, wait_ms: verify_ms };
  try {
    const { next_offset, eof } = await terminals.ask('terminal.read_output', surface, asked, call);
    return { change_seen: next_offset > offset || eof };
  } catch (error) {
    // The input went in, and with it the terminal went away.
    if (codeOf(error) === 'not_found') return { change_seen: true };
    throw error;
  }
}
