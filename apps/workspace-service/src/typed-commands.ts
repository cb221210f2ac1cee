import { randomUUID } from 'node:crypto';
import type { Log } from '@switchyard/service';
import type { Id, SurfaceRecord } from './domain/entities.js';
import type { InputLocks } from './input-locks.js';
import { codeOf, type Terminals } from './terminals.js';
import type { Call, YardState } from './yard-state.js';

/** A prompt shows within this; a shell that has not printed anything by then still keeps what is typed. */
const PROMPT_MS = 3000;
/** For a pty-host that is being started as well. */
const TYPING_MS = 60_000;
/** Any first sign of life on the screen. */
const SOMETHING = '\\S';

export interface TypedCommandParts {
  readonly state: YardState;
  readonly terminals: Terminals;
  readonly locks: InputLocks;
  readonly log: Log;
}

/**
 * Types the commands of layouts, and what a restore goes on with, into their shells once those are ready (programa-api §8.2). What others type meanwhile
 * comes after it. A command that this service did not get to is typed after its restart, and never twice: the keeper knows
 * the input by its id.
 */
export class TypedCommands {
  readonly #parts: TypedCommandParts;
  readonly #stop = new AbortController();
  readonly #typing = new Set<Id>();

  constructor(parts: TypedCommandParts) {
    this.#parts = parts;
  }

  /** Types what is still due anywhere, as after a restart. */
  resume(): void {
    for (const { id } of [...this.#parts.state.model.surfaces.values()]) this.typeInBackground(id);
  }

  /** Does nothing where no command is due, or no shell is there to take it. */
  typeInBackground(id: Id): void {
    const surface = this.#parts.state.model.surfaces.get(id);
    const due = surface?.typedDue ?? null;
    if (surface === undefined || due === null || surface.exit !== null || this.#typing.has(id)) return;
    if (surface.launch.argv !== null) return;
    this.#typing.add(id);
    this.#type(surface, due)
      .catch((error: unknown) => {
        if (this.#stop.signal.aborted) return;
        // It stays due: the next start of this service tries again.
        this.#parts.log.warn({ err: error, surface_id: id }, 'a command that is due could not be typed');
      })
      .finally(() => this.#typing.delete(id));
  }

  stop(): void {
    this.#stop.abort();
  }

  async #type(surface: SurfaceRecord, command: string): Promise<void> {
    const { locks, terminals } = this.#parts;
    const call = this.#call(surface);
    const free = await locks.hold(surface.id, call);
    try {
      await this.#untilReady(surface, call);
      const typed = { surface_id: surface.id, text: `${command}\n`, paste: false };
      await terminals.ask('terminal.send_text', surface, typed, call);
      this.#done(surface.id);
    } catch (error) {
      // There is no shell any more that it could be typed into.
      if (codeOf(error) === 'terminal_exited' || codeOf(error) === 'not_found') this.#done(surface.id);
      else throw error;
    } finally {
      free();
    }
  }

  async #untilReady(surface: SurfaceRecord, call: Call): Promise<void> {
    const wait = { surface_id: surface.id, pattern: SOMETHING, lines: 1, timeout_ms: PROMPT_MS };
    try {
      await this.#parts.terminals.ask('terminal.wait', surface, wait, call);
    } catch (error) {
      if (codeOf(error) !== 'timeout') throw error;
    }
  }

  #done(id: Id): void {
    this.#parts.state.change((model) => {
      if (model.surfaces.has(id)) model.patchSurface(id, { typedDue: null });
    });
  }

  /** The id of the input is that of the surface and its start: a shell gets one command in its life. */
  #call({ id, startedAt }: SurfaceRecord): Call {
    return {
      method: 'surface.send_text',
      resumed: false,
      signal: this.#stop.signal,
      deadline: performance.now() + TYPING_MS,
      caller: { kind: 'service', name: 'workspace-service' },
      callId: randomUUID(),
      requestId: `due command ${id} ${startedAt}`,
    };
  }
}
