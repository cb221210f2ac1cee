import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fail } from '@switchyard/protocol';
import {
  readSnapshot,
  type Scrollback,
  type Snapshot,
  SnapshotProblem,
  type SnapshotReason,
} from './domain/snapshot.js';
import { writeWhole } from './durable-file.js';

const ENDING = '.json';
const TEXT_ENDING = '.scrollback.json';
/** Times in UTC, so that names sort by age; the rest makes it unlikely that two yards share one, and says who wanted it. */
const ID = /^\d{8}T\d{9}Z-[0-9a-f]{6}(-manual)?$/;
/** What may be written is far below; a file that was tampered with must not fill our memory. */
const LARGEST_FILE_BYTES = 256 * 1024 * 1024;
const MANUAL = '-manual';
/** Generations that nobody asked for. */
const AUTOMATIC_KEPT = 10;
/** Those that somebody asked for. */
const MANUAL_KEPT = 50;
const REPLAYS = 'replay';
const OWNER_ONLY_FILE = 0o600;
const OWNER_ONLY_FOLDER = 0o700;

/** The generations of the tree, a file each, under `<state>/snapshots`. */
export class SnapshotFiles {
  readonly #folder: string;
  #latest = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** @param at Unix milliseconds. @returns an id that sorts after all that this run has given out */
  newId(at: number, reason: SnapshotReason): string {
    this.#latest = Math.max(at, this.#latest + 1);
    const stamp = new Date(this.#latest).toISOString().replace(/[-:.]/g, '');
    return `${stamp}-${randomBytes(3).toString('hex')}${reason === 'manual' ? MANUAL : ''}`;
  }

  /** The ids there are, newest first. */
  async ids(): Promise<string[]> {
    const names = await namesIn(this.#folder);
    return names
      .filter((name) => name.endsWith(ENDING))
      .map((name) => name.slice(0, -ENDING.length))
      .filter((id) => ID.test(id))
      .sort()
      .reverse();
  }

  /** @throws `not_found` for an id that is none or unreadable, `version_mismatch` */
  async read(id: string): Promise<Snapshot> {
    try {
      return await this.#read(id);
    } catch (error) {
      if (error instanceof SnapshotProblem && error.kind === 'version') {
        return fail('version_mismatch', `The snapshot can not be used: ${error.message}`, { id });
      }
      if (isMissing(error)) return fail('not_found', 'There is no such snapshot', { id });
      const message = error instanceof Error ? error.message : String(error);
      return fail('not_found', `The snapshot can not be read: ${message}`, { id });
    }
  }

  /** All that can be read, newest first. */
  async *readable(): AsyncGenerator<Snapshot> {
    for (const id of await this.ids()) {
      const snapshot = await this.#read(id).catch(() => undefined);
      if (snapshot !== undefined) yield snapshot;
    }
  }

  /** Writes a generation and removes the oldest beyond the number that is kept. @param spared is not removed */
  async write(snapshot: Snapshot, scrollback: Scrollback, spared: string | null): Promise<void> {
    // The text first: a generation that can be seen is complete.
    if (Object.keys(scrollback).length > 0) {
      await writeWhole(this.#pathOf(snapshot.id, TEXT_ENDING), JSON.stringify(scrollback));
    }
    await writeWhole(this.#pathOf(snapshot.id), JSON.stringify(snapshot));
    await this.#prune(spared);
  }

  /** Text that was saved with a generation; empty where there is none. */
  async readScrollback(id: string): Promise<Scrollback> {
    try {
      return JSON.parse(await this.#readText(this.#pathOf(id, TEXT_ENDING))) as Scrollback;
    } catch (error) {
      if (isMissing(error) || error instanceof SyntaxError || error instanceof SnapshotProblem) return {};
      throw error;
    }
  }

  /** Text for a terminal to show before anything else. @returns its file */
  async writeReplay(surfaceId: string, text: string): Promise<string> {
    const folder = join(this.#folder, REPLAYS);
    await mkdir(folder, { recursive: true, mode: OWNER_ONLY_FOLDER });
    const path = this.replayPath(surfaceId);
    await writeFile(path, text, { mode: OWNER_ONLY_FILE });
    return path;
  }

  replayPath(surfaceId: string): string {
    return join(this.#folder, REPLAYS, `${surfaceId}.txt`);
  }

  /** Removes texts of surfaces for which `isWanted` is false. */
  async removeReplays(isWanted: (surfaceId: string) => boolean): Promise<void> {
    for (const name of await namesIn(join(this.#folder, REPLAYS))) {
      if (!isWanted(name.slice(0, name.lastIndexOf('.')))) await rm(join(this.#folder, REPLAYS, name), { force: true });
    }
  }

  async #read(id: string): Promise<Snapshot> {
    if (!ID.test(id)) throw new SnapshotProblem('that is no id of a snapshot');
    return readSnapshot(JSON.parse(await this.#readText(this.#pathOf(id))));
  }

  async #readText(path: string): Promise<string> {
    const { size } = await stat(path);
    if (size > LARGEST_FILE_BYTES) throw new SnapshotProblem(`it has more than ${LARGEST_FILE_BYTES} bytes`);
    return readFile(path, 'utf8');
  }

  async #prune(spared: string | null): Promise<void> {
    const all = await this.ids();
    const manual = all.filter((id) => id.endsWith(MANUAL));
    const automatic = all.filter((id) => !id.endsWith(MANUAL));
    for (const id of [...manual.slice(MANUAL_KEPT), ...automatic.slice(AUTOMATIC_KEPT)]) {
      if (id === spared) continue;
      await rm(this.#pathOf(id), { force: true });
      await rm(this.#pathOf(id, TEXT_ENDING), { force: true });
    }
  }

  #pathOf(id: string, ending: string = ENDING): string {
    return join(this.#folder, id + ending);
  }
}

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}
