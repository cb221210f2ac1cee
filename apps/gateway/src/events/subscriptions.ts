import { fail } from '@switchyard/protocol';
import type { Pushing } from './subscription.js';

/** Of one connection; a client that wants more asks for more at once. */
const MAX_SUBSCRIPTIONS = 64;

/** What is pushed to one connection. */
export class Subscriptions {
  readonly #all = new Map<string, Pushing>();
  /** The one of `subscribe`: there is at most one, and `unsubscribe` ends no other. */
  #peer: Pushing | undefined;
  #isClosed = false;
  readonly #onEnd: () => void;

  /** @param onEnd told whenever one has ended */
  constructor(onEnd: () => void = () => undefined) {
    this.#onEnd = onEnd;
  }

  get size(): number {
    return this.#all.size;
  }

  /** @throws `overloaded` when there are as many as there may be */
  checkRoom(): void {
    if (this.#all.size < MAX_SUBSCRIPTIONS) return;
    fail('overloaded', `This connection has ${this.#all.size} subscriptions already`, { limit: MAX_SUBSCRIPTIONS });
  }

  /** Of a client that has left meanwhile it ends at once. */
  add(pushing: Pushing): void {
    if (this.#isClosed) pushing.close();
    else this.#all.set(pushing.id, pushing);
  }

  /** Takes the place of the one there is. */
  addPeer(pushing: Pushing): void {
    this.endPeer();
    this.add(pushing);
    this.#peer = pushing;
  }

  endPeer(): void {
    if (this.#peer !== undefined) this.end(this.#peer.id);
  }

  /** @returns whether there was one */
  end(id: string): boolean {
    const pushing = this.#all.get(id);
    if (pushing === undefined) return false;
    pushing.close();
    this.#all.delete(id);
    if (this.#peer === pushing) this.#peer = undefined;
    this.#onEnd();
    return true;
  }

  /** @returns whether there were any */
  endAll(): boolean {
    const ids = [...this.#all.keys()];
    for (const id of ids) this.end(id);
    return ids.length > 0;
  }

  /** The client is gone: all ends, and what is added ends at once. */
  close(): void {
    this.#isClosed = true;
    this.endAll();
  }

  /** Begins to push, unless it was ended since. */
  start(pushing: Pushing): void {
    if (this.#all.get(pushing.id) === pushing) pushing.start();
  }
}
