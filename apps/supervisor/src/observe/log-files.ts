import { closeSync, existsSync, openSync, readdirSync, readSync, statSync, watch } from 'node:fs';
import { basename, join } from 'node:path';
import { type LogEntry, type LogFilter, logEntry, passesLog } from '../domain/log-entry.js';
import { mergeLogs, type PlacedEntry } from '../domain/log-merge.js';

const LOG = '.log';
/** What a process logged before its file was emptied; see `rotateWhenFull`. */
const OLDER = '.1';

/** How far a log has been read: so many bytes of the file that was there when its older part was of this time. */
export type LogMark = readonly [bytes: number, olderMs: number];
/** How far each log has been read, by process. */
export type LogPosition = Readonly<Record<string, LogMark>>;

export interface LogQuery extends LogFilter {
  /** Names of processes; undefined: all. */
  readonly processes?: readonly string[] | undefined;
  readonly limit: number;
  /** The limit holds for each process, not for all together. */
  readonly each?: boolean | undefined;
}

export interface LogPage {
  /** Oldest first. */
  readonly entries: readonly LogEntry[];
  readonly position: LogPosition;
  readonly more: boolean;
}

/** The logs of the processes of a yard, in their folder. Works without a yard, too. */
export class LogFiles {
  readonly #folder: string;
  readonly #scanBytes: number;

  /** @param scanBytes read from the end of each log, at most */
  constructor(folder: string, scanBytes: number) {
    this.#folder = folder;
    this.#scanBytes = scanBytes;
  }

  /** Names of the processes that have a log, sorted. */
  names(): string[] {
    if (!existsSync(this.#folder)) return [];
    const files = readdirSync(this.#folder, { encoding: 'utf8' }).filter((name) => name.endsWith(LOG));
    return files.map((name) => basename(name, LOG)).sort();
  }

  /** The last entries there are. */
  last(query: LogQuery): LogPage {
    const { limit, each = false } = query;
    const position: Record<string, LogMark> = {};
    const files = this.#chosen(query).map((name) => {
      const end = sizeOf(this.#path(name));
      position[name] = [end, this.#olderTime(name)];
      const passing = this.#lastPart(name, end).filter(({ entry }) => passesLog(query, entry));
      return each ? passing.slice(-limit) : passing;
    });
    const merged = mergeLogs(files);
    const entries = (each ? merged : merged.slice(-limit)).map(({ entry }) => entry);
    return { entries, position, more: false };
  }

  /** The entries after a position, oldest first. */
  after(given: LogPosition, query: LogQuery): LogPage {
    const position: Record<string, LogMark> = { ...given };
    const files = this.#chosen(query).map((name) => {
      const { placed, end } = this.#newPart(name, given[name] ?? [0, this.#olderTime(name)]);
      const passing = placed.filter(({ entry }) => passesLog(query, entry));
      position[name] = [end, this.#olderTime(name)];
      return passing;
    });
    const merged = mergeLogs(files);
    const shown = merged.slice(0, query.limit);
    // Of the rest nothing has been read.
    for (const { entry, start } of merged.slice(query.limit).reverse()) position[entry.process] = start;
    return { entries: shown.map(({ entry }) => entry), position, more: merged.length > shown.length };
  }

  /** `fn` runs whenever something may have been logged. @returns ends it */
  onGrowth(fn: () => void): () => void {
    const watcher = watch(this.#folder, fn);
    return () => watcher.close();
  }

  #chosen({ processes }: LogQuery): string[] {
    const names = this.names();
    return processes === undefined ? names : names.filter((name) => processes.includes(name));
  }

  #lastPart(name: string, end: number): PlacedEntry[] {
    const path = this.#path(name);
    const from = Math.max(0, end - this.#scanBytes);
    const present = placedIn(name, readPart(path, from, end), [from, 0], from > 0);
    const older = `${path}${OLDER}`;
    const left = this.#scanBytes - (end - from);
    if (left <= 0 || !existsSync(older)) return present;
    const olderEnd = sizeOf(older);
    const olderFrom = Math.max(0, olderEnd - left);
    return [...placedIn(name, readPart(older, olderFrom, olderEnd), [olderFrom, 0], olderFrom > 0), ...present];
  }

  /** @returns `end`: after the last whole line */
  #newPart(name: string, [from, older]: LogMark): { readonly placed: PlacedEntry[]; readonly end: number } {
    const path = this.#path(name);
    const time = this.#olderTime(name);
    // Emptied when it was full: what was not read then is in the copy.
    const wasEmptied = time !== older;
    const copy = `${path}${OLDER}`;
    const missed = wasEmptied ? placedIn(name, readPart(copy, from, sizeOf(copy)), [from, older], false) : [];
    const size = sizeOf(path);
    const start = wasEmptied ? 0 : Math.min(from, size);
    const begin = Math.max(start, size - this.#scanBytes);
    const text = readPart(path, begin, size);
    const whole = text.slice(0, text.lastIndexOf('\n') + 1);
    const placed = placedIn(name, whole, [begin, time], begin > start);
    return { placed: [...missed, ...placed], end: begin + Buffer.byteLength(whole) };
  }

  /** Changes whenever the file is emptied. */
  #olderTime(name: string): number {
    return Math.floor(statSync(`${this.#path(name)}${OLDER}`, { throwIfNoEntry: false })?.mtimeMs ?? 0);
  }

  #path(name: string): string {
    return join(this.#folder, `${name}${LOG}`);
  }
}

/** @param cut the text begins in the middle of a line: that one is left out, as is one without an end */
function placedIn(name: string, text: string, [from, older]: LogMark, cut: boolean): PlacedEntry[] {
  const placed: PlacedEntry[] = [];
  let at = from;
  for (const [i, line] of text.split('\n').slice(0, -1).entries()) {
    if (line !== '' && !(cut && i === 0)) placed.push({ entry: logEntry(name, line), start: [at, older] });
    at += Buffer.byteLength(line) + 1;
  }
  return placed;
}

const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

function readPart(path: string, from: number, to: number): string {
  if (to <= from) return '';
  const fd = openSync(path, 'r');
  try {
    const buffer = Buffer.alloc(to - from);
    return buffer.subarray(0, readSync(fd, buffer, 0, buffer.length, from)).toString('utf8');
  } finally {
    closeSync(fd);
  }
}
