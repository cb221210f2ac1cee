import type { Agents } from './agents.js';
import type { Announcer } from './announcer.js';
import { isLastInWorkspace, type Removed, removeSurface } from './domain/closing.js';
import type { ExitInfo, Id, SurfaceRecord } from './domain/entities.js';
import type { Model } from './domain/model.js';
import type { Footprint } from './domain/reversal.js';
import type { Endings } from './endings.js';
import type { Openings } from './openings.js';
import type { Restores } from './restores.js';
import type { Terminals } from './terminals.js';
import type { YardState } from './yard-state.js';

/**
 * A shell that ends sooner was never usable: a broken start file, say. If the last surface of the yard closed for it,
 * its replacement would end as soon, and so on for ever.
 */
const USABLE_AFTER_MS = 1000;

/**
 * A reboot hangs up all programs and tells the yard to stop a moment later (bug case E1): what ended so shortly before
 * a stop ended because of it.
 */
export const STOP_MARGIN_MS = 1000;
/** As many as a whole yard; if more end within the margin, the earliest stay closed. */
const REVERSIBLE_EXITS = 1024;

export interface ExitParts {
  readonly state: YardState;
  readonly terminals: Terminals;
  readonly openings: Openings;
  readonly endings: Endings;
  readonly announcer: Announcer;
  readonly agents: Agents;
  readonly restores: Restores;
}

/** Decides what the end of a program means for its surface (programa-api §6.4). */
export class Exits {
  readonly #parts: ExitParts;
  readonly #recent: { readonly at: number; readonly prints: Footprint }[] = [];
  #stopped = false;

  constructor(parts: ExitParts) {
    this.#parts = parts;
  }

  /** Takes over an exit; told twice it does nothing the second time. */
  async exited(id: Id, exit: ExitInfo): Promise<void> {
    await this.#parts.terminals.opened(id);
    if (this.#stopped) return;
    const { model } = this.#parts.state;
    const surface = model.surfaces.get(id);
    if (!surface) return this.#closedExited(id, exit);
    if (surface.exit !== null || exit.at < surface.startedAt) return;
    this.#parts.terminals.noteEnded(id);
    if (surface.remainOnExit || this.#parts.restores.isHeld(id) || this.#wouldLoop(surface, exit)) {
      this.#reversibly(() => model.patchSurface(id, { exit }));
      this.#parts.agents.gone(id);
      return;
    }
    await this.#close(id, exit);
  }

  /** From now on programs end because the yard does: the model keeps its surfaces, and gets the last ones back. */
  stop(): void {
    this.#stopped = true;
    const since = this.#parts.state.model.now() - STOP_MARGIN_MS;
    for (let last = this.#recent.pop(); last && last.at >= since; last = this.#recent.pop()) {
      if (!this.#parts.state.reverse(last.prints)) return;
    }
  }

  #reversibly<T>(fn: (model: Model) => T): T {
    const { state } = this.#parts;
    const { result, prints } = state.changeReversibly(fn);
    const at = state.model.now();
    this.#recent.push({ at, prints });
    const old = this.#recent.findIndex((one) => one.at >= at - STOP_MARGIN_MS);
    this.#recent.splice(0, Math.max(old, this.#recent.length - REVERSIBLE_EXITS));
    return result;
  }

  async #close(id: Id, exit: ExitInfo): Promise<void> {
    const { removed, fresh } = this.#reversibly((model) => this.#remove(model, id, exit));
    this.#parts.endings.follow(removed, 'exited');
    this.#parts.announcer.focus();
    if (fresh) this.#parts.openings.startInBackground(fresh);
    await this.#parts.terminals.fit(this.#parts.state.takeTouched());
  }

  #remove(model: Model, id: Id, exit: ExitInfo): { removed: Removed; fresh: SurfaceRecord | undefined } {
    model.patchSurface(id, { exit });
    const removed = removeSurface(model, model.surface(id));
    this.#parts.endings.remember(model, removed, 'gone');
    return { removed, fresh: this.#parts.openings.ensureYard(model) };
  }

  #closedExited(id: Id, exit: ExitInfo): void {
    const record = this.#parts.state.model.closed.get(id);
    if (record && record.phase !== 'gone') this.#parts.endings.exited(record, exit);
  }

  #wouldLoop(surface: SurfaceRecord, exit: ExitInfo): boolean {
    const { model } = this.#parts.state;
    const { windowIds } = model.yard;
    const isLast = windowIds.length === 1 && model.window(windowIds[0] ?? '').workspaceIds.length === 1;
    return isLast && isLastInWorkspace(model, surface) && exit.at - surface.startedAt < USABLE_AFTER_MS;
  }
}
