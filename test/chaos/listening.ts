import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { type Client, connectClient } from '@switchyard/client';
import { waitFor } from '@switchyard/testing';
import { AGAIN_AFTER_MS, type Door, isPassing } from './door.js';
import type { Actor, ExpectedEvent, World } from './world.js';

const SUBSCRIBE_MS = 60_000;
const PAGE = 1000;
/** Until the last event has been pushed once the yard is whole. */
const CATCH_UP_MS = 60_000;

interface Told {
  readonly cursor: string;
  readonly kind: string;
  readonly event: Readonly<Record<string, unknown>>;
}

/** Subscribes with a cursor, again with it whenever the connection is lost, and compares with the journal in the end. */
export class Listening implements Actor {
  readonly name: string;
  readonly #world: World;
  readonly #door: Door;
  readonly #kinds: string[];
  readonly #told: Told[] = [];
  #first: string | undefined;
  #cursor: string | undefined;
  #client: Client | undefined;
  #stopped = false;
  #gaps = 0;
  #running: Promise<void> = Promise.resolve();

  constructor(world: World, kinds: string[]) {
    this.name = `subscriber to ${kinds.join(', ')}`;
    this.#world = world;
    this.#kinds = kinds;
    this.#door = world.door();
  }

  async open(): Promise<void> {
    const { cursor } = await this.#door.surely('events.read', { limit: 0 });
    this.#first = cursor;
    this.#cursor = cursor;
    this.#running = this.#listen();
  }

  async run(): Promise<void> {
    // It only listens; what there is to hear is made by the others.
  }

  async finish(): Promise<void> {
    const journal = await this.#journal();
    const last = journal.at(-1)?.cursor;
    const isThere = () => last === undefined || this.#told.some(({ cursor }) => cursor === last);
    // What is missing is told below.
    await waitFor('the last event', isThere, { timeoutMs: CATCH_UP_MS }).catch(() => undefined);
    this.#compare(journal);
    if (this.#kinds.includes('*')) for (const event of this.#world.events) this.#find(event, journal);
  }

  async close(): Promise<void> {
    this.#stopped = true;
    this.#client?.close();
    await this.#running;
    await this.#door.close();
  }

  #compare(journal: readonly Told[]): void {
    const times = new Map<string, number>();
    for (const { cursor } of this.#told) times.set(cursor, (times.get(cursor) ?? 0) + 1);
    for (const { cursor, kind } of journal) {
      const count = times.get(cursor) ?? 0;
      if (count === 0 && this.#gaps === 0) this.#fault('events lost', `${kind} ${cursor}`);
      if (count > 1) this.#fault('events doubled', `${kind} ${cursor} came ${count} times`, count - 1);
      times.delete(cursor);
    }
    // Those that came after the journal was read are its next ones.
    const order = this.#told.map(({ cursor }) => cursor).filter((cursor) => !times.has(cursor));
    const distinct = [...new Set(order)];
    const expected = journal.map(({ cursor }) => cursor).filter((cursor) => distinct.includes(cursor));
    if (!isDeepStrictEqual(distinct, expected)) this.#fault('events doubled', 'the events came in another order');
  }

  /** What the others have done is in the journal, once. */
  #find({ kind, members }: ExpectedEvent, journal: readonly Told[]): void {
    const has = ({ event }: Told) =>
      Object.entries(members).every(
        ([name, value]) => event[name] === value || (event['data'] as Record<string, unknown>)[name] === value,
      );
    const count = journal.filter((told) => told.kind === kind && has(told)).length;
    const what = `${kind} ${JSON.stringify(members)} is in the journal ${count} times`;
    if (count === 0) this.#fault('events lost', what);
    if (count > 1) this.#fault('events doubled', what, count - 1);
  }

  #fault(kind: 'events lost' | 'events doubled', what: string, amount = 1): void {
    this.#world.ledger.fault(kind, `${this.name}: ${what}`, amount);
  }

  /** All that has happened since the beginning. */
  async #journal(): Promise<Told[]> {
    const all: Told[] = [];
    let cursor = this.#first;
    for (;;) {
      const page = await this.#door.surely('events.read', {
        ...(cursor && { cursor }),
        limit: PAGE,
        kinds: this.#kinds,
      });
      all.push(...page.events.map((event) => ({ cursor: event.cursor, kind: event.kind, event })));
      cursor = page.cursor;
      if (!page.more) return all;
    }
  }

  async #listen(): Promise<void> {
    while (!this.#stopped) {
      await this.#once().catch((error: unknown) => {
        if (!isPassing(error)) this.#world.ledger.fault('wrong answers', `events.subscribe: ${String(error)}`);
      });
      if (!this.#stopped) await delay(AGAIN_AFTER_MS);
    }
  }

  async #once(): Promise<void> {
    const client = await connectClient(this.#world.yard.paths.gatewaySocket);
    this.#client = client;
    if (this.#stopped) client.close();
    client.onEvent((frame) => this.#take(frame));
    this.#world.ledger.did('requests');
    try {
      const asked = { kinds: this.#kinds, ...(this.#cursor && { cursor: this.#cursor }) };
      const { gap } = await client.call('events.subscribe', asked, { timeoutMs: SUBSCRIBE_MS });
      if (gap !== undefined) this.#gap();
    } catch (error) {
      client.close();
      throw error;
    }
    await client.closed;
  }

  #gap(): void {
    this.#gaps++;
    this.#world.ledger.did('gaps');
  }

  #take(frame: Record<string, unknown>): void {
    if (frame['event'] === 'gap') this.#gap();
    if (typeof frame['cursor'] !== 'string') return;
    this.#cursor = frame['cursor'];
    if (this.#world.tamper.takes('event')) return;
    this.#world.ledger.did('events');
    this.#told.push({ cursor: frame['cursor'], kind: String(frame['event']), event: frame });
  }
}
