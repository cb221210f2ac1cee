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
  /** Those who are about to listen. */
  joining: number;
  /** As it was at the last look; undefined: before the first. */
  text: string | undefined;
  looking: Promise<void> | undefined;
  /** Another look is due after the one under way. */
  again: boolean;
}

/** The text that terminals print, for all who want it of one of them together. A mark of the pty-host starts a look. */
export class OutputWatches {
  readonly #bus: WatchBus;
  readonly #log: Log;
  readonly #watches = new Map<string, Watch>();
  /** Marks are heard only while somebody wants them. */
  #stopHearing: (() => void) | undefined;

  constructor(bus: WatchBus, log: Log) {
    this.#bus = bus;
    this.#log = log;
  }

  /**
   * Begins with what is there now, of which the listener hears nothing.
   *
   * @returns ends it
   * @throws `not_found` without a terminal
   */
  async listen(surfaceId: string, address: string, listener: OutputListener): Promise<() => void> {
    const watch = this.#watches.get(surfaceId) ?? this.#begin(surfaceId, address);
    watch.joining++;
    try {
      await this.#look(surfaceId, watch);
      watch.listeners.add(listener);
    } finally {
      watch.joining--;
      this.#endUnheard(surfaceId, watch);
    }
    return () => {
      watch.listeners.delete(listener);
      this.#endUnheard(surfaceId, watch);
    };
  }

  stop(): void {
    this.#stopHearing?.();
    this.#watches.clear();
  }

  #begin(surfaceId: string, address: string): Watch {
    const watch: Watch = {
      listeners: new Set(),
      address,
      joining: 0,
      text: undefined,
      looking: undefined,
      again: false,
    };
    this.#watches.set(surfaceId, watch);
    this.#stopHearing ??= this.#bus.subscribe('terminal.output', ({ surface_id }) => {
      const marked = this.#watches.get(surface_id);
      // Who joins hears what goes wrong with it.
      if (marked !== undefined) this.#look(surface_id, marked).catch(() => undefined);
    });
    return watch;
  }

  #endUnheard(surfaceId: string, watch: Watch): void {
    if (watch.listeners.size + watch.joining > 0 || this.#watches.get(surfaceId) !== watch) return;
    this.#watches.delete(surfaceId);
    if (this.#watches.size > 0) return;
    this.#stopHearing?.();
    this.#stopHearing = undefined;
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
        this.#tell(watch, await this.#read(surfaceId, watch.address));
      } catch (error) {
        if (watch.text === undefined) throw error;
        // Its next mark, if there is one, looks again and finds what is new since the last look.
        if (error instanceof SwitchyardError && (isAway(error) || error.code === 'not_found')) return;
        this.#log.error({ err: error, surface_id: surfaceId }, 'the text of a terminal could not be read');
        return;
      }
    }
  }

  #tell(watch: Watch, text: string): void {
    const added = watch.text === undefined ? '' : tailOf(newText(watch.text, text), MAX_TEXT);
    watch.text = text;
    if (added !== '') for (const listener of [...watch.listeners]) listener(added);
  }

  async #read(surfaceId: string, address: string): Promise<string> {
    const asked = { surface_id: surfaceId, scrollback: true, lines: LINES };
    return (await this.#bus.call('terminal.read_text', asked, { address })).text;
  }
}
