import { setTimeout as delay } from 'node:timers/promises';
import { type Client, connectClient } from '@switchyard/client';
import { AGAIN_AFTER_MS, isPassing } from './door.js';
import type { LineChecker } from './line-checker.js';
import type { World } from './world.js';

const SUBSCRIBE_MS = 60_000;

/** Follows a terminal with `surface.stream`, and again from the offset it has when the connection is lost. */
export class StreamReader {
  readonly #world: World;
  readonly #surface: string;
  readonly #checker: LineChecker;
  #stopped = false;
  #client: Client | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(world: World, surface: string, checker: LineChecker) {
    this.#world = world;
    this.#surface = surface;
    this.#checker = checker;
  }

  start(): void {
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#client?.close();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#stopped) {
      await this.#once().catch((error: unknown) => {
        if (!isPassing(error)) this.#world.ledger.fault('wrong answers', `surface.stream: ${String(error)}`);
      });
      if (!this.#stopped) await delay(AGAIN_AFTER_MS);
    }
  }

  /** Resolves when the connection has ended. */
  async #once(): Promise<void> {
    const client = await connectClient(this.#world.yard.paths.gatewaySocket);
    this.#client = client;
    if (this.#stopped) client.close();
    client.onEvent((frame) => this.#take(frame, client));
    this.#world.ledger.did('requests');
    try {
      const asked = { surface_id: this.#surface, offset: this.#checker.next };
      await client.call('surface.stream', asked, { timeoutMs: SUBSCRIBE_MS });
    } catch (error) {
      client.close();
      throw error;
    }
    await client.closed;
  }

  #take(frame: Record<string, unknown>, client: Client): void {
    const { ledger } = this.#world;
    if (frame['event'] === 'gap') ledger.fault('bytes lost', `surface.stream: ${JSON.stringify(frame)}`);
    if (frame['ended'] !== undefined) {
      ledger.fault('wrong answers', `surface.stream: ${JSON.stringify(frame)}`);
      client.close();
    }
    if (typeof frame['data'] !== 'string' || typeof frame['offset'] !== 'number') return;
    this.#checker.take(frame['offset'], Buffer.from(frame['data'], 'base64'));
  }
}
