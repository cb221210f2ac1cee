import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { type Client, connectClient } from '@switchyard/client';
import type { Yard } from '@switchyard/testing';

/** What the scenarios count: the renames of a workspace, whose titles are numbers. */
const KIND = 'workspace.renamed';
const AGAIN_AFTER_MS = 50;

/** Subscribes with its cursor, and again with it whenever the connection has gone. */
export class ResumingReader {
  readonly titles: number[] = [];
  readonly gaps: unknown[] = [];
  readonly #yard: Yard;
  #cursor: string | undefined;
  #client: Client | undefined;
  #stopped = false;
  #running: Promise<void> = Promise.resolve();

  constructor(yard: Yard) {
    this.#yard = yard;
  }

  /** Resolves when the first subscription stands. */
  async start(): Promise<void> {
    await this.#subscribe();
    this.#running = this.#resume();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#client?.close();
    await this.#running;
  }

  async #resume(): Promise<void> {
    while (!this.#stopped) {
      await this.#client?.closed;
      if (!this.#stopped) await this.#subscribe().catch(() => delay(AGAIN_AFTER_MS));
    }
  }

  async #subscribe(): Promise<void> {
    const client = await connectClient(this.#yard.paths.gatewaySocket);
    client.onEvent((frame) => this.#take(frame));
    this.#client = client;
    const cursor = this.#cursor === undefined ? {} : { cursor: this.#cursor };
    const answer = await client.call('events.subscribe', { kinds: [KIND], ...cursor }).catch((error: unknown) => {
      client.close();
      throw error;
    });
    this.#cursor ??= answer.cursor;
    if (answer.gap !== undefined) this.gaps.push(answer.gap);
  }

  #take(frame: Record<string, unknown>): void {
    if (frame['event'] === 'gap') this.gaps.push(frame);
    if (frame['event'] !== KIND) return;
    this.#cursor = String(frame['cursor']);
    this.titles.push(Number((frame['data'] as { title: string }).title));
  }
}

/** A subscriber that does no more with its frames than look at their numbers, so that a hundred fit into one process. */
export class CountingReader {
  /** Number of the last title. */
  last = 0;
  /** Titles that came, and those that were told to be lost. */
  count = 0;
  lost = 0;
  /** Whether each title was above the one before it. */
  inOrder = true;
  readonly #socket: Socket;
  #text = '';
  #answered: (() => void) | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setEncoding('utf8');
    socket.on('data', (part: string) => this.#read(part));
  }

  /** @param method `events.subscribe` or the peer's `subscribe` */
  static async open(path: string, method: 'events.subscribe' | 'subscribe'): Promise<CountingReader> {
    const reader = new CountingReader(connect(path));
    const params = method === 'subscribe' ? { classes: ['workspace_lifecycle'] } : { kinds: [KIND] };
    const answered = new Promise<void>((resolve) => {
      reader.#answered = resolve;
    });
    reader.#socket.write(`${JSON.stringify({ id: 1, method, params })}\n`);
    await answered;
    return reader;
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  close(): void {
    this.#socket.destroy();
  }

  #read(part: string): void {
    const lines = (this.#text + part).split('\n');
    this.#text = lines.pop() ?? '';
    for (const line of lines) this.#take(line);
  }

  #take(line: string): void {
    const title = /"title":"(\d+)"/.exec(line)?.[1];
    if (title !== undefined) {
      this.count++;
      this.inOrder &&= Number(title) > this.last;
      this.last = Number(title);
      return;
    }
    const lost = /"event":"(?:gap|dropped)".*"count":(\d+)/.exec(line)?.[1];
    if (lost !== undefined) this.lost += Number(lost);
    else this.#answered?.();
  }
}
