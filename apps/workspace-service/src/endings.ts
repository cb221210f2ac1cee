import type { Result } from '@switchyard/protocol';
import type { Log } from '@switchyard/service';
import type { Agents } from './agents.js';
import type { Announcer } from './announcer.js';
import { type Removed, rememberClosed } from './domain/closing.js';
import type { ClosedRecord, ExitInfo, Id } from './domain/entities.js';
import type { Model } from './domain/model.js';
import type { Flashes } from './flashes.js';
import type { Terminals } from './terminals.js';
import type { Departure, Waits } from './waits.js';
import type { YardState } from './yard-state.js';

type Survivors = Result<'terminal.close'>['survivors'];

/** How many closed surfaces stay readable, and for how long: late readers of a command's output come within seconds. */
const GONE_KEPT = 128;
const GONE_KEPT_MS = 5 * 60_000;
/** After a failed write, as on a full disk. */
const RETRY_MS = 1000;
/** The largest delay a timer of Node takes. */
const LONGEST_TIMER_MS = 2_147_483_647;

export interface EndingParts {
  readonly state: YardState;
  readonly terminals: Terminals;
  readonly waits: Waits;
  readonly announcer: Announcer;
  readonly flashes: Flashes;
  readonly agents: Agents;
  /** How long a closed surface can come back. */
  readonly closeUndoMs: () => number;
  readonly log: Log;
}

/** Sees surfaces that left the tree to their end: the grace period, the end of the process, the removal of the log. */
export class Endings {
  readonly #parts: EndingParts;
  readonly #ending = new Map<Id, Promise<Survivors>>();
  readonly #forgetting = new Set<Id>();
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(parts: EndingParts) {
    this.#parts = parts;
  }

  /** Part of the change that removes surfaces: they are remembered in the same transaction. */
  remember(model: Model, removed: Removed, phase: ClosedRecord['phase']): void {
    const undoMs = phase === 'staged' ? this.#parts.closeUndoMs() : 0;
    for (const departed of removed.departed) rememberClosed(model, departed, phase, undoMs);
  }

  /** After that change: tells everyone, and ends the processes whose time has come. */
  follow(removed: Removed, departure: Departure = 'closed'): void {
    this.#parts.announcer.removed(removed);
    for (const { surface } of removed.departed) {
      this.#parts.waits.departed(surface.id, departure);
      if (this.#parts.state.model.closed.get(surface.id)?.phase !== 'staged') this.#parts.agents.forget(surface.id);
      this.#parts.flashes.forget(surface.id);
    }
    this.tend();
  }

  /** Does what is due for every closed surface and sets the timer for what is not. Cheap: they are few. Never throws. */
  tend(): void {
    if (this.#stopped) return;
    try {
      this.#tend();
    } catch (error) {
      this.#parts.log.error({ err: error }, 'closed surfaces could not be tended; trying again');
      this.#armIn(RETRY_MS);
    }
  }

  #tend(): void {
    const now = this.#parts.state.model.now();
    this.#endGrace(now);
    for (const record of this.#parts.state.model.closed.values()) {
      if (record.phase === 'ending') this.#endInBackground(record);
    }
    this.#forgetOld(now);
    this.#arm(now);
  }

  /** Ends the process of a closed surface; answers the processes that outlive it. */
  end(record: ClosedRecord, killSurvivors = false): Promise<Survivors> {
    const running = this.#ending.get(record.id);
    if (running !== undefined) return running;
    const ending = this.#end(record, killSurvivors).finally(() => this.#ending.delete(record.id));
    this.#ending.set(record.id, ending);
    return ending;
  }

  /** The process of a closed surface has ended by itself. */
  exited(record: ClosedRecord, exit: ExitInfo): void {
    this.#settle(record.id, exit);
    this.tend();
  }

  /** Stops timers; processes that are being ended are taken up again at the next start. */
  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
  }

  async #end(record: ClosedRecord, killSurvivors: boolean): Promise<Survivors> {
    const { exit, survivors } = await this.#parts.terminals.close(record.surface, killSurvivors);
    if (!this.#stopped) {
      this.#settle(record.id, exit);
      this.tend();
    }
    return survivors;
  }

  #endGrace(now: number): void {
    this.#parts.state.change((model) => {
      const over = [...model.closed.values()].filter(({ phase, dueAt }) => phase === 'staged' && dueAt <= now);
      for (const record of over) {
        // A review has no process that could be ended.
        if (record.surface.type === 'review') model.closed.remove(record.id);
        else model.closed.put({ ...record, phase: 'ending' });
      }
    });
  }

  #endInBackground(record: ClosedRecord): void {
    if (this.#ending.has(record.id)) return;
    this.end(record).catch((error: unknown) => {
      // It stays `ending`: the next comparison with its pty-host tries again.
      this.#parts.log.warn({ err: error, surface_id: record.id }, 'a closed terminal could not be ended yet');
    });
  }

  #settle(id: Id, exit: ExitInfo | null): void {
    this.#parts.state.change((model) => {
      const record = model.closed.get(id);
      if (!record || (record.phase === 'gone' && record.surface.exit)) return;
      const surface = { ...record.surface, exit: exit ?? record.surface.exit };
      model.closed.put({ ...record, surface, phase: 'gone', closedAt: model.now() });
    });
    this.#parts.terminals.noteEnded(id);
    this.#parts.agents.forget(id);
  }

  #forgetOld(now: number): void {
    const gone = [...this.#parts.state.model.closed.values()]
      .filter(({ phase }) => phase === 'gone')
      .sort((a, b) => b.closedAt - a.closedAt);
    for (const [index, record] of gone.entries()) {
      const old = index >= GONE_KEPT || record.closedAt + GONE_KEPT_MS <= now;
      if (old && !this.#forgetting.has(record.id)) this.#forgetInBackground(record);
    }
  }

  #forgetInBackground(record: ClosedRecord): void {
    this.#forgetting.add(record.id);
    this.#forget(record)
      .catch((error: unknown) => {
        // It stays: the next round tries again.
        this.#parts.log.error({ err: error, surface_id: record.id }, 'a closed surface could not be forgotten yet');
      })
      .finally(() => this.#forgetting.delete(record.id));
  }

  async #forget(record: ClosedRecord): Promise<void> {
    const forgotten = await this.#parts.terminals.forget(record.surface);
    if (forgotten && !this.#stopped) this.#parts.state.change((model) => model.closed.remove(record.id));
  }

  #arm(now: number): void {
    clearTimeout(this.#timer);
    let next = Number.POSITIVE_INFINITY;
    for (const { id, phase, dueAt, closedAt } of this.#parts.state.model.closed.values()) {
      if (phase === 'staged') next = Math.min(next, dueAt);
      if (phase === 'gone' && !this.#forgetting.has(id)) next = Math.min(next, closedAt + GONE_KEPT_MS);
    }
    if (next < Number.POSITIVE_INFINITY) this.#armIn(next - now);
  }

  #armIn(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.tend(), Math.min(Math.max(ms, 0), LONGEST_TIMER_MS));
    this.#timer.unref();
  }
}
