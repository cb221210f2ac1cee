import type { Log } from '@switchyard/service';
import type { Desk } from '../desk.js';
import type { Message } from '../domain/message.js';
import { clean } from '../domain/notice.js';
import { retryDelay } from '../domain/retry.js';
import type { DueDelivery } from '../store/delivery-store.js';
import { type Adapter, Refused } from './adapter.js';

/** An adapter that takes longer hangs. */
const ATTEMPT_MS = 10_000;
/** The largest delay a timer of Node takes. */
const LONGEST_TIMER_MS = 2_147_483_647;

/**
 * Takes what is to be delivered through one adapter, one after the other, with retries that end. It holds up nobody: what
 * waits is on disk, and each adapter has a courier of its own.
 */
export class Courier {
  readonly #adapter: Adapter;
  readonly #desk: Desk;
  readonly #log: Log;
  readonly #stop = new AbortController();
  #working: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(adapter: Adapter, desk: Desk, log: Log) {
    this.#adapter = adapter;
    this.#desk = desk;
    this.#log = log;
  }

  /** There may be something to deliver. */
  wake(): void {
    if (this.#working !== undefined || this.#stop.signal.aborted) return;
    clearTimeout(this.#timer);
    const next = this.#desk.deliveries.next(this.#adapter.name);
    if (next === undefined) return;
    const wait = (next.next_at ?? 0) - this.#desk.now();
    if (wait > 0) {
      this.#timer = setTimeout(() => this.wake(), Math.min(wait, LONGEST_TIMER_MS));
      this.#timer.unref();
      return;
    }
    this.#working = this.#deliver(next).finally(() => {
      this.#working = undefined;
      this.wake();
    });
  }

  /** What was not delivered is by the next run. */
  async stop(): Promise<void> {
    this.#stop.abort();
    clearTimeout(this.#timer);
    await this.#working;
  }

  async #deliver(delivery: DueDelivery): Promise<void> {
    const { deliveries, items } = this.#desk;
    const { id, notification_id, attempts } = delivery;
    // Whoever has read it in the meantime need not be told.
    if (attempts > 0 && notification_id !== null && !items.isUnread(notification_id)) {
      deliveries.finish(id, 'dropped', attempts, delivery.error, this.#desk.now());
      return;
    }
    const attempt = attempts + 1;
    const limit = AbortSignal.timeout(ATTEMPT_MS);
    try {
      const message = JSON.parse(delivery.message) as Message;
      await this.#adapter.deliver({ id, attempt, message }, AbortSignal.any([limit, this.#stop.signal]));
      deliveries.finish(id, 'delivered', attempt, null, this.#desk.now());
    } catch (error) {
      // It was cut off by our own end: it counts for nothing.
      if (!this.#stop.signal.aborted) this.#failed(delivery, attempt, error as Error);
    }
  }

  #failed(delivery: DueDelivery, attempt: number, error: Error): void {
    const { id, adapter, notification_id } = delivery;
    const reason = clean(error.message) || error.name;
    const delay = error instanceof Refused ? null : retryDelay(attempt);
    this.#log.warn(
      { delivery: id, adapter, attempt, reason, retry_ms: delay },
      'a notification could not be delivered',
    );
    if (delay !== null) this.#desk.deliveries.retry(id, attempt, reason, this.#desk.now() + delay);
    else this.#desk.change(() => this.#desk.fail(id, adapter, notification_id, attempt, reason, delivery));
  }
}
