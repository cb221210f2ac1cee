import { setTimeout as delay } from 'node:timers/promises';
import type { Bus } from '@switchyard/bus';
import { type Dialect, type Result, SwitchyardError } from '@switchyard/protocol';
import type { Log } from '@switchyard/service';
import { frameLine, membersOf, type PushChannel } from './channel.js';
import { isAway } from './journal-reader.js';
import type { Pushing } from './subscription.js';

type Slice = Result<'terminal.read_output'>;

/** One frame; a third more in base64. Small enough that other frames of the connection get their turn. */
const FRAME_BYTES = 48 * 1024;
/** One question to the pty-host; a silent terminal costs one in this time. */
const WAIT_MS = 10 * 60_000;
/** While the pty-host is away. */
const RETRY_MS = 500;

export interface StreamOptions {
  readonly id: string;
  readonly surfaceId: string;
  /** Of the pty-host. */
  readonly address: string;
  readonly offset: number;
  readonly dialect: Dialect;
  readonly channel: PushChannel;
  readonly bus: Pick<Bus, 'call'>;
  readonly log: Log;
  /** The last frame is on its way. */
  readonly onEnd: () => void;
}

/**
 * Exact output of one terminal. Nothing is read from the log that the client has no room for, so a slow client holds up
 * nothing and loses nothing but what the log itself drops, which is told as a gap.
 */
export class SurfaceStream implements Pushing {
  readonly id: string;
  readonly #options: StreamOptions;
  readonly #stop = new AbortController();
  #offset: number;
  #endRoom: () => void = () => undefined;
  #wake: () => void = () => undefined;

  constructor(options: StreamOptions) {
    this.id = options.id;
    this.#options = options;
    this.#offset = options.offset;
  }

  start(): void {
    const { channel, log, surfaceId, onEnd } = this.#options;
    this.#endRoom = channel.onRoom(() => this.#wake());
    this.#run()
      .catch((error: unknown) => {
        if (this.#stop.signal.aborted) return;
        log.error({ err: error, surface_id: surfaceId }, 'a stream of output has ended');
        this.#push({ ended: 'failed' });
      })
      .finally(onEnd);
  }

  close(): void {
    this.#endRoom();
    this.#stop.abort();
    this.#wake();
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      await this.#untilRoom();
      const slice = await this.#read();
      if (signal.aborted) return;
      if (slice === 'gone') return this.#push({ ended: 'closed' });
      if (slice === 'away') await delay(RETRY_MS, undefined, { ref: false });
      else if (this.#tell(slice)) return;
    }
  }

  async #read(): Promise<Slice | 'gone' | 'away'> {
    const { bus, surfaceId, address } = this.#options;
    const asked = { surface_id: surfaceId, offset: this.#offset, max_bytes: FRAME_BYTES, wait_ms: WAIT_MS };
    try {
      return await bus.call('terminal.read_output', asked, { address, signal: this.#stop.signal });
    } catch (error) {
      if (error instanceof SwitchyardError && error.code === 'not_found') return 'gone';
      if (isAway(error)) return 'away';
      throw error;
    }
  }

  /** @returns whether it was the last */
  #tell({ offset, next_offset, data, eof, exit, gap }: Slice): boolean {
    if (gap !== undefined) {
      const { from, to } = gap;
      const facts = { subscription_id: this.id, surface_id: this.#options.surfaceId, reason: 'expired', from, to };
      this.#options.channel.push(frameLine(this.#options.dialect, 'gap', membersOf(facts)));
    }
    this.#offset = next_offset;
    if (data !== '') this.#push({ offset, next_offset, data });
    if (eof) this.#push({ ended: 'exited', offset: next_offset, ...(exit && { exit }) });
    return eof;
  }

  #push(facts: object): void {
    const { channel, dialect, surfaceId } = this.#options;
    const members = membersOf({ subscription_id: this.id, surface_id: surfaceId, ...facts });
    if (!this.#stop.signal.aborted) channel.push(frameLine(dialect, 'surface.stream', members));
  }

  async #untilRoom(): Promise<void> {
    while (!this.#options.channel.hasRoom && !this.#stop.signal.aborted) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
