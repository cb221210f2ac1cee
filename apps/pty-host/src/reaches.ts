import { SwitchyardError } from '@switchyard/protocol';

interface Reach {
  readonly offset: number;
  readonly settle: (outcome?: Error) => void;
}

/** Who waits until a screen has reached an offset. */
export class Reaches {
  readonly #waiting = new Set<Reach>();

  /** @throws SwitchyardError `cancelled` when the signal aborts first, or the reason given to `close` */
  wait(offset: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const withdraw = () => reach.settle(new SwitchyardError('cancelled', 'The caller withdrew the request.'));
      const reach: Reach = {
        offset,
        settle: (outcome) => {
          signal.removeEventListener('abort', withdraw);
          this.#waiting.delete(reach);
          if (outcome === undefined) resolve();
          else reject(outcome);
        },
      };
      this.#waiting.add(reach);
      signal.addEventListener('abort', withdraw, { once: true });
      if (signal.aborted) withdraw();
    });
  }

  reached(isReached: (offset: number) => boolean): void {
    for (const reach of [...this.#waiting]) if (isReached(reach.offset)) reach.settle();
  }

  close(reason: Error): void {
    for (const reach of [...this.#waiting]) reach.settle(reason);
  }
}
