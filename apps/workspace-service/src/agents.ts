import type { AgentStatus, Observation } from '@switchyard/agents';
import type { Log } from '@switchyard/service';
import type { Announcer } from './announcer.js';
import { type AgentIdentity, identityOf, isSameIdentity, isSameStatus } from './domain/agent-status.js';
import type { AgentRecord, Id } from './domain/entities.js';
import * as tracking from './domain/tracking.js';
import type { YardState } from './yard-state.js';

/** A change of what is known of the agent in one surface. */
export interface StatusChange {
  readonly surfaceId: Id;
  readonly before: AgentStatus;
  readonly now: AgentStatus;
}
type Listener = (change: StatusChange) => void;

export interface AgentParts {
  readonly state: YardState;
  readonly announcer: Announcer;
  readonly log: Log;
}

/** The largest delay a timer of Node takes. */
const LONGEST_TIMER_MS = 2_147_483_647;

/**
 * What is known of the agents in the terminals. Looks and reports come in, changes go out to those who wait and to the
 * bus. Every look changes the tracker in memory; only what can be seen from outside is written to disk.
 */
export class Agents {
  readonly #parts: AgentParts;
  readonly #records = new Map<Id, AgentRecord>();
  readonly #listeners = new Map<Id, Set<Listener>>();
  readonly #dues = new Map<Id, number>();
  readonly startedAt: number;
  #onChange: Listener = () => undefined;
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(parts: AgentParts) {
    this.#parts = parts;
    const { model } = parts.state;
    this.startedAt = model.now();
    for (const record of model.agents.values()) this.#keep(record);
  }

  /** Of an unknown surface, or one of which nothing was ever said: nothing is known. */
  statusOf(id: Id): AgentStatus {
    const record = this.#records.get(id);
    return record === undefined ? tracking.NO_STATUS : tracking.statusOf(record.tracker);
  }

  /** The run of the agent in a surface; null: none is known there. */
  identityOf(id: Id): AgentIdentity | null {
    const record = this.#records.get(id);
    return record === undefined ? null : identityOf(record);
  }

  /** Some state was known once, even if it was cleared since. */
  wasReported(id: Id): boolean {
    return this.#records.get(id)?.reported ?? false;
  }

  recordOf(id: Id): AgentRecord | undefined {
    return this.#records.get(id);
  }

  named(name: string): AgentRecord | undefined {
    for (const record of this.#records.values()) if (record.name === name) return record;
    return undefined;
  }

  startedBy(requestId: string): AgentRecord | undefined {
    for (const record of this.#records.values()) if (record.startedBy === requestId) return record;
    return undefined;
  }

  /** Part of a change that makes a surface for an agent: gives the agent that is to come its name. */
  expected(id: Id, name: string | null, startedBy: string | null): AgentRecord {
    const record = { ...this.#recordFor(id), name, startedBy };
    this.#keep(record);
    return record;
  }

  /** @returns false when it is older than what is known; then nothing changes */
  observe(id: Id, seen: Observation): boolean {
    const { tracker } = this.#recordFor(id);
    if (seen.rev < tracker.rev && seen.at <= tracker.at) return false;
    this.#changeSafely(id, tracking.observe(tracker, seen));
    return true;
  }

  /** @returns false when it is older than what is known, or outranked */
  report(id: Id, report: tracking.Report): boolean {
    const { state, accepted } = tracking.report(this.#recordFor(id).tracker, report);
    if (accepted) this.#change(id, state, true);
    return accepted;
  }

  /** What was said of the state is taken back. */
  clear(id: Id): void {
    const record = this.#records.get(id);
    if (record) this.#change(id, tracking.clear(record.tracker, this.#now()), true);
  }

  /** The program of the terminal has ended or was started anew. */
  gone(id: Id): void {
    const record = this.#records.get(id);
    if (record) this.#changeSafely(id, tracking.gone(record.tracker, this.#now()));
  }

  /** The surface is gone for good. */
  forget(id: Id): void {
    this.#listeners.delete(id);
    this.#dues.delete(id);
    this.#records.delete(id);
    const { state } = this.#parts;
    if (state.model.agents.has(id)) state.change((model) => model.agents.remove(id));
  }

  /** `fn` hears every change of one surface, at once. @returns ends it */
  watch(id: Id, fn: Listener): () => void {
    const all = this.#listeners.get(id) ?? new Set();
    this.#listeners.set(id, all.add(fn));
    return () => {
      all.delete(fn);
      if (all.size === 0 && this.#listeners.get(id) === all) this.#listeners.delete(id);
    };
  }

  /** `fn` hears the changes of all surfaces, before those who {@link watch}. */
  onChange(fn: Listener): void {
    this.#onChange = fn;
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  #now(): number {
    return this.#parts.state.model.now();
  }

  #recordFor(id: Id): AgentRecord {
    const known = this.#records.get(id);
    if (known) return known;
    const at = this.#now();
    return { id, name: null, startedBy: null, reported: false, knownSince: at, tracker: tracking.newTracker(at) };
  }

  /** A full disk must not make us deaf: what is seen counts, and is written with the next change. */
  #changeSafely(id: Id, tracker: tracking.TrackerState): void {
    try {
      this.#change(id, tracker, false);
    } catch (error) {
      this.#parts.log.error({ err: error, surface_id: id }, 'the state of an agent could not be stored');
    }
  }

  #change(id: Id, tracker: tracking.TrackerState, reported: boolean): void {
    const record = this.#recordFor(id);
    const before = tracking.statusOf(record.tracker);
    const now = tracking.statusOf(tracker);
    const next = advanced(record, tracker, this.#now());
    const changed = !isSameStatus(before, now);
    this.#keep(next);
    try {
      if (changed || reported) this.#parts.state.change((model) => model.agents.put(next));
    } finally {
      if (changed) this.#tell({ surfaceId: id, before, now });
    }
  }

  #tell(change: StatusChange): void {
    this.#onChange(change);
    for (const fn of [...(this.#listeners.get(change.surfaceId) ?? [])]) fn(change);
    this.#parts.announcer.agentChanged(change.surfaceId, change.now);
  }

  #keep(record: AgentRecord): void {
    this.#records.set(record.id, record);
    const due = tracking.dueAt(record.tracker);
    if (due === null ? this.#dues.delete(record.id) : this.#dues.get(record.id) !== due) {
      if (due !== null) this.#dues.set(record.id, due);
      this.#arm();
    }
  }

  #arm(): void {
    clearTimeout(this.#timer);
    if (this.#stopped || this.#dues.size === 0) return;
    const next = Math.min(...this.#dues.values()) - this.#now();
    this.#timer = setTimeout(() => this.#tick(), Math.min(Math.max(next, 0), LONGEST_TIMER_MS));
    this.#timer.unref();
  }

  /** Some things become true by the passing of time: what is held back until it is confirmed. */
  #tick(): void {
    const now = this.#now();
    for (const [id, due] of [...this.#dues]) {
      const record = this.#records.get(id);
      if (due <= now && record) this.#changeSafely(id, tracking.tick(record.tracker, now));
    }
    this.#arm();
  }
}

function advanced(record: AgentRecord, tracker: tracking.TrackerState, at: number): AgentRecord {
  const next = { ...record, tracker, reported: record.reported || tracking.statusOf(tracker).state !== null };
  if (isSameIdentity(identityOf(record), identityOf(next))) return next;
  const hasEnded = identityOf(record) !== null;
  return { ...next, knownSince: at, name: hasEnded ? null : next.name };
}
