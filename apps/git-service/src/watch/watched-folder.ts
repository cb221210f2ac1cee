import { SwitchyardError } from '@switchyard/protocol';
import type { Log } from '@switchyard/service';
import { checkoutAbove, locate } from '../adapters/checkout-files.js';
import type { DirectoryWatchers } from '../adapters/directory-watchers.js';
import type { Checkout } from '../domain/watch/watch-plan.js';
import { FolderWatch } from './folder-watch.js';
import { Paced } from './paced.js';
import type { Slots } from './slots.js';

/** A `.git` that is just being made is not understood yet: it is tried again so often without any further sign. */
const MOST_RETRIES = 3;

export interface FolderParts {
  readonly watchers: DirectoryWatchers;
  readonly slots: Slots;
  readonly signal: AbortSignal;
  readonly log: Log;
  /** The folder is in this checkout now; null: in none. Told each time it was looked up. */
  readonly located: (checkout: Checkout | null) => void;
}

/** Knows which checkout a folder is in, also after it was deleted, made anew or became a repository. */
export class WatchedFolder {
  readonly folder: string;
  readonly #parts: FolderParts;
  readonly #looks = new Paced(() => this.#look());
  readonly #watch: FolderWatch;
  /** Nearest `.git` when it was last looked up: while that is the same, so is the checkout. */
  #above: string | null = null;
  #unsure = true;
  #retries = 0;
  #closed = false;

  constructor(folder: string, parts: FolderParts) {
    this.folder = folder;
    this.#parts = parts;
    this.#watch = new FolderWatch(parts.watchers, folder, () => this.lookAgain());
    this.#looks.moved();
  }

  /** What was known of it need not be so any more. */
  lookAgain(): void {
    this.#unsure = true;
    this.#retries = 0;
    this.#looks.moved();
  }

  /** Something was printed in a terminal there. */
  touched(): void {
    this.#looks.touched();
  }

  close(): void {
    this.#closed = true;
    this.#looks.close();
    this.#watch.close();
  }

  async #look(): Promise<boolean> {
    const above = checkoutAbove(this.folder);
    if (!this.#unsure && above === this.#above) return false;
    this.#unsure = false;
    this.#above = above;
    const found = await this.#parts.slots.run(() => this.#locate());
    if (this.#closed || this.#parts.signal.aborted) return false;
    if (found === null) this.#wait(above);
    else this.#watch.close();
    this.#parts.located(found);
    return true;
  }

  async #locate(): Promise<Checkout | null> {
    try {
      return await locate(this.folder, this.#parts.signal);
    } catch (error) {
      const isNone = error instanceof SwitchyardError && error.code === 'not_a_git_repo';
      // One that git refuses to read, say; whoever asks for its status is told why.
      if (!isNone) this.#parts.log.info({ err: error, folder: this.folder }, 'a folder could not be looked at');
      return null;
    }
  }

  #wait(above: string | null): void {
    this.#watch.arm();
    // It may have appeared before the watch was armed.
    if (checkoutAbove(this.folder) !== above) this.lookAgain();
    else if (above !== null && this.#retries++ < MOST_RETRIES) {
      this.#unsure = true;
      this.#looks.touched();
    }
  }
}
