import type { Id } from './domain/entities.js';

/** How often each surface was flashed. A screen would show it; without one the count is all there is. */
export class Flashes {
  readonly #counts = new Map<Id, number>();

  trigger(id: Id): void {
    this.#counts.set(id, this.count(id) + 1);
  }

  count(id: Id): number {
    return this.#counts.get(id) ?? 0;
  }

  reset(): void {
    this.#counts.clear();
  }

  forget(id: Id): void {
    this.#counts.delete(id);
  }
}
