import { randomUUID } from 'node:crypto';
import type { Database } from '@switchyard/store/sqlite';
import { actionFor } from './domain/action.js';
import { Attendance } from './domain/attendance.js';
import { type Message, messageOf } from './domain/message.js';
import { clean, cleanTitle, type Notice, signed } from './domain/notice.js';
import { RateLimiter, SURFACE_DELIVERIES, YARD_DELIVERIES } from './domain/rate-limit.js';
import type { AdapterName, Level, Place, Reason, Row, Suppressed } from './domain/words.js';
import { DeliveryStore } from './store/delivery-store.js';
import { type ItemFilter, ItemStore } from './store/item-store.js';
import { RuleStore } from './store/rule-store.js';
import { SourceStore } from './store/source-store.js';
import { UntoldStore } from './store/untold-store.js';

export interface DeskOptions {
  readonly db: Database;
  readonly yard: string;
  /** Of workspaces that say nothing themselves. */
  readonly level: Level;
  readonly adapters: readonly AdapterName[];
  readonly now: () => number;
  /** Something is to be delivered, or to be told to the journal. */
  readonly onWork: () => void;
}

/** Something that a person is to be told. */
export interface Draft {
  readonly place: Place;
  /** The surface is gone: it is about the workspace that it was in. */
  readonly isGone?: boolean;
  readonly reason: Reason;
  readonly agent: string | null;
  readonly notice: Notice;
}

/** Waiting for one adapter: it is broken, and old news helps nobody. */
const MOST_WAITING = 200;
/** Ids in one event; its data has a limit. */
const IDS_AT_ONCE = 256;
const YARD = 'yard';

/**
 * Where notifications are made, marked and removed. Each change is one transaction with its deliveries, what the journal
 * is to be told, and how far the source was taken in: after a kill all of it is there, or nothing.
 */
export class Desk {
  readonly items: ItemStore;
  readonly deliveries: DeliveryStore;
  readonly rules: RuleStore;
  readonly sources: SourceStore;
  readonly untold: UntoldStore;
  readonly attendance = new Attendance();
  readonly #options: DeskOptions;
  readonly #ofSurface = new RateLimiter(SURFACE_DELIVERIES);
  readonly #ofYard = new RateLimiter(YARD_DELIVERIES);

  constructor(options: DeskOptions) {
    const { db } = options;
    this.#options = options;
    this.items = new ItemStore(db);
    this.deliveries = new DeliveryStore(db);
    this.rules = new RuleStore(db);
    this.sources = new SourceStore(db);
    this.untold = new UntoldStore(db);
  }

  get defaultLevel(): Level {
    return this.#options.level;
  }
  get adapters(): readonly AdapterName[] {
    return this.#options.adapters;
  }
  now(): number {
    return this.#options.now();
  }

  /** Runs `fn` in one transaction; what is to be done because of it begins then. */
  change<T>(fn: () => T): T {
    const result = this.#options.db.tx(fn);
    this.#options.onWork();
    return result;
  }

  levelOf(workspaceId: string): Level {
    return this.rules.of(workspaceId) ?? this.defaultLevel;
  }

  /** Part of a transaction: makes a notification. A bell makes none unless its workspace wants them, and once till read. */
  post(draft: Draft): void {
    const { place, reason } = draft;
    const level = this.levelOf(place.workspace_id);
    if (reason === 'bell' && (level !== 'all' || this.items.of(place.surface_id)?.is_read === false)) return;
    const item = this.#itemOf(draft, level);
    const { replaced, overtaken } = this.items.put(item);
    if (item.suppressed === null) this.#enqueue(item, place);
    const { id, title, subtitle, excerpt, agent, action, suppressed } = item;
    this.untold.add(`created ${id}`, 'notification.created', item, {
      notification_id: id,
      reason,
      agent: agent === null ? null : cleanTitle(agent),
      title: cleanTitle(title),
      subtitle: cleanTitle(subtitle),
      excerpt,
      action,
      suppressed,
      replaces: replaced,
    });
    this.#tellIds('notification.cleared', overtaken);
  }

  /** Delivers a text of which nothing is kept. @returns how many adapters get it */
  show(message: Message): number {
    const open = this.adapters.filter((adapter) => this.deliveries.waiting(adapter) < MOST_WAITING);
    for (const adapter of open) this.#deliver(adapter, message, null, null);
    return open.length;
  }

