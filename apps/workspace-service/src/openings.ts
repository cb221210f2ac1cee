import { type Result, SwitchyardError } from '@switchyard/protocol';
import type { Log } from '@switchyard/service';
import type { Agents } from './agents.js';
import type { Announcer } from './announcer.js';
import { createWindow, type NewTerminal } from './domain/creating.js';
import type { ExitInfo, Id, Launch, SurfaceRecord } from './domain/entities.js';
import type { Model } from './domain/model.js';
import type { StartAgain } from './domain/start-again.js';
import { type FocusMark, undoCreation } from './domain/undo.js';
import type { Endings } from './endings.js';
import type { Restores } from './restores.js';
import { codeOf, type Terminals } from './terminals.js';
import type { Call, YardState } from './yard-state.js';

type Opened = Result<'terminal.open'>;

export interface OpeningParts {
  readonly state: YardState;
  readonly terminals: Terminals;
  readonly endings: Endings;
  readonly announcer: Announcer;
  readonly agents: Agents;
  readonly restores: Restores;
  /** Where a shell starts that has no better place. */
  readonly home: string;
  readonly host: string;
  readonly log: Log;
}

/** A surface that a call made in the model and whose program is to be started. */
export interface Creation<R> {
  readonly surface: SurfaceRecord;
  readonly reply: R;
  /** To give the focus back if the program can not be started. */
  readonly mark: FocusMark;
}

/** Starting a program takes the pty-host a few milliseconds; more at a time would only queue there. */
const STARTS_AT_A_TIME = 8;

/**
 * After these nothing runs; after any other failure the program may run all the same and must be ended. A service that was
 * not there in the end may have been there before, and have handed the start on.
 */
const NOT_STARTED = new Set(['command_not_found', 'directory_not_found', 'invalid_params']);

/**
 * Starts the programs of surfaces. The model comes first, so that a crash in between leaves a surface whose shell is
 * started later rather than a program that nobody knows of; a program that can not be started takes its surface with it.
 */
export class Openings {
  readonly #parts: OpeningParts;
  #stopped = false;

  constructor(parts: OpeningParts) {
    this.#parts = parts;
  }

  /** A plain shell in the home folder. */
  shell(): NewTerminal {
    return { launch: { argv: null, cwd: this.#parts.home, env: {} }, host: this.#parts.host };
  }

  /**
   * Part of a change: a yard is never without a window, a workspace and a terminal. The new surface, if one was needed,
   * must be given to {@link startInBackground} after the change.
   */
  ensureYard(model: Model): SurfaceRecord | undefined {
    if (model.yard.windowIds.length > 0) return undefined;
    const { surface } = createWindow(model, this.shell());
    model.patchSurface(surface.id, { unstarted: true });
    return model.surface(surface.id);
  }

  /**
   * Makes a surface and starts its program; the reply comes when it runs.
   *
   * @param then `answer`: the reply of the creation is the answer of the call; `begin`: the caller has more to do
   * @throws what `make` throws, and the pty-host's error when the program can not be started: then all is as before
   */
  async create<R>(call: Call, make: (model: Model) => Creation<R>, then: 'answer' | 'begin' = 'answer'): Promise<R> {
    const { state } = this.#parts;
    const creation = then === 'answer' ? state.answer(call, make) : state.begin(call, make);
    this.#parts.announcer.focus(call);
    const fitted = this.#parts.terminals.fit(this.#parts.state.takeTouched());
    try {
      await this.#start(creation.surface, call);
    } catch (error) {
      await this.#undo(call, creation, error);
      throw error;
    } finally {
      await fitted;
    }
    return creation.reply;
  }

  /**
   * Starts the programs of surfaces that were made together.
   *
   * @returns why some could not be started, by surface. They stay as they are: see {@link leaveExited}
   */
  async startTogether(all: readonly SurfaceRecord[], call: Call): Promise<ReadonlyMap<Id, SwitchyardError>> {
    const failed = new Map<Id, SwitchyardError>();
    const left = [...all];
    const startOne = async (surface: SurfaceRecord) => {
      try {
        await this.#start(surface, call);
      } catch (error) {
        if (!(error instanceof SwitchyardError)) throw error;
        failed.set(surface.id, error);
        this.#parts.restores.noteFailure(surface.id, error);
      }
    };
    const worker = async () => {
      for (let next = left.shift(); next !== undefined; next = left.shift()) await startOne(next);
    };
    await Promise.all(Array.from({ length: STARTS_AT_A_TIME }, worker));
    return failed;
  }

  /** Part of a change: surfaces whose programs could not be started stay, readable, and can be started anew. */
  leaveExited(model: Model, failed: ReadonlyMap<Id, SwitchyardError>): void {
    for (const [id, { code }] of failed) {
      if (!model.surfaces.has(id)) continue;
      // After any other failure it may run all the same; the next comparison with its host will tell.
      if (NOT_STARTED.has(code)) model.patchSurface(id, { exit: unknownExit(model.now()), unstarted: false });
    }
  }

  /** Starts a program in a surface whose own has ended. @throws as {@link create} */
  async respawn(call: Call, id: Id, launch: Launch): Promise<Opened> {
    const before = this.#parts.state.model.surface(id);
    const surface = this.#parts.state.begin(call, (model) => renew(model, id, launch));
    this.#parts.agents.gone(id);
    try {
      return await this.#start(surface, call);
    } catch (error) {
      this.#parts.state.undo(call, (model) => {
        const { exit, startedAt, processTitle, cwd } = before;
        if (model.surfaces.has(id))
          model.patchSurface(id, { exit, startedAt, processTitle, cwd, launch: before.launch });
      });
      throw error;
    }
  }

