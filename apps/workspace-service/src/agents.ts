import { type AgentStatus, AgentTracker, type HookReport, NO_STATUS, type Observation } from '@switchyard/agents';
import type { Log } from '@switchyard/service';
import type { Announcer } from './announcer.js';
import { type AgentIdentity, hasFailed, identityOf, isSameIdentity, isSameStatus } from './domain/agent-status.js';
import type { AgentRecord, Id } from './domain/entities.js';
import type { Model } from './domain/model.js';
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

/** What is known of the agent in one surface; its tracker is saved when the record is. */
interface Known extends Omit<AgentRecord, 'tracker'> {
  readonly tracker: AgentTracker;
}

/** The largest delay a timer of Node takes. */
const LONGEST_TIMER_MS = 2_147_483_647;

/**
 * What is known of the agents in the terminals. Looks and reports come in, changes go out to those who wait and to the
 * bus. Every look goes into a tracker in memory; only what can be seen from outside is written to disk.
 */
export class Agents {
  readonly #parts: AgentParts;
  readonly #known = new Map<Id, Known>();
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
    for (const record of model.agents.values()) {
      this.#keep({ ...record, tracker: new AgentTracker(record.tracker) });
    }
  }

  /** Of an unknown surface, or one of which nothing was ever said: nothing is known. */
  statusOf(id: Id): AgentStatus {
    return this.#known.get(id)?.tracker.status ?? NO_STATUS;
  }

  /** The run of the agent in a surface; null: none is known there. */
  identityOf(id: Id): AgentIdentity | null {
    const known = this.#known.get(id);
    return known === undefined ? null : identityOf(known.tracker);
  }

  /** Some state was known once, even if it was cleared since. */
  wasReported(id: Id): boolean {
    return this.#known.get(id)?.reported ?? false;
  }

  /** Name that the agent in a surface was started with. */
  nameOf(id: Id): string | null {
    return this.#known.get(id)?.name ?? null;
  }

  /** When the present run of an agent was first seen there, or that none is. */
  knownSince(id: Id): number {
    return this.#known.get(id)?.knownSince ?? 0;
  }

  /** The surface of the agent that has a name. */
  named(name: string): Id | undefined {
    for (const known of this.#known.values()) if (known.name === name) return known.id;
    return undefined;
  }

  /** The surface that a request has opened for an agent. */
  startedBy(requestId: string): Id | undefined {
    for (const known of this.#known.values()) if (known.startedBy === requestId) return known.id;
    return undefined;
  }

  /** Part of a change that makes a surface for an agent: gives the agent that is to come its name. */
  expect(model: Model, id: Id, name: string | null, startedBy: string | null): void {
    const known = { ...this.#of(id), name, startedBy };
    model.agents.put(recordOf(known));
    this.#keep(known);
  }

  /** @returns false when it is older than what is known; then nothing changes */
  observe(id: Id, look: Observation): boolean {
    if (this.#of(id).tracker.isOld(look)) return false;
    this.#changeSafely(id, (tracker) => tracker.observe(look));
    return true;
  }

  /** @returns false when it is older than what is known, or outranked */
  report(id: Id, report: HookReport): boolean {
    return this.#change(id, (tracker) => tracker.report(report));
  }

  /** What was reported of the state is taken back. */
  clear(id: Id): void {
    if (this.#known.has(id)) this.#change(id, (tracker) => tracker.clear(this.#now()));
  }

  /** The program of the terminal has ended or was started anew. */
  gone(id: Id): void {
    if (!this.#known.has(id)) return;
    const before = this.statusOf(id);
    this.#changeSafely(id, (tracker) => tracker.ended(this.#now()));
    const now = this.statusOf(id);
    if (isSameStatus(before, now)) this.#tellWatchers({ surfaceId: id, before, now });
  }

  /** The surface is gone for good. */
  forget(id: Id): void {
    this.#listeners.delete(id);
    this.#dues.delete(id);
    this.#known.delete(id);
    const { state } = this.#parts;
    if (state.model.agents.has(id)) state.change((model) => model.agents.remove(id));
  }

  /** `fn` hears every change of one surface, and that its program has ended, at once. @returns ends it */
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

  #of(id: Id): Known {
    const known = this.#known.get(id);
    if (known) return known;
    const nobody = { id, name: null, startedBy: null, reported: false };
    return { ...nobody, knownSince: this.#now(), tracker: new AgentTracker() };
  }

  /** A full disk must not make us deaf: what is seen counts, and is written with the next change. */
  #changeSafely(id: Id, fn: (tracker: AgentTracker) => boolean): void {
    try {
      this.#change(id, fn);
    } catch (error) {
      this.#parts.log.error({ err: error, surface_id: id }, 'the state of an agent could not be stored');
    }
  }

  /** @param fn says whether something is to be written. @returns what it says */
  #change(id: Id, fn: (tracker: AgentTracker) => boolean): boolean {
    const known = this.#of(id);
    const before = { status: known.tracker.status, process: known.tracker.process };
    const isNews = fn(known.tracker);
    const next = advanced(known, before, this.#now());
    this.#keep(next);
    const { status: now } = next.tracker;
    const changed = !isSameStatus(before.status, now);
    try {
      if (isNews || changed) {
        this.#parts.state.change((model) => {
          model.agents.put(recordOf(next));
          if (changed) noteStatus(model, id, before.status, now);
        });
      }
    } finally {
      if (changed) this.#tell({ surfaceId: id, before: before.status, now });
    }
    return isNews;
  }

  #tell(change: StatusChange): void {
    this.#onChange(change);
    this.#tellWatchers(change);
    this.#parts.announcer.agentChanged(change.surfaceId, change.now);
  }

  #tellWatchers(change: StatusChange): void {
    for (const fn of [...(this.#listeners.get(change.surfaceId) ?? [])]) fn(change);
  }

  #keep(known: Known): void {
    this.#known.set(known.id, known);
    const { dueAt } = known.tracker;
    if (dueAt === (this.#dues.get(known.id) ?? null)) return;
    if (dueAt === null) this.#dues.delete(known.id);
    else this.#dues.set(known.id, dueAt);
    this.#arm();
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
      if (due <= now) this.#changeSafely(id, (tracker) => tracker.tick(now));
    }
    this.#arm();
  }
}

/** Of a surface that has left the tree nobody is told any more. */
function noteStatus(model: Model, id: Id, before: AgentStatus, status: AgentStatus): void {
  const surface = model.surfaces.get(id);
  if (surface === undefined) return;
  const { agent, state, source, activity, question, since } = status;
  const previous = { state: before.state, source: before.source };
  model.note({
    kind: 'agent.state_changed',
    workspace_id: model.workspaceOf(surface).id,
    surface_id: id,
    data: { agent, state, source, activity, question, since, failed: hasFailed(status), previous },
  });
}

const recordOf = ({ tracker, ...known }: Known): AgentRecord => ({ ...known, tracker: tracker.save() });

function advanced(known: Known, before: Pick<AgentTracker, 'status' | 'process'>, at: number): Known {
  const { tracker } = known;
  const next = { ...known, reported: known.reported || tracker.status.state !== null };
  if (isSameIdentity(identityOf(before), identityOf(tracker))) return next;
  const hasEnded = identityOf(before) !== null;
  return { ...next, knownSince: at, name: hasEnded ? null : next.name };
}
