import { randomUUID } from 'node:crypto';
import type { Log } from '@switchyard/service';
import { OperationFiles } from './adapters/operation-files.js';
import {
  type Facts,
  type OperationRecord,
  outdatedOutcomes,
  type Recovered,
  type RecoveryNote,
  readRecord,
  stepOf,
  withStep,
} from './domain/operation.js';

/** Outcomes wait for the next call about the same thing; most never come. */
const MOST_OUTCOMES = 256;

/** One change of a repository, from its journal's first line until it is over. */
export interface Operation {
  readonly id: string;
  readonly kind: string;
  readonly repo: string;
  readonly identity: string;
  readonly facts: Facts;
  /** Notes that a step has been done (or is about to be): on disk when it resolves. */
  step(name: string, facts?: Facts): Promise<void>;
  /** The facts of a step that was noted. */
  did(name: string): Facts | undefined;
  /** It is over, carried out or taken back, and whoever asked for it is told directly. */
  done(): Promise<void>;
  /** It is over, but whoever asked for it is gone: the next call about the same identity is told. */
  recovered(outcome: Recovered, detail: string): Promise<void>;
}

export interface NewOperation {
  readonly kind: string;
  readonly repo: string;
  readonly identity: string;
  readonly facts: Facts;
}

/** The journal of changes: what was begun and not ended survives the death of the service. */
export class Operations {
  readonly #files: OperationFiles;
  readonly #log: Log;
  readonly #onCompleted: (record: OperationRecord) => void;
  readonly #records = new Map<string, OperationRecord>();

  /**
   * @param folder of its own; made when it is missing
   * @param onCompleted told of each that was cut off and has been completed
   */
  constructor(folder: string, log: Log, onCompleted: (record: OperationRecord) => void = () => undefined) {
    this.#files = new OperationFiles(folder);
    this.#log = log;
    this.#onCompleted = onCompleted;
  }

  /** Reads what an earlier run left. Before anything else. */
  async open(): Promise<void> {
    for (const [name, text] of await this.#files.readAll()) {
      const record = readRecord(text);
      if (record === undefined) this.#log.error({ operation: name }, 'the journal of an operation cannot be read');
      else this.#records.set(record.id, record);
    }
    await this.#forgetOld();
  }

  async begin({ kind, repo, identity, facts }: NewOperation): Promise<Operation> {
    const id = randomUUID();
    await this.#put({ id, kind, repo, identity, facts, begunAt: Date.now(), steps: [], outcome: null });
    return this.#operation(id);
  }

  /** What was begun and is not over: of a repository, or of all. Oldest first. */
  unfinished(repo?: string): Operation[] {
    return [...this.#records.values()]
      .filter((record) => record.outcome === null && (repo === undefined || record.repo === repo))
      .sort((a, b) => a.begunAt - b.begunAt)
      .map(({ id }) => this.#operation(id));
  }

  /** What became of earlier runs about an identity, to be said once: it is forgotten. The newest, if there are more. */
  async takeNote(identity: string): Promise<RecoveryNote | null> {
    const notes: RecoveryNote[] = [];
    for (const record of [...this.#records.values()]) {
      if (record.identity !== identity || record.outcome === null) continue;
      const { recovered, detail, at } = record.outcome;
      notes.push({ outcome: recovered, detail, at });
      await this.#remove(record.id);
    }
    return notes.sort((a, b) => b.at - a.at)[0] ?? null;
  }

  /** The same for an outcome that is known by other facts; the newest of those meant. */
  async takeNoteOf(
    isMeant: (record: OperationRecord) => boolean,
  ): Promise<{ readonly note: RecoveryNote; readonly facts: Facts } | null> {
    const found = [...this.#records.values()].filter(isMeant).flatMap(({ id, facts, outcome }) => {
      if (outcome === null) return [];
      return [{ id, facts, note: { outcome: outcome.recovered, detail: outcome.detail, at: outcome.at } }];
    });
    const newest = found.sort((a, b) => b.note.at - a.note.at)[0];
    if (newest === undefined) return null;
    await this.#remove(newest.id);
    return { note: newest.note, facts: newest.facts };
  }

  #operation(id: string): Operation {
    const record = () => {
      const found = this.#records.get(id);
      if (found === undefined) throw new Error(`operation ${id} is over`);
      return found;
    };
    const { kind, repo, identity, facts } = record();
    return {
      id,
      kind,
      repo,
      identity,
      facts,
      step: (name, more = {}) => this.#put(withStep(record(), name, more, Date.now())),
      did: (name) => stepOf(record(), name),
      done: () => this.#remove(id),
      recovered: async (outcome, detail) => {
        this.#log.warn({ operation: id, kind, identity, outcome }, detail);
        if (outcome === 'completed') this.#onCompleted(record());
        await this.#put({ ...record(), outcome: { recovered: outcome, detail, at: Date.now() } });
        await this.#forgetOld();
      },
    };
  }

  async #put(record: OperationRecord): Promise<void> {
    await this.#files.write(record.id, JSON.stringify(record));
    this.#records.set(record.id, record);
  }

  async #remove(id: string): Promise<void> {
    await this.#files.remove(id);
    this.#records.delete(id);
  }

  async #forgetOld(): Promise<void> {
    for (const id of outdatedOutcomes([...this.#records.values()], MOST_OUTCOMES)) await this.#remove(id);
  }
}
