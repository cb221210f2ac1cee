import {
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Result } from '@switchyard/protocol';
import { storageFault } from '@switchyard/store/fault';

export type AuditEntry = Result<'audit.read'>['entries'][number];

export interface AuditQuery {
  readonly limit: number;
  /** Only entries with a lower number. */
  readonly before?: number | undefined;
  readonly method?: string | undefined;
  readonly outcome?: string | undefined;
  readonly token?: string | undefined;
}

export interface AuditLogOptions {
  /** `<stateDir>/audit`. */
  readonly folder: string;
  /** Whose calls these are: each writer has files of its own, so that two processes never write into one. */
  readonly writer: keyof typeof WRITERS;
  /** At which a new file is begun. */
  readonly fileBytes?: number;
}

interface Series {
  /** Of its files: `<name>.jsonl`, and older ones as `<name>.1.jsonl` … */
  readonly name: string;
  /** Numbers of one writer leave this rest, so that no two entries have the same. */
  readonly rest: number;
  readonly files: number;
}

/** A day of a busy yard; with the older ones the last weeks of most yards, and never more than 64 MiB. */
const FILE_BYTES = 8 * 1024 * 1024;
/** The supervisor is asked a few times a day: two files are years. */
const WRITERS = {
  gateway: { name: 'audit', rest: 0, files: 8 },
  supervisor: { name: 'supervisor', rest: 1, files: 2 },
} as const satisfies Record<string, Series>;
const STEP = Object.keys(WRITERS).length;
/** Numbers begin with the time, so that the entries of all writers are in order: a thousand for each millisecond. */
const PER_MS = 1000;
/** While the disk is full: an entry has some hundred bytes, and changes that need the disk are refused anyway. */
const MOST_HELD = 4096;
const RETRY_MS = 1000;
/** Stands for entries that are missing in its place; `target.entries` says how many. */
export const LOST_METHOD = 'audit.lost';
const OWNER_ONLY_FILE = 0o600;
const OWNER_ONLY_FOLDER = 0o700;

/** Who changed what, as JSON lines. A line is in the file before its call is answered. */
export class AuditLog {
  readonly #folder: string;
  readonly #series: Series;
  readonly #fileBytes: number;
  #fd: number;
  #bytes: number;
  #seq: number;
  /** What the disk has not taken: the rest of a line first, then whole ones. */
  #rest: Buffer = Buffer.alloc(0);
  #held: string[] = [];
  #lost = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor({ folder, writer, fileBytes = FILE_BYTES }: AuditLogOptions) {
    mkdirSync(folder, { recursive: true, mode: OWNER_ONLY_FOLDER });
    this.#folder = folder;
    this.#series = WRITERS[writer];
    this.#fileBytes = fileBytes;
    this.#seq = readSeries(folder, this.#series, { limit: 1 })[0]?.seq ?? 0;
    this.#fd = openSync(this.#path(0), 'a', OWNER_ONLY_FILE);
    this.#bytes = fstatSync(this.#fd).size;
    // What a killed process has half written must not swallow the first line of this one.
    if (this.#bytes > 0) this.#rest = Buffer.from('\n');
    this.#flush();
  }

