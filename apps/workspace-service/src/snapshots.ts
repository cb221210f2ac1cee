import type { Log } from '@switchyard/service';
import type { Agents } from './agents.js';
import type { Id } from './domain/entities.js';
import {
  fingerprintOf,
  type Scrollback,
  SNAPSHOT_FORMAT,
  SNAPSHOT_VERSION,
  type Snapshot,
  type SnapshotReason,
  type Topology,
  topologyOf,
} from './domain/snapshot.js';
import { isRestorable } from './domain/snapshot-restore.js';
import type { Restores } from './restores.js';
import type { SnapshotFiles } from './snapshot-files.js';
import type { Terminals } from './terminals.js';
import type { Call, YardState } from './yard-state.js';

/** A generation that nobody asked for is taken so long after the first change since the last one. */
const AUTO_MS = 10 * 60_000;
/** Of each terminal, as the peer does (programa-api §8.4). */
const SCROLLBACK_LINES = 4000;
const SCROLLBACK_CHARS = 400_000;
/** Of all terminals together: what fits well into memory, several times. */
const ALL_SCROLLBACK_CHARS = 32 * 1024 * 1024;
/** What has not answered by then is saved without its text. */
const READ_ALL_MS = 10_000;

export interface SnapshotParts {
  readonly state: YardState;
  readonly files: SnapshotFiles;
  readonly restores: Restores;
  readonly agents: Agents;
  readonly terminals: Terminals;
  readonly log: Log;
}

/**
 * The generations of the tree. The database always has the latest state; a generation is what one can go back to when
 * that state is not what a person wanted, or not there any more.
 */
export class Snapshots {
  readonly #parts: SnapshotParts;
  readonly #stop = new AbortController();
  #newest: { readonly id: string; readonly fingerprint: string } | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: SnapshotParts) {
    this.#parts = parts;
  }

  /**
   * Before anything has changed the model after a start: a generation of it, if it is not what the newest one holds. While
   * a restore is not confirmed none is taken: the one before it is what may be wanted back.
   *
   * @param cleanShutdown whether the service had stopped in order
   */
  async atStart(cleanShutdown: boolean): Promise<string | null> {
    const { files, restores, state } = this.#parts;
    for await (const { id, topology } of files.readable()) {
      this.#newest = { id, fingerprint: fingerprintOf(topology) };
      break;
    }
    if (restores.spared !== null) return restores.spared;
    if (state.model.windows.size === 0) return this.#newest?.id ?? null;
    const taken = await this.#saveIfNew('start', cleanShutdown);
    return taken ?? this.#newest?.id ?? null;
  }

  /** After the last change: what an orderly stop leaves. A full disk must not keep it from stopping. */
  async atStop(): Promise<void> {
    try {
      await this.#saveIfNew('stop', true);
    } catch (error) {
      this.#parts.log.error({ err: error }, 'the snapshot at the stop could not be saved');
    }
  }

  /** The newest generation that something can be restored from. */
  async latest(): Promise<Snapshot | undefined> {
    for await (const snapshot of this.#parts.files.readable()) {
      if (isRestorable(snapshot.topology)) return snapshot;
    }
    return undefined;
  }

  /** A generation of what is there now, with the text of the terminals. */
  async save(reason: 'manual' | 'auto' | 'before_restore', call?: Call): Promise<Snapshot> {
    return this.#save(reason, null, await this.#readScrollback(call));
  }

  /** The tree has changed: after a while that is worth a generation. */
  noteChange(): void {
    if (this.#timer !== undefined || this.#stop.signal.aborted) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#auto().catch((error: unknown) => {
        this.#parts.log.error({ err: error }, 'a snapshot could not be saved; the next change tries again');
      });
    }, AUTO_MS);
    this.#timer.unref();
  }

  stop(): void {
    this.#stop.abort();
    clearTimeout(this.#timer);
  }

  async #auto(): Promise<void> {
    if (this.#fingerprint() !== this.#newest?.fingerprint) await this.save('auto');
  }

  async #saveIfNew(reason: SnapshotReason, cleanShutdown: boolean): Promise<string | undefined> {
    if (this.#fingerprint() === this.#newest?.fingerprint) return undefined;
    return (await this.#save(reason, cleanShutdown, {})).id;
  }

  async #save(reason: SnapshotReason, cleanShutdown: boolean | null, scrollback: Scrollback): Promise<Snapshot> {
    const { files, restores, state } = this.#parts;
    const savedAt = state.model.now();
    const snapshot: Snapshot = {
      format: SNAPSHOT_FORMAT,
      version: SNAPSHOT_VERSION,
      id: files.newId(savedAt, reason),
      savedAt,
      reason,
      cleanShutdown,
      topology: this.topology(),
    };
    await files.write(snapshot, scrollback, restores.spared);
    this.#newest = { id: snapshot.id, fingerprint: fingerprintOf(snapshot.topology) };
    return snapshot;
  }

  /** What a snapshot of now would hold. */
  topology(): Topology {
    const { agents, state } = this.#parts;
    return topologyOf(state.model, (id) => ({ agent: agents.statusOf(id).agent, name: agents.nameOf(id) }));
  }

  #fingerprint(): string {
    return fingerprintOf(this.topology());
  }

  async #readScrollback(call: Call | undefined): Promise<Scrollback> {
    const { state, terminals } = this.#parts;
    const texts: Record<Id, string> = {};
    let left = ALL_SCROLLBACK_CHARS;
    const until = state.model.now() + READ_ALL_MS;
    const signal = call?.signal ?? this.#stop.signal;
    for (const surface of [...state.model.surfaces.values()]) {
      const timeoutMs = until - state.model.now();
      if (surface.type !== 'terminal' || left <= 0 || timeoutMs <= 0) continue;
      const text = await terminals.textOf(surface, SCROLLBACK_LINES, timeoutMs, signal);
      const kept = text.slice(-Math.min(SCROLLBACK_CHARS, left));
      left -= kept.length;
      if (kept.trim() !== '') texts[surface.id] = kept;
    }
    return texts;
  }
}
