import type { AgentStatus } from '@switchyard/agents';
import type { Bus } from '@switchyard/bus';
import { contract } from '@switchyard/protocol';
import { evidenceLine } from './domain/agent-status.js';
import type { Removed } from './domain/closing.js';
import type { Id } from './domain/entities.js';
import { frontSurface } from './domain/identity.js';
import type { Model } from './domain/model.js';
import type { Left } from './domain/moving.js';
import type { Call } from './yard-state.js';

/** Tells the bus what changed in the model. */
export class Announcer {
  readonly #bus: Bus;
  readonly #model: Model;
  #front: Id | undefined;

  constructor(bus: Bus, model: Model) {
    this.#bus = bus;
    this.#model = model;
  }

  removed({ departed, workspaceIds }: Removed): void {
    for (const { surface, workspace } of departed) {
      this.#bus.publish('surface.closed', { surface_id: surface.id, workspace_id: workspace.id });
    }
    for (const workspace_id of workspaceIds) this.#bus.publish('workspace.closed', { workspace_id });
  }

  /** A workspace that lost its last surface to a move. */
  left({ workspaceId }: Left): void {
    if (workspaceId !== null) this.#bus.publish('workspace.closed', { workspace_id: workspaceId });
  }

  /** What is known of the agent in a surface has changed. */
  agentChanged(surface_id: Id, { agent, state, source, activity, question, since, evidence }: AgentStatus): void {
    const surface = this.#model.surfaces.get(surface_id);
    if (!surface) return;
    const workspace_id = this.#model.workspaceOf(surface).id;
    const facts = { agent, state, source, activity, question, since };
    this.#bus.publish('agent.state_changed', {
      surface_id,
      workspace_id,
      ...facts,
      evidence: evidence.map(evidenceLine),
    });
  }

  /**
   * Tells which surface is in front, if that changed or the call meant to bring it there: a person who selects what is
   * selected already still looks at it.
   */
  focus(call?: Call): void {
    const front = frontSurface(this.#model);
    const isMeant = call !== undefined && contract[call.method].focusIntent;
    if (!front || (front.surface.id === this.#front && !isMeant)) return;
    this.#front = front.surface.id;
    this.#bus.publish('surface.focused', { surface_id: front.surface.id, workspace_id: front.workspace.id });
  }
}
