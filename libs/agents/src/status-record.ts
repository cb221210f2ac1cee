import { encodeStatus, parseStatus, type StatusReport } from './status-report.js';

/** What a program reported last under one id. */
export interface StatusRecord extends StatusReport {
  /** When it was last reported, Unix milliseconds. */
  readonly at: number;
}

/** The protocol wants room for 64 and allows 256: a program with many sub-agents should lose none. */
const MAX_RECORDS = 256;
/** What a program that is gone cannot be any more. */
const FLEETING: ReadonlySet<string> = new Set(['working', 'blocked']);

/** The status records of one terminal, the least recently updated first. */
export class StatusRecords {
  readonly #records = new Map<string, StatusRecord>();
  #revision = 0;

  /** Rises when a record appears, goes, or says something else. */
  get revision(): number {
    return this.#revision;
  }

  get size(): number {
    return this.#records.size;
  }

  /** As reported: an app that is inherited is not in it. */
  get all(): StatusRecord[] {
    return [...this.#records.values()];
  }

  get root(): StatusRecord | undefined {
    return this.#records.get('');
  }

  /**
   * Takes in the data of one OSC 7501.
   *
   * @param at Unix milliseconds
   * @returns whether it asks if the protocol is known, which is to be answered with the same bytes
   */
  apply(data: string, at: number): boolean {
    const message = parseStatus(data);
    if (message.is === 'report') this.#put({ ...message.report, at });
    if (message.is === 'clear') this.#remove((id) => isBeneath(id, message.id));
    return message.is === 'query';
  }

  /** The program's own name, or that of its nearest ancestor that has one. */
  appOf(record: StatusReport): string | null {
    for (let id = record.id, app = record.app; ; app = this.#records.get(id)?.app ?? null) {
      if (app !== null || id === '') return app;
      id = id.slice(0, Math.max(0, id.lastIndexOf('/')));
    }
  }

  /** The attached program has ended, or a new shell prompt begins: nobody works or waits any more. */
  programEnded(): void {
    this.#remove((_, record) => FLEETING.has(record.state));
  }

  /** A full reset of the terminal. */
  reset(): void {
    this.#remove(() => true);
  }

  /** Begins with records that were saved, in their order. */
  load(records: readonly StatusRecord[]): void {
    this.reset();
    for (const record of records) this.#put(record);
  }

  /** Sequences that bring a terminal which knows the protocol to the same records. */
  replay(): string {
    return this.all.map(encodeStatus).join('');
  }

  #put(record: StatusRecord): void {
    const before = this.#records.get(record.id);
    this.#records.delete(record.id);
    this.#records.set(record.id, record);
    if (before === undefined || !isSame(before, record)) this.#revision++;
    for (const oldest of this.#records.keys()) {
      if (this.#records.size <= MAX_RECORDS) break;
      this.#records.delete(oldest);
    }
  }

  #remove(which: (id: string, record: StatusRecord) => boolean): void {
    const gone = this.all.filter((record) => which(record.id, record));
    for (const { id } of gone) this.#records.delete(id);
    if (gone.length > 0) this.#revision++;
  }
}

/** Everything is beneath the root. */
function isBeneath(id: string, ancestor: string): boolean {
  return ancestor === '' || id === ancestor || id.startsWith(`${ancestor}/`);
}

function isSame(a: StatusReport, b: StatusReport): boolean {
  const keys = ['state', 'kind', 'progress', 'app', 'title', 'msg'] as const;
  return keys.every((key) => a[key] === b[key]);
}
