import { randomUUID } from 'node:crypto';
import type { EventWriter, Log } from '@switchyard/service';
import { storageFaultOfCode } from '@switchyard/store/fault';

export interface LogStorageParts {
  /** Of the logs of all terminals. */
  readonly path: string;
  readonly events: Pick<EventWriter, 'tell'>;
  readonly now: () => number;
  readonly log: Log;
}

/** Knows which terminals wait because the disk does not take their output, and tells the yard when it begins and ends. */
export class LogStorage {
  readonly #parts: LogStorageParts;
  readonly #waiting = new Set<string>();
  #since = 0;
  #id = '';
  #reason: 'storage_full' | 'storage_read_only' | 'unknown' = 'unknown';

  constructor(parts: LogStorageParts) {
    this.#parts = parts;
  }

  /** Terminals whose programs wait for the disk. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** @param code of the system, `ENOSPC` */
  refused(surfaceId: string, code: string): void {
    this.#waiting.add(surfaceId);
    if (this.#waiting.size > 1 || this.#id !== '') return;
    this.#id = randomUUID();
    this.#since = this.#parts.now();
    this.#reason = storageFaultOfCode(code) ?? 'unknown';
    this.#parts.log.warn({ code, path: this.#parts.path }, 'the disk takes no output: programs wait');
    this.#parts.events.tell({ key: `storage failed ${this.#id}`, kind: 'storage.failed', data: this.#facts() });
  }

  ok(surfaceId: string): void {
    if (!this.#waiting.delete(surfaceId) || this.#waiting.size > 0) return;
    const ms = Math.max(0, this.#parts.now() - this.#since);
    const data = { ...this.#facts(), ms };
    this.#parts.events.tell({ key: `storage recovered ${this.#id}`, kind: 'storage.recovered', data });
    this.#id = '';
  }

  #facts() {
    return { part: 'terminals', reason: this.#reason, path: this.#parts.path, since: this.#since } as const;
  }
}