  /**
   * What a full disk does not take is held and written when it does. Beyond the bound entries are given up, and an entry
   * {@link LOST_METHOD} with their number takes their place.
   * @throws when the file can not be written for another reason
   */
  append(entry: Omit<AuditEntry, 'seq'>): void {
    if (this.#lost > 0 || this.#held.length >= MOST_HELD) this.#lost++;
    else this.#held.push(this.#line(entry));
    this.#flush();
  }

  /** Entries that the disk has not taken yet. */
  get waiting(): number {
    return this.#held.length + this.#lost;
  }

  /** The entries of all writers, newest first. */
  read(query: AuditQuery): AuditEntry[] {
    const found = Object.values(WRITERS).flatMap((series) => readSeries(this.#folder, series, query));
    return found.sort((a, b) => b.seq - a.seq).slice(0, query.limit);
  }

  close(): void {
    clearTimeout(this.#timer);
    closeSync(this.#fd);
  }

  #line(entry: Omit<AuditEntry, 'seq'>): string {
    this.#seq = nextNumber(this.#seq, Date.parse(entry.at), this.#series.rest);
    return `${JSON.stringify({ seq: this.#seq, ...entry })}\n`;
  }

  #flush(): void {
    clearTimeout(this.#timer);
    try {
      for (let more = true; more; more = this.#takeNext()) {
        while (this.#rest.length > 0) {
          const written = writeSync(this.#fd, this.#rest);
          this.#bytes += written;
          this.#rest = this.#rest.subarray(written);
        }
      }
    } catch (error) {
      if (storageFault(error) === undefined) throw error;
      this.#timer = setTimeout(() => this.#flush(), RETRY_MS).unref();
    }
  }

  /** @returns whether there is something to be written */
  #takeNext(): boolean {
    const line = this.#held[0] ?? this.#lostLine();
    if (line === undefined) return false;
    const bytes = Buffer.from(line);
    if (this.#bytes > 0 && this.#bytes + bytes.length > this.#fileBytes) this.#rotate();
    if (this.#held.shift() === undefined) this.#lost = 0;
    this.#rest = bytes;
    return true;
  }

  #lostLine(): string | undefined {
    if (this.#lost === 0) return undefined;
    const socket = this.#series.name === 'supervisor' ? 'supervisor' : 'main';
    const caller = { name: this.#series.name, socket, uid: null, pid: null, surface_id: null, token: null } as const;
    const target = { entries: String(this.#lost) };
    const at = new Date().toISOString();
    return this.#line({ at, method: LOST_METHOD, caller, target, outcome: 'storage_full', ms: 0 });
  }

  #rotate(): void {
    const oldest = this.#series.files - 1;
    closeSync(this.#fd);
    rmSync(this.#path(oldest), { force: true });
    for (let n = oldest - 1; n >= 0; n--) {
      if (existsSync(this.#path(n))) renameSync(this.#path(n), this.#path(n + 1));
    }
    this.#fd = openSync(this.#path(0), 'a', OWNER_ONLY_FILE);
    this.#bytes = 0;
  }

  #path(n: number): string {
    return pathOf(this.#folder, this.#series, n);
  }
}

/** The first number of a writer that is above its last one and not below the time. */
function nextNumber(last: number, at: number, rest: number): number {
  const least = Math.max(last + 1, at * PER_MS);
  return least + ((rest - (least % STEP) + STEP) % STEP);
}

function readSeries(folder: string, series: Series, query: AuditQuery): AuditEntry[] {
  const found: AuditEntry[] = [];
  for (let n = 0; n < series.files && existsSync(pathOf(folder, series, n)); n++) {
    const lines = readFileSync(pathOf(folder, series, n), 'utf8').split('\n');
    for (const line of lines.reverse()) {
      if (found.length === query.limit) return found;
      const entry = parsed(line);
      if (entry !== undefined && matches(entry, query)) found.push(entry);
    }
  }
  return found;
}

function pathOf(folder: string, { name }: Series, n: number): string {
  return join(folder, n === 0 ? `${name}.jsonl` : `${name}.${n}.jsonl`);
}

function matches(entry: AuditEntry, { before, method, outcome, token }: AuditQuery): boolean {
  return (
    (before === undefined || entry.seq < before) &&
    (method === undefined || entry.method === method) &&
    (outcome === undefined || entry.outcome === outcome) &&
    (token === undefined || entry.caller.token === token)
  );
}

/** @returns undefined for a line that is blank, or was cut off in the middle */
function parsed(line: string): AuditEntry | undefined {
  try {
    return line === '' ? undefined : (JSON.parse(line) as AuditEntry);
  } catch {
    return undefined;
  }
}
