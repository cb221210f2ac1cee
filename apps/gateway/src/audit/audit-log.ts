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

export type AuditEntry = Result<'audit.read'>['entries'][number];

export interface AuditQuery {
  readonly limit: number;
  /** Only entries with a lower number. */
  readonly before: number | undefined;
  readonly method: string | undefined;
  readonly outcome: string | undefined;
  readonly token: string | undefined;
}

/** A day of a busy yard. */
const FILE_BYTES = 8 * 1024 * 1024;
/** With the current one: the last weeks of most yards, and never more than 64 MiB. */
const FILES_KEPT = 8;
const OWNER_ONLY_FILE = 0o600;
const OWNER_ONLY_FOLDER = 0o700;

/**
 * Who changed what, as JSON lines: `audit.jsonl`, and older ones as `audit.1.jsonl` … A line is in the file before its
 * call is answered.
 */
export class AuditLog {
  readonly #folder: string;
  readonly #fileBytes: number;
  #fd: number;
  #bytes: number;
  #seq: number;

  /** @param fileBytes at which a new file is begun */
  constructor(folder: string, fileBytes = FILE_BYTES) {
    mkdirSync(folder, { recursive: true, mode: OWNER_ONLY_FOLDER });
    this.#folder = folder;
    this.#fileBytes = fileBytes;
    const [newest] = this.read({
      limit: 1,
      before: undefined,
      method: undefined,
      outcome: undefined,
      token: undefined,
    });
    this.#seq = newest?.seq ?? 0;
    this.#fd = openSync(this.#path(0), 'a', OWNER_ONLY_FILE);
    this.#bytes = fstatSync(this.#fd).size;
    // What a killed gateway has half written must not swallow the first line of this one.
    if (this.#bytes > 0) this.#bytes += writeSync(this.#fd, '\n');
  }

  /** @throws when the disk does not take it */
  append(entry: Omit<AuditEntry, 'seq'>): void {
    const line = Buffer.from(`${JSON.stringify({ seq: ++this.#seq, ...entry })}\n`);
    if (this.#bytes > 0 && this.#bytes + line.length > this.#fileBytes) this.#rotate();
    this.#bytes += writeSync(this.#fd, line);
  }

  /** Newest first. */
  read(query: AuditQuery): AuditEntry[] {
    const found: AuditEntry[] = [];
    for (let n = 0; n < FILES_KEPT && existsSync(this.#path(n)); n++) {
      const lines = readFileSync(this.#path(n), 'utf8').split('\n');
      for (const line of lines.reverse()) {
        if (found.length === query.limit) return found;
        const entry = parsed(line);
        if (entry !== undefined && matches(entry, query)) found.push(entry);
      }
    }
    return found;
  }

  close(): void {
    closeSync(this.#fd);
  }

  #rotate(): void {
    closeSync(this.#fd);
    rmSync(this.#path(FILES_KEPT - 1), { force: true });
    for (let n = FILES_KEPT - 2; n >= 0; n--) {
      if (existsSync(this.#path(n))) renameSync(this.#path(n), this.#path(n + 1));
    }
    this.#fd = openSync(this.#path(0), 'a', OWNER_ONLY_FILE);
    this.#bytes = 0;
  }

  #path(n: number): string {
    return join(this.#folder, n === 0 ? 'audit.jsonl' : `audit.${n}.jsonl`);
  }
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
