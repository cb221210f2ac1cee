import type { AgentSession } from './domain/agent-sessions.js';
import type { ExitInfo, Id, SurfaceRecord } from './domain/entities.js';
import { type RestorePolicy, startAgain } from './domain/start-again.js';
import { type Openings, unknownExit } from './openings.js';
import type { Terminals } from './terminals.js';
import type { TypedCommands } from './typed-commands.js';
import type { YardState } from './yard-state.js';

export interface RevivalParts {
  readonly state: YardState;
  readonly openings: Openings;
  readonly terminals: Terminals;
  readonly commands: TypedCommands;
  /** What the settings say. */
  readonly policy: () => RestorePolicy;
}

/** Starts again what ended with the yard, as far as the policy goes. */
export class Revivals {
  readonly #parts: RevivalParts;
  /** Conversations that were gone on with, by the surface that has them: each in one place. */
  readonly #claimed = new Map<string, Id>();

  constructor(parts: RevivalParts) {
    this.#parts = parts;
  }

  /** The terminal of a surface is gone without its program having ended it. @param exit if it was seen */
  lost(surface: SurfaceRecord, exit: ExitInfo | null): void {
    const { state, policy } = this.#parts;
    if (this.start(surface, policy())) return;
    state.change((model) => {
      model.patchSurface(surface.id, { exit: exit ?? unknownExit(model.now()), stopped: true });
    });
  }

  /** @returns whether something is started */
  start(surface: SurfaceRecord, policy: RestorePolicy): boolean {
    const { openings, commands } = this.#parts;
    const again = startAgain(surface, policy, (conversation) => this.#isElsewhere(conversation, surface.id));
    if (again === null) return false;
    if (again.conversation !== null) this.#claimed.set(keyOf(again.conversation), surface.id);
    openings.revive(surface, again);
    commands.typeInBackground(surface.id);
    return true;
  }

  #isElsewhere(conversation: AgentSession, than: Id): boolean {
    const { state, terminals } = this.#parts;
    const key = keyOf(conversation);
    const holder = this.#claimed.get(key) ?? than;
    if (holder !== than) return true;
    return [...state.model.surfaces.values()].some(({ id, sessions }) => {
      const held = sessions?.current ?? null;
      return id !== than && held !== null && keyOf(held) === key && terminals.running(id) !== undefined;
    });
  }
}

const keyOf = ({ agent, sessionId }: AgentSession): string => `${agent} ${sessionId}`;
