import type { ReconnectingClient } from '@switchyard/client';
import { SwitchyardError } from '@switchyard/protocol/errors';

/** Said again with what is typed, but not more often: well within the time for which it counts. */
const SAY_EVERY_MS = 20_000;
const CALL_MS = 2000;

/**
 * Tells the yard that a person looks at a surface, as long as that person does something, so that it is not notified of
 * what it sees. It says nothing by itself: who has left the keyboard wants to be told.
 */
export class Attending {
  readonly #client: Pick<ReconnectingClient, 'call'>;
  readonly #surface: string;
  #saidAt = Number.NEGATIVE_INFINITY;

  constructor(client: Pick<ReconnectingClient, 'call'>, surface: string) {
    this.#client = client;
    this.#surface = surface;
  }

  /** The person has just done something. */
  touched(): void {
    const now = performance.now();
    if (now - this.#saidAt < SAY_EVERY_MS) return;
    this.#saidAt = now;
    void this.#say({});
  }

  /** The person looks elsewhere. */
  async left(): Promise<void> {
    await this.#say({ for_ms: 0 });
  }

  /** Where it is not allowed or not heard, one notification too many is sent; that is no reason to stop. */
  async #say(more: { readonly for_ms?: number }): Promise<void> {
    try {
      await this.#client.call('notification.attend', { surface_id: this.#surface, ...more }, { timeoutMs: CALL_MS });
    } catch (error) {
      if (!(error instanceof SwitchyardError)) throw error;
    }
  }
}
