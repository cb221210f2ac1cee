import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { ReadStream } from 'node:tty';
import type { ReconnectingClient } from '@switchyard/client';
import { SwitchyardError } from '@switchyard/protocol/errors';

/** Above this, reading from the keyboard stops until the program has taken some: a large paste into a slow program. */
const PAUSE_BYTES = 256 * 1024;
const OVERFLOW_RETRY_MS = 100;
const CALL_MS = 60_000;

/** Sends what is typed, in order, one request at a time; what is typed meanwhile goes in the next one. */
export class InputPump {
  readonly #client: ReconnectingClient;
  readonly #surface: string;
  readonly #source: ReadStream;
  #waiting: Buffer[] = [];
  #bytes = 0;
  #busy = false;

  constructor(client: ReconnectingClient, surface: string, source: ReadStream) {
    this.#client = client;
    this.#surface = surface;
    this.#source = source;
  }

  push(typed: Buffer): void {
    if (typed.length === 0) return;
    this.#waiting.push(typed);
    this.#bytes += typed.length;
    if (this.#bytes > PAUSE_BYTES) this.#source.pause();
    if (!this.#busy) void this.#run();
  }

  async #run(): Promise<void> {
    this.#busy = true;
    while (this.#waiting.length > 0) {
      const data = Buffer.concat(this.#waiting);
      this.#waiting = [];
      await this.#send(data);
      this.#bytes -= data.length;
      if (this.#bytes <= PAUSE_BYTES) this.#source.resume();
    }
    this.#busy = false;
  }

  /** The request id makes a repeat after a lost connection safe: nothing is typed twice. */
  async #send(data: Buffer): Promise<void> {
    for (;;) {
      const params = { surface_id: this.#surface, data: data.toString('base64'), request_id: randomUUID() };
      try {
        await this.#client.call('surface.send_bytes', params, { timeoutMs: CALL_MS });
        return;
      } catch (error) {
        // A terminal that has ended takes no input; its end is told where its output is read.
        if (!(error instanceof SwitchyardError) || error.code !== 'input_overflow') return;
        await delay(OVERFLOW_RETRY_MS);
      }
    }
  }
}
