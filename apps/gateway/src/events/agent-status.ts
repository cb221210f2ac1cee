import { type EventFilter, type LiveData, passes, type Result } from '@switchyard/protocol';
import type { RingEvent } from '../domain/event-ring.js';
import type { LiveSink, LiveSource } from './subscription.js';

type Present = Result<'journal.open'>['agents'][number];
type Status = LiveData<'agent_status'>;
type State = Status['state'];

/** The kind `agent_status`: first how it is, then each change, out of the journal. */
export class AgentStatus implements LiveSource {
  readonly #present: readonly Present[];
  readonly #states: ReadonlySet<State> | undefined;

  /** @param states those that are wanted; undefined: all, also that none is known */
  constructor(present: readonly Present[], states: readonly NonNullable<State>[] | undefined) {
    this.#present = present;
    this.#states = states && new Set<State>(states);
  }

  /** As many as there are surfaces: they are pushed whether or not there is room, once. */
  start(sink: LiveSink): void {
    const at = Date.now();
    for (const { workspace_id, surface_id, ...status } of this.#present) {
      if (!this.#isWanted(status.state)) continue;
      sink.push('agent_status', { at, workspace_id, surface_id, data: { ...status, initial: true } });
    }
  }

  resume(): void {}

  close(): void {}

  /** The frame that an event of the journal means. */
  of({ event }: RingEvent, place: Omit<EventFilter, 'kinds'>): { kind: 'agent_status'; data: Status } | undefined {
    if (event.kind !== 'agent.state_changed' || !passes(place, event)) return undefined;
    const { agent, state, source, question } = event.data;
    return this.#isWanted(state)
      ? { kind: 'agent_status', data: { agent, state, source, question, initial: false } }
      : undefined;
  }

  #isWanted(state: State): boolean {
    return this.#states === undefined || this.#states.has(state);
  }
}
