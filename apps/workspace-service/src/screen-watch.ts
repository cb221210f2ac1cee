import type { Bus } from '@switchyard/bus';
import type { Agents } from './agents.js';
import type { Id } from './domain/entities.js';

/** Hears that a screen, or the state of the agent on it, may have changed. Counts, so that no change is missed. */
export class ScreenWatch {
  readonly #ends: readonly (() => void)[];
  #changed = false;
  #wake: () => void = () => undefined;

  constructor(bus: Bus, agents: Agents, surfaceId: Id) {
    const note = () => {
      this.#changed = true;
      this.#wake();
    };
    this.#ends = [
      bus.subscribe('terminal.output', ({ surface_id }) => {
        if (surface_id === surfaceId) note();
      }),
      agents.watch(surfaceId, note),
    ];
  }

  /** Resolves at the next change since this was last asked, at the latest after `ms`. */
  async changed(ms: number): Promise<void> {
    if (!this.#changed) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#changed = false;
  }

  end(): void {
    for (const end of this.#ends) end();
  }
}
