import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Wide enough for Number.MAX_SAFE_INTEGER; fixed, so that the order of names is the order of offsets. */
const NAME_DIGITS = 20;
const SEGMENT_NAME = /^\d{20}\.log$/;
export const JOURNAL_FILE = 'journal.ndjson';
export const META_FILE = 'meta.json';
export const EXIT_FILE = 'exit.json';
/** What terminals printed can hold secrets: for the owner only. */
export const FOLDER_MODE = 0o700;
export const FILE_MODE = 0o600;

export function segmentName(startOffset: number): string {
  return `${String(startOffset).padStart(NAME_DIGITS, '0')}.log`;
}

/** Start offsets of the segments in a folder, rising. A missing folder has none. */
export function segmentStarts(folder: string): number[] {
  return namesIn(folder)
    .filter((name) => SEGMENT_NAME.test(name))
    .map((name) => Number.parseInt(name, 10))
    .sort((a, b) => a - b);
}

/**
 * Surfaces that have a log under `root`.
 * @param root folder of all logs; a missing one has none
 */
export function listLogs(root: string): string[] {
  return namesIn(root).filter((name) => !name.startsWith('.'));
}

/** Removes everything a surface's terminal has left. Readers that still hold an open segment finish reading it. */
export function forgetLog(root: string, surfaceId: string): void {
  rmSync(join(root, surfaceId), { recursive: true, force: true });
}

export function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
  } catch (error) {
    if (!isMissing(error)) throw error;
    // Node says so of a read-only disk; asked for the one folder alone, the system gives the true reason.
    mkdirSync(folder, { mode: FOLDER_MODE });
  }
}

/** A reader sees the old record or the new one, never half of one. */
export function writeRecord(path: string, record: unknown): void {
  const draft = `${path}.tmp`;
  writeFileSync(draft, `${JSON.stringify(record)}\n`, { mode: FILE_MODE });
  renameSync(draft, path);
}

/** @returns undefined when there is no such record */
export function readRecord<T>(path: string): T | undefined {
  const text = readIfThere(path);
  return text === undefined ? undefined : (JSON.parse(text) as T);
}

/** @returns undefined when there is no such file */
export function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

export function isMissing(error: unknown): boolean {
  return errorCode(error) === 'ENOENT';
}

export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** The system refused, as against a fault of ours. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}
