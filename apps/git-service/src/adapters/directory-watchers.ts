import { type FSWatcher, statSync, watch } from 'node:fs';
import { basename } from 'node:path';
import type { Log } from '@switchyard/service';

/**
 * Each is one inotify watch (about a kilobyte of the kernel). A user has some 8192 of them on a small machine, and
 * editors want many: a thousand is enough for a hundred and fifty checkouts.
 */
export const MOST_WATCHERS = 1024;

/** Hears the name of what changed in a directory; null: not known, or the watch has ended. */
export type NameListener = (name: string | null) => void;

interface Watched {
  readonly watcher: FSWatcher;
  /** Which directory of that path it is: one that is deleted and made anew has another. */
  readonly inode: number;
  readonly listeners: Set<NameListener>;
}

/** Watches directories, each once however many want to know. Nothing runs while nothing changes. */
export class DirectoryWatchers {
  readonly #log: Log;
  readonly #most: number;
  readonly #watched = new Map<string, Watched>();
  #refused = false;

  constructor(log: Log, most = MOST_WATCHERS) {
    this.#log = log;
    this.#most = most;
  }

  /** How many there are. */
  get size(): number {
    return this.#watched.size;
  }

  /**
   * @param listener is called for any name; it decides what matters
   * @returns ends it; null when it can not be watched: it is not there, or there are too many
   */
  add(directory: string, listener: NameListener): (() => void) | null {
    const inode = inodeOf(directory);
    if (inode === null) return null;
    const watched = this.#at(directory, inode);
    if (watched === null) return null;
    watched.listeners.add(listener);
    return () => {
      watched.listeners.delete(listener);
      if (watched.listeners.size === 0) this.#close(directory, watched);
    };
  }

  /** Whether what is watched under this path is what is there now. */
  isCurrent(directory: string): boolean {
    const watched = this.#watched.get(directory);
    return watched !== undefined && watched.inode === inodeOf(directory);
  }

  close(): void {
    for (const [directory, watched] of [...this.#watched]) this.#close(directory, watched);
  }

  #at(directory: string, inode: number): Watched | null {
    const known = this.#watched.get(directory);
    if (known?.inode === inode) return known;
    if (known !== undefined) this.#end(directory, known);
    if (this.#watched.size >= this.#most) return this.#refuse(new Error(`over ${this.#most} directories`));
    return this.#open(directory, inode);
  }

  #open(directory: string, inode: number): Watched | null {
    const listeners = new Set<NameListener>();
    try {
      const watcher = watch(directory, { persistent: false }, (_kind, name) => {
        // Its own name: it was deleted or moved. What comes to its place may even have its inode.
        if (name === basename(directory)) this.#end(directory, watched);
        else tell(listeners, name);
      });
      const watched: Watched = { watcher, inode, listeners };
      watcher.on('error', (error) => {
        this.#log.debug({ err: error, directory }, 'a watch has ended');
        this.#end(directory, watched);
      });
      this.#watched.set(directory, watched);
      return watched;
    } catch (error) {
      // It was deleted just now, or the system has no watch left.
      return inodeOf(directory) === null ? null : this.#refuse(error);
    }
  }

  /** What it was for hears it, and will ask again. */
  #end(directory: string, watched: Watched): void {
    this.#close(directory, watched);
    tell(watched.listeners, null);
  }

  #close(directory: string, watched: Watched): void {
    watched.watcher.close();
    if (this.#watched.get(directory) === watched) this.#watched.delete(directory);
  }

  #refuse(error: unknown): null {
    // Once is enough: what is not watched is still looked at when something is printed there.
    if (!this.#refused) this.#log.warn({ err: error }, 'not all repositories can be watched');
    this.#refused = true;
    return null;
  }
}

function tell(listeners: ReadonlySet<NameListener>, name: string | null): void {
  for (const listener of [...listeners]) listener(name);
}

function inodeOf(path: string): number | null {
  try {
    return statSync(path).ino;
  } catch {
    // Not there, or not ours to see: either way there is nothing to watch.
    return null;
  }
}
