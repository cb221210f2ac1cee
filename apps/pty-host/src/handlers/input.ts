import type { HandlerContext } from '@switchyard/bus';
import { type Handlers, SwitchyardError } from '@switchyard/protocol';
import { encodeKey, type KeyModes } from '../domain/keys.js';
import { pastedText, typedText } from '../domain/typed-text.js';
import type { Follower } from '../follower.js';
import type { KeeperLink } from '../keeper-link.js';
import type { Surfaces } from '../surfaces.js';

type InputMethod = 'terminal.write' | 'terminal.send_text' | 'terminal.send_key';

/**
 * Keys are encoded for the modes that the program has set by now. A terminal that floods is behind for longer than typing
 * may be delayed; its modes as known then have to do.
 */
const MODES_MS = 250;

/** What is typed, pasted or pressed. */
export function inputHandlers(
  surfaces: Surfaces,
  keeper: KeeperLink,
): Pick<Handlers<'pty-host', HandlerContext>, InputMethod> {
  const type = async (surfaceId: string, bytes: Buffer, ctx: HandlerContext) => {
    // A request that is sent again after a crash has the same id: the keeper types it once.
    const input = { surface_id: surfaceId, data: bytes.toString('base64'), input_id: ctx.requestId ?? ctx.callId };
    const taken = await keeper.call('input', input, { signal: ctx.signal });
    return { bytes: taken.bytes, offset: taken.offset };
  };
  return {
    'terminal.write': ({ surface_id, data }, ctx) => {
      surfaces.get(surface_id);
      return type(surface_id, Buffer.from(data, 'base64'), ctx);
    },
    'terminal.send_text': async ({ surface_id, text, paste }, ctx) => {
      const { keys, bracketed } = await presentModes(surfaces.get(surface_id));
      const bytes = Buffer.from(paste ? pastedText(text, keys, bracketed) : typedText(text, keys));
      return { ...(await type(surface_id, bytes, ctx)), bracketed: paste && bracketed };
    },
    'terminal.send_key': async ({ surface_id, key }, ctx) => {
      const { keys } = await presentModes(surfaces.get(surface_id));
      const bytes = encodeKey(key, keys);
      if (bytes === undefined) throw new SwitchyardError('invalid_params', 'Unknown key', { key });
      return type(surface_id, Buffer.from(bytes), ctx);
    },
  };
}

async function presentModes(follower: Follower): Promise<{ keys: KeyModes; bracketed: boolean }> {
  try {
    await follower.caughtUp(AbortSignal.timeout(MODES_MS));
  } catch (error) {
    if (follower.closed !== undefined) throw error;
  }
  return follower.inputModes;
}
