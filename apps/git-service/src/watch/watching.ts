import type { BusEvent, Params } from '@switchyard/protocol';
import type { Log } from '@switchyard/service';
import { DirectoryWatchers } from '../adapters/directory-watchers.js';
import type { GitFacts } from '../domain/watch/pull-request.js';
import type { Checkout } from '../domain/watch/watch-plan.js';
import { CheckoutWatch } from './checkout-watch.js';
import { PullRequests } from './pull-requests.js';
import { Slots } from './slots.js';
import { WatchedFolder } from './watched-folder.js';

/** Two cores are common, and the agents want them too. */
const LOOKS_AT_ONCE = 2;

type Wanted = Params<'git.watch'>['folders'];
type Change = Omit<BusEvent<'git.changed'>, 'instance'>;

export interface WatchingOptions {
  readonly pullRequests: boolean;
  readonly log: Log;
  readonly tell: (change: Change) => void;
}

interface Shared {
  readonly watch: CheckoutWatch;
  readonly folders: Set<string>;
}

interface Folder {
  readonly watched: WatchedFolder;
  checkout: Shared | null;
  /** null: not looked at yet. */
  known: { readonly rev: number; readonly git: GitFacts | null } | null;
}

/**
 * What is known of the repositories that some folders are in, kept fresh by events alone. Folders of one checkout share
 * what is known of it.
 */
export class Watching {
  readonly #tell: WatchingOptions['tell'];
  readonly #log: Log;
  readonly #watchers: DirectoryWatchers;
  readonly #pullRequests: PullRequests;
  readonly #slots = new Slots(LOOKS_AT_ONCE);
  readonly #stopping = new AbortController();
  readonly #folders = new Map<string, Folder>();
  readonly #checkouts = new Map<string, Shared>();
  #bySurface: ReadonlyMap<string, Folder> = new Map();
  #rev = 0;

  constructor({ pullRequests: enabled, log, tell }: WatchingOptions) {
    this.#tell = tell;
    this.#log = log;
    this.#watchers = new DirectoryWatchers(log);
    this.#pullRequests = new PullRequests({ enabled, signal: this.#stopping.signal, log });
  }

  /** How many directories the system watches for us. */
  get watchers(): number {
    return this.#watchers.size;
  }

  /**
   * Watches these folders and no others; those that are watched already are not disturbed.
   * @returns what is known of them so far
   */
  watch(wanted: Wanted): { folder: string; rev: number; git: GitFacts | null }[] {
    const named = new Set(wanted.map(({ folder }) => folder));
    for (const [folder, entry] of [...this.#folders]) if (!named.has(folder)) this.#drop(folder, entry);
    const bySurface = new Map<string, Folder>();
    for (const { folder, surface_ids } of wanted) {
      const entry = this.#folders.get(folder) ?? this.#add(folder);
      for (const id of surface_ids) bySurface.set(id, entry);
    }
    this.#bySurface = bySurface;
    return [...this.#folders].flatMap(([folder, { known }]) => (known === null ? [] : [{ folder, ...known }]));
  }

  /** Something was printed in a terminal: a command may have ended there, or an agent written a file. */
  printed(surfaceId: string): void {
    const entry = this.#bySurface.get(surfaceId);
    entry?.watched.touched();
    entry?.checkout?.watch.touched();
  }

  /** The agent in a terminal has ended its turn, or asks something. */
  worked(surfaceId: string): void {
    const entry = this.#bySurface.get(surfaceId);
    entry?.watched.touched();
    entry?.checkout?.watch.worked();
  }

  /** A person looks at a terminal. */
  shown(surfaceId: string): void {
    const entry = this.#bySurface.get(surfaceId);
    entry?.watched.touched();
    entry?.checkout?.watch.shown();
  }

  close(): void {
    this.#stopping.abort();
    for (const [folder, entry] of [...this.#folders]) this.#drop(folder, entry);
    this.#pullRequests.close();
    this.#watchers.close();
  }

  #add(folder: string): Folder {
    const watched = new WatchedFolder(folder, {
      watchers: this.#watchers,
      slots: this.#slots,
      signal: this.#stopping.signal,
      log: this.#log,
      located: (checkout) => this.#located(folder, checkout),
    });
    const entry: Folder = { watched, checkout: null, known: null };
    this.#folders.set(folder, entry);
    return entry;
  }

  #drop(folder: string, entry: Folder): void {
    entry.watched.close();
    this.#leave(folder, entry);
    this.#folders.delete(folder);
  }

  #located(folder: string, checkout: Checkout | null): void {
    const entry = this.#folders.get(folder);
    if (entry === undefined) return;
    if (checkout === null) {
      this.#leave(folder, entry);
      // Told once: it may be looked up many times before it is a repository.
      if (entry.known === null || entry.known.git !== null) this.#learn([folder], null);
      return;
    }
    const shared = this.#checkouts.get(keyOf(checkout)) ?? this.#open(checkout);
    if (entry.checkout !== shared) {
      this.#leave(folder, entry);
      entry.checkout = shared;
      shared.folders.add(folder);
    }
    const { facts } = shared.watch;
    if (facts !== null) this.#learn([folder], facts);
  }

  #open(checkout: Checkout): Shared {
    const folders = new Set<string>();
    const watch = new CheckoutWatch(
      checkout,
      {
        watchers: this.#watchers,
        slots: this.#slots,
        pullRequests: this.#pullRequests,
        signal: this.#stopping.signal,
        log: this.#log,
      },
      {
        changed: (facts) => this.#learn([...folders], facts),
        gone: () => this.#gone(shared),
      },
    );
    const shared = { watch, folders };
    this.#checkouts.set(keyOf(checkout), shared);
    return shared;
  }

  /** Each of its folders may be in another checkout now, or in none. */
  #gone(shared: Shared): void {
    for (const folder of [...shared.folders]) {
      const entry = this.#folders.get(folder);
      if (entry === undefined) continue;
      this.#leave(folder, entry);
      entry.watched.lookAgain();
    }
  }

  /** A checkout that nobody is in is not watched any more. */
  #leave(folder: string, entry: Folder): void {
    const { checkout: shared } = entry;
    entry.checkout = null;
    if (shared === null) return;
    shared.folders.delete(folder);
    if (shared.folders.size > 0) return;
    const { checkout } = shared.watch;
    shared.watch.close();
    this.#pullRequests.forget(checkout.gitDir);
    this.#checkouts.delete(keyOf(checkout));
  }

  #learn(folders: readonly string[], git: GitFacts | null): void {
    const rev = ++this.#rev;
    for (const folder of folders) {
      const entry = this.#folders.get(folder);
      if (entry !== undefined) entry.known = { rev, git };
    }
    this.#tell({ folders: [...folders], rev, git });
  }
}

/** A worktree that is moved keeps its folder of git. */
const keyOf = ({ gitDir, root }: Checkout): string => JSON.stringify([gitDir, root]);
