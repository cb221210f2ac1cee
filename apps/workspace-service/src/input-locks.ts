import { SwitchyardError } from '@switchyard/protocol';
import type { Id } from './domain/entities.js';
import type { Call } from './yard-state.js';

/**
 * While a prompt is written to a terminal nothing else is typed there: a key between the paste and its Enter would change
 * the prompt. Prompts take turns; other input waits for the prompts that came before it, in order.
 */
export class InputLocks {
  readonly #held = new Map<Id, Promise<void>>();

  /**
   * Resolves when the prompts that are being written have been. undefined: there is none, so that ordinary input is not
   * held up even by a turn of the event loop.
   *
   * @throws `timeout` at the caller's deadline, `cancelled`
   */
  passage(id: Id, call: Call): Promise<void> | undefined {
    const held = this.#held.get(id);
    return held === undefined ? undefined : raced(held, call);
  }

  /** Waits for its turn. @returns gives the terminal free; must be called. @throws as {@link passage} */
  async hold(id: Id, call: Call): Promise<() => void> {
    const before = this.#held.get(id);
    let free: () => void = () => undefined;
    const own = new Promise<void>((resolve) => {
      free = resolve;
    });
    const mine = before === undefined ? own : before.then(() => own);
    this.#held.set(id, mine);
    void mine.then(() => {
      if (this.#held.get(id) === mine) this.#held.delete(id);
    });
    try {
      if (before !== undefined) await raced(before, call);
      return free;
    } catch (error) {
      free();
      throw error;
    }
  }
}

async function raced(held: Promise<void>, { signal, deadline }: Call): Promise<void> {
  const late = AbortSignal.any([signal, AbortSignal.timeout(Math.max(1, Math.ceil(deadline - performance.now())))]);
  let stop: () => void = () => undefined;
  const stopped = new Promise<'stopped'>((resolve) => {
    stop = () => resolve('stopped');
    late.addEventListener('abort', stop, { once: true });
  });
  const first = await Promise.race([held, stopped]);
  late.removeEventListener('abort', stop);
  if (first !== 'stopped') return;
  if (signal.aborted) throw new SwitchyardError('cancelled', 'The request was withdrawn');
  throw new SwitchyardError('timeout', 'A prompt was still being written to this terminal');
}
