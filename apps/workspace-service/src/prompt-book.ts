import { createHash } from 'node:crypto';
import type { Log } from '@switchyard/service';
import type { Agents, StatusChange } from './agents.js';
import type { Id, SurfaceRecord } from './domain/entities.js';
import {
  acceptedPrompt,
  afterRestart,
  follow,
  isFollowed,
  oldestBeyondLimit,
  type PromptRecord,
} from './domain/prompt-receipt.js';
import type { YardState } from './yard-state.js';

export interface NewEntry {
  readonly id: string;
  readonly surface: SurfaceRecord;
  readonly text: string;
  /** The agent that runs there, null: none that is known. */
  readonly agent: string | null;
  readonly wasWorking: boolean;
}

/** The receipts of prompts, durable, and kept up with what the agents do about them. */
export class PromptBook {
  readonly #state: YardState;
  readonly #log: Log;
  /** By surface, the delivered prompt whose turn is still going on. */
  readonly #followed = new Map<Id, string>();

  constructor(state: YardState, agents: Agents, log: Log) {
    this.#state = state;
    this.#log = log;
    for (const record of [...state.model.prompts.values()].sort((a, b) => a.at - b.at)) this.#follow(record);
    agents.onChange((change) => this.#stateChanged(change));
  }

  find(id: string): PromptRecord | undefined {
    return this.#state.model.prompts.get(id);
  }

  /** What an earlier run of the service had under way may or may not have been typed: nobody types it again. */
  settleAfterRestart(): void {
    this.#state.change((model) => {
      for (const record of [...model.prompts.values()]) {
        if (record.outcome === 'pending') model.prompts.put(afterRestart(record));
      }
    });
  }

  /** Must be done before anything is typed. Throws when it can not be stored: then nothing may be typed. */
  accept({ id, surface, text, agent, wasWorking }: NewEntry): PromptRecord {
    const facts = { id, surfaceId: surface.id, surfaceRef: surface.ref, agent, wasWorking };
    const size = { digest: digestOf(surface.id, text), bytes: Buffer.byteLength(text) };
    const record = acceptedPrompt({ ...facts, ...size, at: this.#state.model.now() });
    this.#state.change((model) => {
      model.prompts.put(record);
      for (const old of oldestBeyondLimit(model.prompts.values())) model.prompts.remove(old.id);
    });
    // From here on the turns of this terminal are not those of an earlier prompt.
    this.#followed.delete(surface.id);
    return record;
  }

  /** A full disk is no reason to leave a prompt half written: a crash would then make its outcome unknown, no more. */
  save(record: PromptRecord): PromptRecord {
    try {
      this.#state.change((model) => model.prompts.put(record));
    } catch (error) {
      this.#log.error({ err: error, client_message_id: record.id }, 'the stage of a prompt could not be stored');
    }
    this.#follow(record);
    return record;
  }

  /** Nothing was typed: a repeat tries again. */
  remove(id: string): void {
    this.#state.change((model) => model.prompts.remove(id));
  }

  #follow(record: PromptRecord): void {
    if (isFollowed(record)) this.#followed.set(record.surfaceId, record.id);
    else if (this.#followed.get(record.surfaceId) === record.id) this.#followed.delete(record.surfaceId);
  }

  #stateChanged({ surfaceId, now }: StatusChange): void {
    const id = this.#followed.get(surfaceId);
    const record = id === undefined ? undefined : this.find(id);
    if (record === undefined) return;
    const next = follow(record, now, this.#state.model.now());
    if (next !== record) this.save(next);
  }
}

/** Tells a prompt from another under the same id. */
export const digestOf = (surfaceId: Id, text: string): string =>
  createHash('sha256').update(`${surfaceId}\0${text}`).digest('base64');
