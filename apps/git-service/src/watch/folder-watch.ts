import { existsSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { DirectoryWatchers } from '../adapters/directory-watchers.js';

/**
 * A folder in which something happens all the time (a home folder, a growing log) is not worth hearing all of it. After so
 * many events that meant nothing it is no longer watched; what is printed in a terminal there still counts.
 */
export const NOISE_LIMIT = 200;

/** Waits until there is something to look at: `.git` in a folder, or first of all the folder itself. */
export class FolderWatch {
  readonly #watchers: DirectoryWatchers;
  readonly #folder: string;
  readonly #onSign: () => void;
  #end: (() => void) | null = null;
  #noise = 0;

  /** @param onSign hears that it is time to look again, and then arms the watch anew if there is still nothing */
  constructor(watchers: DirectoryWatchers, folder: string, onSign: () => void) {
    this.#watchers = watchers;
    this.#folder = folder;
    this.#onSign = onSign;
  }

  /** Watches from now on for what comes next. Safe to repeat. */
  arm(): void {
    this.close();
    const { directory, name } = nextOf(this.#folder);
    if (this.#noise >= NOISE_LIMIT) return;
    this.#end = this.#watchers.add(directory, (changed) => {
      if (changed === null || changed === name) this.#onSign();
      else if (++this.#noise >= NOISE_LIMIT) this.close();
    });
  }

  close(): void {
    this.#end?.();
    this.#end = null;
  }
}

/** What must appear next, and where. */
function nextOf(folder: string): { readonly directory: string; readonly name: string } {
  if (existsSync(folder)) return { directory: folder, name: '.git' };
  for (let at = folder; ; at = dirname(at)) {
    const directory = dirname(at);
    if (existsSync(directory) || directory === at) return { directory, name: basename(at) };
  }
}
