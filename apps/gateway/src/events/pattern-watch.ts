import { setTimeout as delay } from 'node:timers/promises';
import type { Bus } from '@switchyard/bus';
import { SwitchyardError } from '@switchyard/protocol';
import type { Log } from '@switchyard/service';
import { isAway } from './journal-reader.js';
import type { LiveSink, LiveSource } from './subscription.js';

type PatternBus = Pick<Bus, 'call' | 'subscribe'>;

/** A terminal whose text is watched. */
export interface WatchedSurface {
  readonly surface_id: string;
  readonly workspace_id: string | null;
  /** Of its pty-host. */
  readonly address: string;
}

export interface WantedText {
  readonly pattern: string;
  /** Only the last so many lines count. */
  readonly lines: number;
}

/** One question to the pty-host; it is asked again when the time is over. */
const ASK_MS = 10 * 60_000;
/** While the pty-host is away. */
const RETRY_MS = 500;

/** Whether the text is there now. @throws `invalid_params` for a pattern that is none, `not_found` without a terminal */
export async function isThere(
  bus: Pick<Bus, 'call'>,
  { surface_id, address }: WatchedSurface,
  text: WantedText,
  signal?: AbortSignal,
): Promise<boolean> {
  return (await ask(bus, { surface_id, address }, text, 0, signal)) !== undefined;
}

/** Waits for the text. @returns undefined when it did not come in time */
async function ask(
  bus: Pick<Bus, 'call'>,
  { surface_id, address }: Pick<WatchedSurface, 'surface_id' | 'address'>,
  { pattern, lines }: WantedText,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<{ readonly match: string; readonly offset: number } | undefined> {
  try {
    const asked = { surface_id, pattern, lines, timeout_ms: timeoutMs };
    const { match = '', offset } = await bus.call('terminal.wait', asked, { address, ...(signal && { signal }) });
    return { match, offset };
  } catch (error) {
    if (error instanceof SwitchyardError && error.code === 'timeout') return undefined;
    throw error;
  }
}

/**
 * The kind `output_matched`, edge-triggered: told when the text appears, and again only after it has been gone. While it
 * is there, it is looked for after each output; while it is not, the pty-host watches for it.
 */
export class PatternWatch implements LiveSource {
  readonly #bus: PatternBus;
  readonly #log: Log;
  readonly #surface: WatchedSurface;
  readonly #text: WantedText;
  readonly #stop = new AbortController();
  /** The text is there, and that is known to the client. */
  #known: boolean;
  #wake: () => void = () => undefined;

  /** @param known the text was there when the subscription began */
  constructor(bus: PatternBus, log: Log, surface: WatchedSurface, text: WantedText, known: boolean) {
    this.#bus = bus;
    this.#log = log;
    this.#surface = surface;
    this.#text = text;
    this.#known = known;
  }

  start(sink: LiveSink): void {
    const { surface_id } = this.#surface;
    const end = this.#bus.subscribe('terminal.output', (mark) => mark.surface_id === surface_id && this.#wake());
    this.#stop.signal.addEventListener('abort', end, { once: true });
    this.#run(sink).catch((error: unknown) => {
      if (!this.#stop.signal.aborted) this.#log.error({ err: error, surface_id }, 'a pattern is watched no more');
    });
  }

  resume(): void {
    this.#wake();
  }

  close(): void {
    this.#stop.abort();
    this.#wake();
  }

  async #run(sink: LiveSink): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      try {
        await (this.#known ? this.#untilGone() : this.#untilThere(sink));
      } catch (error) {
        if (error instanceof SwitchyardError && error.code === 'not_found') return;
        if (signal.aborted || !isAway(error)) throw error;
        await delay(RETRY_MS, undefined, { ref: false });
      }
    }
  }

  async #untilThere(sink: LiveSink): Promise<void> {
    const { workspace_id, surface_id } = this.#surface;
    const found = await ask(this.#bus, this.#surface, this.#text, ASK_MS, this.#stop.signal);
    if (found === undefined) return;
    while (!sink.hasRoom && !this.#stop.signal.aborted) await this.#woken();
    if (this.#stop.signal.aborted) return;
    const data = { pattern: this.#text.pattern, ...found };
    sink.push('output_matched', { at: Date.now(), workspace_id, surface_id, data });
    this.#known = true;
  }

  async #untilGone(): Promise<void> {
    const woken = this.#woken();
    this.#known = await isThere(this.#bus, this.#surface, this.#text, this.#stop.signal);
    if (this.#known) await woken;
  }

  #woken(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}
