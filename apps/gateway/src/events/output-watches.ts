import type { Bus } from '@switchyard/bus';
import { SwitchyardError } from '@switchyard/protocol';
import type { Log } from '@switchyard/service';
import { newText, tailOf } from '../domain/new-text.js';
import { isAway } from './journal-reader.js';

type WatchBus = Pick<Bus, 'call' | 'subscribe'>;

/** Of the text of a terminal only its end is compared; a frame has at most {@link MAX_TEXT} characters anyway. */
const LINES = 400;
/** programa-api §7.3. */
export const MAX_TEXT = 4000;

/** Hears what a terminal has printed, as text; at most once per surface and 50 ms. */
export type OutputListener = (text: string) => void;

interface Watch {
  readonly listeners: Set<OutputListener>;
  readonly address: string;
  text: string;
  /** A look is under way, and whether another is due after it. */
  looking: Promise<void> | undefined;
  again: boolean;
}

/** The text that terminals print, for all who want it of one of them together. A mark of the pty-host starts a look. */
export class OutputWatches {
  readonly #bus: WatchBus;
  readonly #log: Log;
  readonly #watches = new Map<string, Watch>();
  readonly #end: () => void;

  constructor(bus: WatchBus, log: Log) {
    this.#bus = bus;
    this.#log = log;
    this.#end = bus.subscribe('terminal.output', ({ surface_id }) => {
      const watch = this.#watches.get(surface_id);
      if (watch !== undefined) void this.#look(surface_id, watch);
    });
  }

  /**
   * Begins with what is there now, of which the listener hears nothing.
   *
   * @returns ends it
   * @throws `not_found` without a terminal
   */
  async listen(surfaceId: string, address: string, listener: OutputListener): Promise<() => void> {
    const known = this.#watches.get(surfaceId);
    const watch = known ?? { listeners: new Set(), address, text: '', looking: undefined, again: false };
    if (known === undefined) {
      watch.text = await this.#read(surfaceId, address);
      // Somebody else may have begun meanwhile; his is as good.
      if (this.#watches.has(surfaceId)) return this.listen(surfaceId, address, listener);
      this.#watches.set(surfaceId, watch);
    } else {
      await this.#look(surfaceId, watch);
    }
    watch.listeners.add(listener);
    return () => {
      watch.listeners.delete(listener);
      if (watch.listeners.size === 0 && this.#watches.get(surfaceId) === watch) this.#watches.delete(surfaceId);
    };
  }

  stop(): void {
    this.#end();
    this.#watches.clear();
  }

  #look(surfaceId: string, watch: Watch): Promise<void> {
    watch.again = true;
    watch.looking ??= this.#lookOn(surfaceId, watch).finally(() => {
      watch.looking = undefined;
    });
    return watch.looking;
  }

  async #lookOn(surfaceId: string, watch: Watch): Promise<void> {
    while (watch.again) {
      watch.again = false;
      try {
        const text = await this.#read(surfaceId, watch.address);
        const added = tailOf(newText(watch.text, text), MAX_TEXT);
        watch.text = text;
        if (added !== '') for (const listener of [...watch.listeners]) listener(added);
      } catch (error) {
        // Its next mark, if there is one, looks again and finds what is new since the last look.
        if (error instanceof SwitchyardError && (isAway(error) || error.code === 'not_found')) return;
        this.#log.error({ err: error, surface_id: surfaceId }, 'the text of a terminal could not be read');
        return;
      }
    }
  }

  async #read(surfaceId: string, address: string): Promise<string> {
    const asked = { surface_id: surfaceId, scrollback: true, lines: LINES };
    return (await this.#bus.call('terminal.read_text', asked, { address })).text;
  }
}
