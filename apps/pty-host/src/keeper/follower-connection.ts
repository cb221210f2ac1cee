import type { Socket } from 'node:net';
import { shardOf } from '@switchyard/config/shard';
import { systemCode } from './fault.js';
import type { KeeperEvent, KeeperReply } from './protocol.js';

/** With this much unread, output marks are only merged: a slow follower gets fewer, newer ones. */
const UNREAD_MARKS_BYTES = 64 * 1024;
/** A follower that reads nothing is cut off; when it comes back it lists what there is. */
const UNREAD_LIMIT_BYTES = 32 * 1024 * 1024;

/** What the keeper sends to one connection, bounded whatever the other side does. */
export class FollowerConnection {
  readonly #socket: Socket;
  readonly #marks = new Map<string, number>();
  #shard: { readonly shard: number; readonly shards: number } | undefined;
  #flush: NodeJS.Immediate | undefined;
  #pending = 0;
  #ended = false;
  name = 'unknown';
  /** It understands the event `handoff`, and ends its side. */
  knowsHandoff = false;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('drain', () => this.#flushMarks());
  }

  /** Nothing more comes from it, and everything that it has sent is answered. */
  get finished(): boolean {
    return this.#socket.destroyed || (this.#ended && this.#pending === 0 && this.#socket.writableLength === 0);
  }

  /** Answers a request; what is under way when the other side ends is answered before ours does. */
  async serve(answer: Promise<KeeperReply>): Promise<void> {
    this.#pending += 1;
    const reply = await answer;
    this.#pending -= 1;
    this.#send(reply);
    if (this.#ended && this.#pending === 0) this.#socket.end();
  }

  /** The other side has ended. */
  ended(): void {
    this.#ended = true;
    if (this.#pending === 0) this.#socket.end();
  }

  follow(shard: number, shards: number): void {
    this.#shard = { shard, shards };
  }

  follows(surfaceId: string): boolean {
    return this.#shard !== undefined && shardOf(surfaceId, this.#shard.shards) === this.#shard.shard;
  }

  /** Told at the end of this turn of the loop, or when the follower reads again; only the newest counts. */
  mark(surfaceId: string, offset: number): void {
    this.#marks.set(surfaceId, offset);
    this.#flush ??= setImmediate(() => {
      this.#flush = undefined;
      this.#flushMarks();
    });
  }

  event(event: KeeperEvent): void {
    // What was marked before is told before; when it cannot be, the event's own offset covers it.
    this.#flushMarks();
    if (event.ev === 'exit' || event.ev === 'forgotten') this.#marks.delete(event.surface_id);
    this.#send(event);
  }

  close(): void {
    clearImmediate(this.#flush);
    this.#socket.destroy();
  }

  #flushMarks(): void {
    if (this.#marks.size === 0 || this.#socket.writableLength > UNREAD_MARKS_BYTES) return;
    const at = Object.fromEntries(this.#marks);
    this.#marks.clear();
    this.#send({ ev: 'output', at });
  }

  #send(line: KeeperEvent | KeeperReply): void {
    if (this.#socket.destroyed) return;
    if (this.#socket.writableLength > UNREAD_LIMIT_BYTES) {
      this.#socket.destroy(new Error(`${this.name} does not read`));
      return;
    }
    this.#socket.write(`${JSON.stringify(line)}\n`);
  }
}

/** A follower that went away is not a fault of the keeper. */
export function isDeparture(error: unknown): boolean {
  return ['EPIPE', 'ECONNRESET'].includes(systemCode(error) ?? '');
}