  /** Starts a program that nobody waits for. If it can not be started its surface stays, as one that has exited. */
  startInBackground(surface: SurfaceRecord): void {
    const id = surface.id;
    this.#start(surface)
      .catch((error: unknown) => {
        this.#parts.log.warn({ err: error, surface_id: id }, 'a program could not be started');
        if (this.#stopped) return;
        if (error instanceof SwitchyardError) this.#parts.restores.noteFailure(id, error);
        this.#parts.state.change((model) => {
          if (model.surfaces.has(id)) model.patchSurface(id, { exit: unknownExit(model.now()) });
        });
      })
      .catch((error: unknown) => {
        this.#parts.log.error({ err: error, surface_id: id }, 'that it could not be started could not be stored');
      });
  }

  /** Starts a program in a surface again whose terminal is gone: same surface, last directory. */
  revive({ id }: SurfaceRecord, { launch, typed }: Pick<StartAgain, 'launch' | 'typed'>): void {
    const { restores, state, agents } = this.#parts;
    restores.hold(id);
    const renewed = state.change((model) => {
      renew(model, id, launch);
      model.patchSurface(id, { typedDue: typed });
      return model.surface(id);
    });
    this.startInBackground(renewed);
    agents.gone(id);
  }

  /** From now on a failed start leaves the model as it is: the next start of the service tries again. */
  stop(): void {
    this.#stopped = true;
  }

  async #start(surface: SurfaceRecord, call?: Call): Promise<Opened> {
    const opened = await this.#parts.terminals.open(surface, call);
    this.#noteStarted(surface.id);
    return opened;
  }

  #noteStarted(id: Id): void {
    const { state } = this.#parts;
    const surface = state.model.surfaces.get(id);
    if (this.#stopped || !surface) return;
    if (surface.unstarted) state.change((model) => model.patchSurface(id, { unstarted: false }));
    if (surface.replay != null) state.change((model) => model.patchSurface(id, { replay: null }));
  }

  async #undo(call: Call, { surface, mark }: Creation<unknown>, error: unknown): Promise<void> {
    const removed = this.#parts.state.undo(call, (model) => {
      const record = model.surfaces.get(surface.id);
      if (!record) return undefined;
      const undone = undoCreation(model, record, mark);
      if (!NOT_STARTED.has(codeOf(error) ?? '')) this.#parts.endings.remember(model, undone, 'ending');
      return undone;
    });
    if (removed) this.#parts.endings.follow(removed);
    this.#parts.announcer.focus();
    await this.#parts.terminals.fit(this.#parts.state.takeTouched());
  }
}

/** How a program ended that nobody saw end. */
export const unknownExit = (at: number): ExitInfo => ({ exit_code: null, signal: null, offset: 0, at, reason: 'lost' });

function renew(model: Model, id: Id, launch: Launch): SurfaceRecord {
  model.patchSurface(id, { launch, exit: null, processTitle: null, cwd: null, startedAt: model.now() });
  if (model.surface(id).stopped) model.patchSurface(id, { stopped: false });
  return model.surface(id);
}
