import type { Agents } from './agents.js';
import type { Id } from './domain/entities.js';

/** Remembers, from before a prompt is written, whether its agent works or anything was said of it. */
export class TurnWatch {
  /** It worked already when the watch began. */
  readonly wasWorking: boolean;
  readonly #agents: Agents;
  readonly #surfaceId: Id;
  readonly #end: () => void;
  #sawWorking = false;
  #onWorking: () => void = () => undefined;

  constructor(agents: Agents, surfaceId: Id) {
    this.#agents = agents;
    this.#surfaceId = surfaceId;
    this.wasWorking = agents.statusOf(surfaceId).state === 'working';
    this.#end = agents.watch(surfaceId, ({ now }) => {
      if (now.state !== 'working') return;
      this.#sawWorking = true;
      this.#onWorking();
    });
  }

  get sawWorking(): boolean {
    return this.#sawWorking;
  }

  /** Some state was known once, before or since. */
  get wasReported(): boolean {
    return this.#agents.wasReported(this.#surfaceId);
  }

  /** @returns whether it worked by the end of so many milliseconds, or of the signal */
  async working(ms: number, signal: AbortSignal): Promise<boolean> {
    if (this.#sawWorking || ms <= 0) return this.#sawWorking;
    await new Promise<void>((resolve) => {
      const end = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      signal.addEventListener('abort', end, { once: true });
      this.#onWorking = end;
    });
    return this.#sawWorking;
  }

  end(): void {
    this.#end();
  }
}
