import { randomUUID } from 'node:crypto';
import type { JournalNote } from '@switchyard/protocol';
import type { Log } from '@switchyard/service';
import type { StorageFault } from '@switchyard/store/fault';
import type { KeyedNote } from './journal.js';

export interface StorageDiaryParts {
  readonly path: string;
  readonly now: () => number;
  readonly log: Log;
}

/** Who is told once the disk takes changes again, with what is to be said of the time before. */
export interface StorageListener {
  recovered(notes: readonly KeyedNote[]): void;
}

interface Outage {
  readonly id: string;
  readonly since: number;
  readonly reason: StorageFault;
}

/** Writes down when the disk took no changes: afterwards, since the journal is on it. The log says it at once. */
export class StorageDiary {
  readonly #parts: StorageDiaryParts;
  #listener: StorageListener | undefined;
  #outage: Outage | undefined;

  constructor(parts: StorageDiaryParts) {
    this.#parts = parts;
  }

  follow(listener: StorageListener): void {
    this.#listener = listener;
  }

  changed(fault: StorageFault | undefined): void {
    const { log, now, path } = this.#parts;
    if (fault !== undefined) {
      this.#outage ??= { id: randomUUID(), since: now(), reason: fault };
      log.error({ fault, path }, 'the disk takes no changes: they are refused until it does');
      return;
    }
    log.info({ path }, 'the disk takes changes again');
    const outage = this.#outage;
    this.#outage = undefined;
    if (outage === undefined) return;
    try {
      this.#listener?.recovered(this.#notes(outage));
    } catch (error) {
      // It is full again: the next recovery tells of one outage that began here.
      this.#outage = outage;
      log.error({ err: error }, 'the recovery of the disk could not be written down');
    }
  }

  #notes({ id, since, reason }: Outage): KeyedNote[] {
    const { path, now } = this.#parts;
    const facts = { part: 'state', reason, path, since } as const;
    const place = { workspace_id: null, surface_id: null };
    const failed: JournalNote = { kind: 'storage.failed', ...place, data: facts };
    const ms = Math.max(0, now() - since);
    const recovered: JournalNote = { kind: 'storage.recovered', ...place, data: { ...facts, ms } };
    return [
      { key: `storage failed ${id}`, note: failed },
      { key: `storage recovered ${id}`, note: recovered },
    ];
  }
}
