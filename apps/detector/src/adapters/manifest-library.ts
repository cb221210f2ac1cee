import { existsSync, type FSWatcher, watch } from 'node:fs';
import { dirname } from 'node:path';
import type { Log } from '@switchyard/bus';
import { type KnownAgent, type ManifestFolders, readManifests } from './manifest-folders.js';

/**
 * The manifests, kept compiled. A change in a folder of overrides makes the next question read all of them again; nothing
 * is read while nobody asks.
 */
export class ManifestLibrary {
  readonly #folders: ManifestFolders;
  readonly #log: Log;
  #watchers: FSWatcher[] = [];
  #agents: Promise<readonly KnownAgent[]> | null = null;

  constructor(folders: ManifestFolders, log: Log) {
    this.#folders = folders;
    this.#log = log;
  }

  /** As they were read last. */
  get agents(): Promise<readonly KnownAgent[]> {
    this.#agents ??= readManifests(this.#folders, this.#log);
    return this.#agents;
  }

  /** As they are on disk now. */
  readAfresh(): Promise<readonly KnownAgent[]> {
    this.#agents = null;
    return this.agents;
  }

  /** Begins to look for changes; {@link close} ends it. */
  watch(): void {
    this.close();
    for (const folder of this.#folders.overrides) this.#watchOne(folder);
  }

  close(): void {
    for (const watcher of this.#watchers) watcher.close();
    this.#watchers = [];
  }

  /** A folder that does not exist yet is watched for in the nearest one above it that does. */
  #watchOne(folder: string): void {
    let place = folder;
    while (!existsSync(place) && dirname(place) !== place) place = dirname(place);
    try {
      const watcher = watch(place, { persistent: false }, () => this.#changed(place !== folder && existsSync(folder)));
      watcher.on('error', (error) => this.#log.warn({ folder, reason: error.message }, 'manifests are not watched'));
      this.#watchers.push(watcher);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#log.warn({ folder, reason }, 'manifests are not watched: changes count from the next start');
    }
  }

  #changed(folderAppeared: boolean): void {
    this.#agents = null;
    if (folderAppeared) this.watch();
  }
}
