import { SwitchyardError } from '@switchyard/protocol/errors';

interface Pending {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly release: () => void;
}

export interface WaitOptions {
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  /** Made when the time is up. */
  readonly late: () => Error;
}

/** The calls of one connection that have no reply yet, by id. Each is settled exactly once and leaves nothing behind. */
export class PendingCalls {
  readonly #calls = new Map<number, Pending>();
  #lastId = 0;

  get size(): number {
    return this.#calls.size;
  }

  /** @returns the id to send, and the promise of what {@link settle} or {@link fail} is told */
  open({ timeoutMs, signal, late }: WaitOptions): { id: number; reply: Promise<unknown> } {
    const id = ++this.#lastId;
    const reply = new Promise<unknown>((resolve, reject) => {
      const timer = setTimeout(() => this.fail(id, late()), timeoutMs);
      const onAbort = () => this.fail(id, new SwitchyardError('cancelled', 'The call was cancelled.'));
      signal?.addEventListener('abort', onAbort, { once: true });
      const release = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
      };
      this.#calls.set(id, { resolve, reject, release });
    });
    return { id, reply };
  }

  settle(id: number, result: unknown): void {
    this.#take(id)?.resolve(result);
  }

  fail(id: number, error: Error): void {
    this.#take(id)?.reject(error);
  }

  failAll(error: Error): void {
    for (const id of [...this.#calls.keys()]) this.fail(id, error);
  }

  #take(id: number): Pending | undefined {
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    call?.release();
    return call;
  }
}
