import type { Id } from './domain/entities.js';

/** Why a wait ends before its terminal says so. */
export type Departure = 'closed' | 'exited';

export interface Watch {
  readonly signal: AbortSignal;
  /** Set once the signal is aborted. */
  readonly departure: Departure | undefined;
  /** Must be called when the wait is over. */
  end(): void;
}

/** The waits that must end when their surface leaves the tree. */
export class Waits {
  readonly #bySurface = new Map<Id, Set<(departure: Departure) => void>>();

  watch(surfaceId: Id): Watch {
    const controller = new AbortController();
    let departure: Departure | undefined;
    const leave = (why: Departure) => {
      departure = why;
      controller.abort();
    };
    const all = this.#bySurface.get(surfaceId) ?? new Set();
    this.#bySurface.set(surfaceId, all.add(leave));
    return {
      signal: controller.signal,
      get departure() {
        return departure;
      },
      end: () => {
        all.delete(leave);
        if (all.size === 0 && this.#bySurface.get(surfaceId) === all) this.#bySurface.delete(surfaceId);
      },
    };
  }

  /** The surface left the tree: everything that waits for it is told. */
  departed(surfaceId: Id, departure: Departure): void {
    const all = this.#bySurface.get(surfaceId);
    this.#bySurface.delete(surfaceId);
    for (const leave of all ?? []) leave(departure);
  }
}