  /** Part of a transaction. @returns how many that changed */
  mark(filter: ItemFilter, isRead: boolean): number {
    const ids = this.items.matching({ ...filter, isRead: !isRead }).map(({ id }) => id);
    this.items.mark(ids, isRead);
    for (const some of chunks(ids)) {
      this.untold.add(`marked ${randomUUID()}`, 'notification.read', this.#placeOf(filter), {
        notification_ids: some,
        is_read: isRead,
      });
    }
    return ids.length;
  }

  /** Part of a transaction. */
  clear(filter: ItemFilter): void {
    const ids = this.items.matching(filter).map(({ id }) => id);
    this.items.remove(ids);
    this.#tellIds('notification.cleared', ids, filter);
  }

  #itemOf({ place, isGone, reason, agent, notice }: Draft, level: Level): Row {
    const surfaceId = isGone ? null : place.surface_id;
    const { title, subtitle, body } = signed(notice, isGone ? null : place.custom_title);
    return {
      id: randomUUID().toUpperCase(),
      workspace_id: place.workspace_id,
      surface_id: surfaceId,
      is_read: false,
      title,
      subtitle,
      body,
      reason,
      agent,
      workspace: cleanTitle(place.workspace_title),
      excerpt: clean(body),
      action: actionFor(reason, isGone ? null : place.surface_ref),
      created_at: this.now(),
      suppressed: this.#suppressed(level, place, surfaceId),
    };
  }

  #suppressed(level: Level, place: Place, surfaceId: string | null): Suppressed {
    const at = this.now();
    if (level === 'quiet') return 'quiet';
    const { front, override } = place;
    if (surfaceId !== null && this.attendance.looksAt(surfaceId, front, override, at)) return 'present';
    if (this.adapters.length === 0) return 'no_adapter';
    // The yard is asked second: what one surface may not deliver counts for no other.
    const allowed = this.#ofSurface.take(surfaceId ?? place.workspace_id, at) && this.#ofYard.take(YARD, at);
    return allowed ? null : 'rate_limited';
  }

  #enqueue(item: Row, place: Place): void {
    const message = messageOf(item, place, this.#options.yard);
    for (const adapter of this.adapters) this.#deliver(adapter, message, item.workspace_id, item.surface_id);
  }

  #deliver(adapter: AdapterName, message: Message, workspaceId: string | null, surfaceId: string | null): void {
    const id = randomUUID().toUpperCase();
    const { notification_id, title } = message;
    const row = { id, notification_id, workspace_id: workspaceId, surface_id: surfaceId, adapter, title };
    const isFull = this.deliveries.waiting(adapter) >= MOST_WAITING;
    this.deliveries.add(row, JSON.stringify(message), this.now());
    if (isFull) this.fail(id, adapter, notification_id, 0, 'too much waits for this adapter', row);
  }

  /** Part of a transaction: a delivery is given up. */
  fail(
    id: string,
    adapter: AdapterName,
    notificationId: string | null,
    attempts: number,
    error: string,
    place: { readonly workspace_id: string | null; readonly surface_id: string | null },
  ): void {
    this.deliveries.finish(id, 'failed', attempts, error, this.now());
    this.untold.add(`failed ${id}`, 'notification.delivery_failed', place, {
      delivery_id: id,
      notification_id: notificationId,
      adapter,
      attempts,
      error: clean(error),
    });
  }

  /** What waits for adapters that are not set up any more is given up. */
  dropOrphans(): void {
    for (const id of this.deliveries.orphans(this.adapters)) {
      this.deliveries.finish(id, 'dropped', 0, 'its adapter is not set up any more', this.now());
    }
  }

  #tellIds(kind: 'notification.cleared', ids: readonly string[], filter: ItemFilter = {}): void {
    for (const some of chunks(ids)) {
      this.untold.add(`cleared ${randomUUID()}`, kind, this.#placeOf(filter), { notification_ids: some });
    }
  }

  #placeOf({ workspaceId, surfaceId }: ItemFilter) {
    return { workspace_id: workspaceId ?? null, surface_id: surfaceId ?? null };
  }
}

function chunks(ids: readonly string[]): string[][] {
  return Array.from({ length: Math.ceil(ids.length / IDS_AT_ONCE) }, (_, i) =>
    ids.slice(i * IDS_AT_ONCE, (i + 1) * IDS_AT_ONCE),
  );
}
