import type { Bus } from '@switchyard/bus';
import { SwitchyardError } from '@switchyard/protocol';
import type { Log } from '@switchyard/service';
import type { Untold, UntoldStore } from './store/untold-store.js';

/** One call; the answer comes when they are on disk. */
const AT_ONCE = 50;
/** While workspace-service is away; it is also asked when it says that it is back. */
const RETRY_MS = 2000;

/** Hands what is told to the journal, in order, until it is there: what waits is on disk and outlives the process. */
export class JournalWriter {
  readonly #bus: Pick<Bus, 'call' | 'subscribe'>;
  readonly #untold: UntoldStore;
  readonly #log: Log;
  readonly #forget: () => void;
  #sending: Promise<void> | undefined;
  #again = false;
  #retry: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(bus: Pick<Bus, 'call' | 'subscribe'>, untold: UntoldStore, log: Log) {
    this.#bus = bus;
    this.#untold = untold;
    this.#log = log;
    this.#forget = bus.subscribe('service.ready', ({ service }) => {
      if (service === 'workspace-service') this.wake();
    });
  }

  /** There may be something to hand in. */
  wake(): void {
    if (this.#stopped) return;
    this.#again = true;
    clearTimeout(this.#retry);
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined;
      if (this.#again) this.wake();
    });
  }

  /** What waits is handed in by the next run. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#again = false;
    this.#forget();
    clearTimeout(this.#retry);
    await this.#sending;
  }

  async #sendAll(): Promise<void> {
    this.#again = false;
    for (
      let events = this.#untold.first(AT_ONCE);
      events.length > 0 && !this.#stopped;
      events = this.#untold.first(AT_ONCE)
    ) {
      const doneTo = await this.#handIn(events);
      if (doneTo === undefined) {
        this.#again = false;
        if (!this.#stopped) this.#retry = setTimeout(() => this.wake(), RETRY_MS);
        this.#retry?.unref();
        return;
      }
      this.#untold.removeTo(doneTo);
    }
  }

  /** @returns up to which they are done with; undefined: not now */
  async #handIn(events: readonly Untold[]): Promise<number | undefined> {
    try {
      await this.#bus.call('journal.append', { events: events.map(({ seq: _, ...event }) => event) });
      return events.at(-1)?.seq;
    } catch (err) {
      const isWrong = err instanceof SwitchyardError && err.code === 'invalid_params';
      if (!isWrong) {
        this.#log.info({ err, events: events.length }, 'events wait for the journal');
        return undefined;
      }
      const [first] = events;
      // One of many is refused: each is tried alone.
      if (events.length > 1 && first !== undefined) return this.#handIn([first]);
      this.#log.error({ err, key: first?.key, kind: first?.kind }, 'the journal refuses an event');
      return first?.seq;
    }
  }
}
