import type { HandlerContext } from '@switchyard/bus';
import { fail, type MethodName } from '@switchyard/protocol';
import { notesOfChange } from './domain/changes.js';
import type { Id } from './domain/entities.js';
import { hasMoved } from './domain/git-views.js';
import { frontSurface } from './domain/identity.js';
import { forgetOrphans } from './domain/metadata.js';
import type { Model } from './domain/model.js';
import { type Footprint, footprint, reverse } from './domain/reversal.js';
import type { Journal } from './journal.js';
import type { ModelStore, StoredRequest } from './store/model-store.js';

/** What a handler knows about its call. */
export interface Call extends HandlerContext {
  readonly method: MethodName;
  /** An earlier run of the same request_id made its change but did not live to answer. */
  readonly resumed: boolean;
}

/** The model together with its store and its journal: a change is in all of them or in none. */
export class YardState {
  readonly model: Model;
  readonly #store: ModelStore;
  readonly #journal: Journal;
  readonly #running = new Map<string, Promise<unknown>>();
  #touched = new Set<Id>();
  #onMove: () => void = () => undefined;
  #onTree: () => void = () => undefined;
  /** The surface in front after the last change. */
  #front: Id | undefined;

  constructor(model: Model, store: ModelStore, journal: Journal) {
    this.model = model;
    this.#store = store;
    this.#journal = journal;
    this.#front = frontSurface(model)?.surface.id;
  }

  /** Changes the model; when `fn` throws nothing has changed. */
  change<T>(fn: (model: Model) => T): T {
    return this.#transact(fn, () => undefined);
  }

  /** As {@link change}; also answers what it touched, for {@link reverse}. */
  changeReversibly<T>(fn: (model: Model) => T): { readonly result: T; readonly prints: Footprint } {
    return this.change((model) => {
      const result = fn(model);
      return { result, prints: footprint(model) };
    });
  }

  /** Takes back an earlier change, unless something it touched has changed since. Answers whether it did. */
  reverse(prints: Footprint): boolean {
    return this.change((model) => reverse(model, prints));
  }

  /** As {@link change}, and stores `reply` as the answer to a repeat of the call. */
  answer<T extends { readonly reply: unknown }>(call: Call, fn: (model: Model) => T): T {
    return this.#transact(fn, ({ reply }) => requestOf(call, reply));
  }

  /** As {@link change} for a call whose answer is not known yet: a repeat that finds it so is `resumed`. */
  begin<T>(call: Call, fn: (model: Model) => T): T {
    return this.#transact(fn, () => requestOf(call, null));
  }

  /** Takes back what {@link answer} or {@link begin} did: a repeat of the call tries again. */
  undo<T>(call: Call | null, fn: (model: Model) => T): T {
    const undone = this.change(fn);
    if (call?.requestId !== undefined) this.#store.forgetRequest(call.requestId);
    return undone;
  }

  /** `fn` hears, after the change, that surfaces came, went or changed their directories. */
  onMove(fn: () => void): void {
    this.#onMove = fn;
  }

  /** `fn` hears, after the change, that anything of the tree is other than before. */
  onTreeChange(fn: () => void): void {
    this.#onTree = fn;
  }

  /** Workspaces whose panes or tabs changed since last asked. */
  takeTouched(): Set<Id> {
    const touched = this.#touched;
    this.#touched = new Set();
    return touched;
  }

  /**
   * Runs a request once for each request_id: a repeat joins the running one or gets the stored answer.
   *
   * @param run gets whether an earlier run changed something but did not answer
   * @throws `invalid_params` when the request_id was used for another method
   */
  async once<T>(method: MethodName, requestId: string, run: (resumed: boolean) => Promise<T>): Promise<T> {
    const joined = this.#running.get(requestId);
    if (joined !== undefined) return joined as Promise<T>;
    const stored = this.#store.request(requestId);
    if (stored && stored.method !== method) {
      return fail('invalid_params', 'This request_id was used for another method', { method: stored.method });
    }
    if (stored && stored.result !== null) return stored.result as T;
    const running = this.#runOnce(method, requestId, () => run(stored !== undefined));
    this.#running.set(requestId, running);
    try {
      return await running;
    } finally {
      this.#running.delete(requestId);
    }
  }

  async #runOnce<T>(method: MethodName, requestId: string, run: () => Promise<T>): Promise<T> {
    const result = await run();
    if (this.#store.request(requestId)?.result == null) this.#store.saveRequest({ requestId, method, result });
    return result;
  }

  #transact<T>(fn: (model: Model) => T, requestFor: (result: T) => StoredRequest | undefined): T {
    const { model } = this;
    try {
      const result = fn(model);
      this.#commit(requestFor(result));
      return result;
    } catch (error) {
      for (const table of Object.values(model.tables())) table.revert();
      throw error;
    } finally {
      model.takeNotes();
    }
  }

  #commit(request: StoredRequest | undefined): void {
    const { model } = this;
    forgetOrphans(model);
    const staged = this.#journal.stage([...notesOfChange(model, this.#front), ...model.takeNotes()]);
    this.#store.commit(model, request, staged.length > 0 ? () => this.#journal.write(staged) : undefined);
    this.#noteTouched();
    const moved = hasMoved(model);
    const isTreeChanged = hasTreeChanged(model);
    this.#front = frontSurface(model)?.surface.id;
    for (const table of Object.values(model.tables())) table.accept();
    this.#journal.accept(staged);
    if (moved) this.#onMove();
    if (isTreeChanged) this.#onTree();
  }

  #noteTouched(): void {
    for (const workspace of this.model.workspaces.changes().put) this.#touched.add(workspace.id);
    for (const pane of this.model.panes.changes().put) this.#touched.add(pane.workspaceId);
  }
}

function hasTreeChanged({ windows, workspaces, panes, surfaces }: Model): boolean {
  return [windows, workspaces, panes, surfaces].some((table) => table.images().length > 0);
}

function requestOf(call: Call, result: unknown): StoredRequest | undefined {
  return call.requestId === undefined ? undefined : { requestId: call.requestId, method: call.method, result };
}
