import { fail } from '@switchyard/protocol';

/** A person and some scripts; more of them wait for something that hangs. */
const MOST_WAITING = 64;

/** Lets one thing at a time be done to each of many things, in the order in which it was asked for. */
export class Turns {
  readonly #queues = new Map<string, { tail: Promise<unknown>; length: number }>();

  /** @throws what `fn` throws; `overloaded` when too many wait */
  async take<T>(key: string, fn: () => Promise<T>): Promise<T> {
    const queue = this.#queues.get(key) ?? { tail: Promise.resolve(), length: 0 };
    if (queue.length >= MOST_WAITING) return fail('overloaded', 'Too many requests wait for this review', { key });
    this.#queues.set(key, queue);
    queue.length++;
    const turn = queue.tail.then(fn, fn);
    queue.tail = turn;
    try {
      return await turn;
    } finally {
      queue.length--;
      if (queue.length === 0) this.#queues.delete(key);
    }
  }
}
