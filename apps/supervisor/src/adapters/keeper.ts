import { KeeperClient } from '@switchyard/pty-host/keeper';
import type { Installation } from '../domain/installation.js';

/** Its check, the farewell of its followers, and taking over a thousand terminals. */
const HANDOFF_MS = 60_000;

/**
 * Has the keeper of a yard replaced by that of this installation, in place.
 *
 * @param main path of our keeper's program
 * @throws Error with the reason when the old one is still, or again, in charge
 */
export async function replaceKeeper(socket: string, main: string, here: Installation): Promise<void> {
  const client = new KeeperClient({ socket, follower: 'supervisor', onEvent: () => undefined });
  try {
    await connected(client);
    const refused = await client.call('handoff', { node: process.execPath, main }, { timeoutMs: HANDOFF_MS }).then(
      () => undefined,
      (error: Error & { code?: string }) => (error.code === 'connection_closed' ? undefined : error),
    );
    if (refused !== undefined) throw new Error(`the keeper stays: ${refused.message}`, { cause: refused });
    await connected(client);
    const { software, handoff } = await client.call('hello', { version: 2, follower: 'supervisor' });
    if (handoff?.outcome !== 'adopted' || software !== here.version) {
      throw new Error(`the old keeper took its terminals back: ${handoff?.reason ?? 'it says no reason'}`);
    }
  } finally {
    client.close();
  }
}

function connected(client: KeeperClient): Promise<void> {
  if (client.connected) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error('the keeper does not answer')), HANDOFF_MS);
    const end = client.onConnect(() => {
      clearTimeout(late);
      end();
      resolve();
    });
    client.start();
  });
}
