import type { Id } from './entities.js';

interface Row {
  readonly id: string;
  readonly ref?: number;
}

/** What changed in a table since the last {@link Table.accept}. */
export interface Changes<T> {
  readonly put: readonly T[];
  readonly removed: readonly Id[];
}

/** A record before and after a change; undefined: there was none. */
export interface Image<T> {
  readonly id: Id;
  readonly before: T | undefined;
  readonly after: T | undefined;
}

/**
 * Records by id, and by ref where they have one. It remembers what it held before the first change of each record, so
 * that a failed operation can be taken back and a successful one costs as many writes as it changed records. With groups
 * it also answers which records belong together.
 */
export class Table<T extends Row> {
  readonly #rows = new Map<Id, T>();
  readonly #refs = new Map<number, Id>();
  readonly #before = new Map<Id, T | undefined>();
  readonly #groups = new Map<string, Set<T>>();
  readonly #groupOf: ((row: T) => string) | undefined;

  /** @param groupOf which group a record is in, for {@link inGroup} */
  constructor(groupOf?: (row: T) => string) {
    this.#groupOf = groupOf;
  }

  get size(): number {
    return this.#rows.size;
  }

  get(id: Id): T | undefined {
    return this.#rows.get(id);
  }

  has(id: Id): boolean {
    return this.#rows.has(id);
  }

  idOfRef(ref: number): Id | undefined {
    return this.#refs.get(ref);
  }

  /** The records of a group, in no order. */
  inGroup(group: string): T[] {
    return [...(this.#groups.get(group) ?? [])];
  }

  values(): IterableIterator<T> {
    return this.#rows.values();
  }

  /** Adds the record or replaces the one with its id. */
  put(row: T): void {
    this.#remember(row.id);
    this.#set(row.id, row);
  }

  remove(id: Id): void {
    this.#remember(id);
    this.#set(id, undefined);
  }

  /** Fills an empty table from disk; counts as unchanged. */
  load(rows: Iterable<T>): void {
    for (const row of rows) this.#set(row.id, row);
  }

  changes(): Changes<T> {
    const put: T[] = [];
    const removed: Id[] = [];
    for (const [id, before] of this.#before) {
      const now = this.#rows.get(id);
      if (now === before) continue;
      if (now) put.push(now);
      else removed.push(id);
    }
    return { put, removed };
  }

  /** What {@link changes} names, with what was there before. */
  images(): Image<T>[] {
    return [...this.#before]
      .map(([id, before]) => ({ id, before, after: this.#rows.get(id) }))
      .filter(({ before, after }) => before !== after);
  }

  accept(): void {
    this.#before.clear();
  }

  /** Takes back everything since the last accept. */
  revert(): void {
    for (const [id, before] of this.#before) this.#set(id, before);
    this.#before.clear();
  }

  #remember(id: Id): void {
    if (!this.#before.has(id)) this.#before.set(id, this.#rows.get(id));
  }

  #set(id: Id, row: T | undefined): void {
    const old = this.#rows.get(id);
    if (old?.ref !== undefined && old.ref !== row?.ref) this.#refs.delete(old.ref);
    this.#regroup(old, row);
    if (row === undefined) {
      this.#rows.delete(id);
      return;
    }
    this.#rows.set(id, row);
    if (row.ref !== undefined) this.#refs.set(row.ref, id);
  }

  #regroup(old: T | undefined, row: T | undefined): void {
    const groupOf = this.#groupOf;
    if (groupOf === undefined) return;
    if (old !== undefined) {
      const group = groupOf(old);
      const left = this.#groups.get(group);
      left?.delete(old);
      if (left?.size === 0) this.#groups.delete(group);
    }
    if (row !== undefined) this.#groups.set(groupOf(row), (this.#groups.get(groupOf(row)) ?? new Set()).add(row));
  }
}
