import type { Bus, Log } from '@switchyard/bus';
import { type JournalData, type JournalKind, SwitchyardError } from '@switchyard/protocol';

/** What a service tells the yard of what it did. */
export interface ToldEvent<K extends JournalKind = JournalKind> {
  /** Names this event for ever: telling it again changes nothing. */
  readonly key: string;
  readonly kind: K;
  /** Default: that of the surface. */
  readonly workspace_id?: string | null;
  readonly surface_id?: string | null;
  readonly data: JournalData<K>;
}

/** Far more than happens while workspace-service restarts. */
const MOST_WAITING = 1024;
/** While workspace-service is away; it is also asked when it says that it is back. */
const RETRY_MS = 2000;

/**
 * Hands events of a service to the journal, in order, each until it is there. Never holds up or fails what it tells of.
 * What waits is in memory: it is lost with the process.
 */
export class EventWriter {
  readonly #bus: Pick<Bus, 'call' | 'subscribe'>;
  readonly #log: Log;
  readonly #waiting: ToldEvent[] = [];
  readonly #unsubscribe: () => void;
  #sending: Promise<void> | undefined;
  /** It came back while it was being asked: what it does not answer now was asked of the run before. */
  #isBack = false;
  #retry: NodeJS.Timeout | undefined;

  constructor(bus: Pick<Bus, 'call' | 'subscribe'>, log: Log) {
    this.#bus = bus;
    this.#log = log;
    this.#unsubscribe = bus.subscribe('service.ready', ({ service }) => {
      if (service !== 'workspace-service') return;
      this.#isBack = true;
      void this.#send();
    });
  }

  /** Events that the journal has not taken yet. */
  get waiting(): number {
    return this.#waiting.length;
  }

  tell<K extends JournalKind>(event: ToldEvent<K>): void {
    if (this.#waiting.length >= MOST_WAITING) {
      const { key, kind } = this.#waiting.shift() ?? event;
      this.#log.error({ key, kind }, 'too many events wait for the journal: the oldest is given up');
    }
    this.#waiting.push(event);
    void this.#send();
  }

  /** Tries once more to hand in what waits. Nothing is told after it. */
  async stop(): Promise<void> {
    this.#unsubscribe();
    await this.#send();
    clearTimeout(this.#retry);
  }

  #send(): Promise<void> {
    clearTimeout(this.#retry);
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined;
    });
    return this.#sending;
  }

  async #sendAll(): Promise<void> {
    for (let event = this.#waiting[0]; event !== undefined; event = this.#waiting[0]) {
      this.#isBack = false;
      const isDone = await this.#handIn(event);
      if (!isDone && this.#isBack) continue;
      if (!isDone) {
        this.#retry = setTimeout(() => void this.#send(), RETRY_MS);
        this.#retry.unref();
        return;
      }
      // It may have been given up meanwhile.
      if (this.#waiting[0] === event) this.#waiting.shift();
    }
  }

  /** @returns false: not now */
  async #handIn(event: ToldEvent): Promise<boolean> {
    try {
      await this.#bus.call('journal.append', { events: [event] });
      return true;
    } catch (err) {
      const { key, kind } = event;
      const isWrong = err instanceof SwitchyardError && err.code === 'invalid_params';
      if (isWrong) this.#log.error({ err, key, kind }, 'the journal refuses an event');
      else this.#log.info({ err, key, kind }, 'an event waits for the journal');
      return isWrong;
    }
  }
}
