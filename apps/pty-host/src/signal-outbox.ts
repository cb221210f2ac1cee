import type { Bus } from '@switchyard/bus';
import { SwitchyardError } from '@switchyard/protocol';
import type { Log } from '@switchyard/service';
import type { Signal } from './signal-reader.js';

/** Of one surface; what a program asks for while the notifier restarts is far less. The oldest go. */
const MOST_WAITING = 64;
/** While the notifier is away; it is also asked when it says that it is back. */
const RETRY_MS = 2000;

/**
 * Hands signals to the notifier, those of a surface in order, each until it has been taken. Who takes them leaves out what
 * it has, so sending twice is harmless; what is not taken yet is in the checkpoint of its surface.
 */
export class SignalOutbox {
  readonly #bus: Pick<Bus, 'call' | 'subscribe'>;
  readonly #log: Log;
  readonly #waiting = new Map<string, Signal[]>();
  readonly #forget: () => void;
  #sending = false;
  #retry: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(bus: Pick<Bus, 'call' | 'subscribe'>, log: Log) {
    this.#bus = bus;
    this.#log = log;
    this.#forget = bus.subscribe('service.ready', ({ service }) => {
      if (service === 'notifier') this.#send();
    });
  }

  add(surfaceId: string, signals: readonly Signal[]): void {
    if (signals.length === 0) return;
    const waiting = this.#waiting.get(surfaceId) ?? [];
    for (const signal of signals) {
      // Ringing twice before anybody listens is ringing once.
      if (signal.kind === 'bell' && waiting.at(-1)?.kind === 'bell') waiting.pop();
      waiting.push(signal);
    }
    const over = waiting.length - MOST_WAITING;
    if (over > 0) this.#log.warn({ surface_id: surfaceId, given_up: over }, 'too many notifications of one terminal');
    this.#waiting.set(surfaceId, waiting.slice(Math.max(0, over)));
    this.#send();
  }

  /** Of a surface, those that have not been taken. */
  waiting(surfaceId: string): readonly Signal[] {
    return this.#waiting.get(surfaceId) ?? [];
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#retry);
    this.#forget();
  }

  #send(): void {
    if (this.#sending || this.#stopped) return;
    this.#sending = true;
    clearTimeout(this.#retry);
    void this.#sendAll().finally(() => {
      this.#sending = false;
    });
  }

  async #sendAll(): Promise<void> {
    for (let next = this.#next(); next !== undefined && !this.#stopped; next = this.#next()) {
      const [surfaceId, signals] = next;
      const takenTo = await this.#handIn(surfaceId, signals);
      if (takenTo === undefined) {
        this.#retry = setTimeout(() => this.#send(), RETRY_MS);
        this.#retry.unref();
        return;
      }
      const left = this.waiting(surfaceId).filter(({ offset }) => offset > takenTo);
      this.#waiting.delete(surfaceId);
      if (left.length > 0) this.#waiting.set(surfaceId, left);
    }
  }

  #next(): readonly [string, Signal[]] | undefined {
    for (const entry of this.#waiting) return entry;
    return undefined;
  }

  /** @returns offset up to which they are done with; undefined: not now */
  async #handIn(surface_id: string, signals: Signal[]): Promise<number | undefined> {
    try {
      await this.#bus.call('notification.hear', { surface_id, signals });
    } catch (err) {
      const isWrong = err instanceof SwitchyardError && err.code === 'invalid_params';
      if (isWrong) this.#log.error({ err, surface_id }, 'the notifier refuses what a terminal tells');
      else this.#log.info({ err, surface_id }, 'what a terminal tells waits for the notifier');
      if (!isWrong) return undefined;
    }
    return signals.at(-1)?.offset ?? 0;
  }
}
