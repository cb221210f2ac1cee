import type { Msg } from '@nats-io/transport-node';
import { CallNumbers } from './call-numbers.js';
import { isNoResponders, type ReplyMeta, replyHeaders } from './headers.js';
import type { Link } from './link.js';
import { pieces } from './parts.js';
import { ackSubject, acksSubject, isAck, lastToken, receiverOf, type Station } from './subjects.js';

/** Pieces sent before the receiver must say that it has them: 2 MiB. More could fill the broker's memory for it. */
const WINDOW = 4;
/** Streams on the way to one receiver; further ones wait for their turn. With the window: 16 MiB. */
const MAX_STREAMS = 8;
/** A receiver that says nothing for so long is gone or hopelessly behind. It will ask again if it lives. */
const ACK_MS = 5000;
const EMPTY = new Uint8Array(0);
const STOP = Buffer.from('stop');

/** The streams to one receiver. */
interface Lane {
  active: number;
  readonly waiting: (() => void)[];
}

/**
 * Sends what is too large for one message, at the pace of the receiver: the broker buffers for a slow reader only up to
 * a point and then cuts it off.
 */
export class PieceSender {
  readonly #link: Link;
  readonly #here: Station;
  readonly #waiting = new Map<string, (goOn: boolean) => void>();
  readonly #ends: (() => void)[] = [];
  readonly #lanes = new Map<string, Lane>();
  #streams = 0;
  readonly #numbers = new CallNumbers();

  constructor(link: Link, here: Station) {
    this.#link = link;
    this.#here = here;
  }

  /** @returns false when the receiver is gone, does not want it, or the connection was lost: it is then incomplete */
  async send(to: string, bytes: Uint8Array, meta: ReplyMeta): Promise<boolean> {
    this.#listen();
    const receiver = receiverOf(to);
    await this.#begin(receiver);
    try {
      return await this.#stream(to, bytes, meta);
    } finally {
      this.#end(receiver);
    }
  }

  close(): void {
    for (const end of this.#ends) end();
    this.#giveUp();
  }

  async #stream(to: string, bytes: Uint8Array, meta: ReplyMeta): Promise<boolean> {
    const stream = `${this.#here.instance}-${(++this.#streams).toString(36)}`;
    for (const { part, data } of pieces(bytes, stream)) {
      await this.#link.room();
      const headers = replyHeaders({ ...meta, part });
      const last = part.count !== undefined;
      if (!last && part.index % WINDOW !== WINDOW - 1) {
        if (!this.#link.publish(to, data, { headers })) return false;
        continue;
      }
      const ack = this.#numbers.next();
      if (!this.#link.publish(to, data, { headers, reply: ackSubject(this.#here, ack) })) return false;
      if (!(await this.#acknowledged(ack))) return false;
    }
    return true;
  }

  /** Resolves when fewer than the limit are on their way to the receiver. */
  #begin(receiver: string): Promise<void> | undefined {
    const lane = this.#lanes.get(receiver) ?? { active: 0, waiting: [] };
    this.#lanes.set(receiver, lane);
    if (lane.active < MAX_STREAMS) {
      lane.active++;
      return undefined;
    }
    return new Promise((resolve) => lane.waiting.push(resolve));
  }

  /** Hands the place to the next. Every stream ends: its acknowledgements have a time limit. */
  #end(receiver: string): void {
    const lane = this.#lanes.get(receiver);
    if (lane === undefined) return;
    const next = lane.waiting.shift();
    if (next !== undefined) next();
    else if (--lane.active === 0) this.#lanes.delete(receiver);
  }

  /** Most processes never send anything large and never listen. */
  #listen(): void {
    if (this.#ends.length > 0) return;
    this.#ends.push(
      this.#link.subscribe(acksSubject(this.#here), (message) => this.#receive(message)),
      this.#link.onDown(() => this.#giveUp()),
    );
  }

  #acknowledged(ack: string): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#waiting.get(ack)?.(false), ACK_MS);
      this.#waiting.set(ack, (goOn) => {
        clearTimeout(timer);
        this.#waiting.delete(ack);
        resolve(goOn);
      });
    });
  }

  #receive(message: Msg): void {
    const goOn = message.data.length === 0 && !isNoResponders(message);
    this.#waiting.get(lastToken(message.subject))?.(goOn);
  }

  #giveUp(): void {
    for (const settle of [...this.#waiting.values()]) settle(false);
  }
}

/** The receiver's part: says that a piece has come, when it asks. */
export function acknowledge(link: Link, piece: Msg): void {
  if (isAck(link.site, piece.reply)) link.publish(piece.reply, EMPTY);
}

/** And that nobody wants the rest. */
export function refuseRest(link: Link, piece: Msg): void {
  if (isAck(link.site, piece.reply)) link.publish(piece.reply, STOP);
}
