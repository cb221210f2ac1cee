import { existsSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { SwitchyardError } from '@switchyard/protocol';
import type { Log } from '@switchyard/service';
import type { DirectoryWatchers } from '../adapters/directory-watchers.js';
import type { GitFacts, PullRequest } from '../domain/watch/pull-request.js';
import { type Checkout, watchPlan } from '../domain/watch/watch-plan.js';
import { lookAt, type Seen } from './look.js';
import { Paced } from './paced.js';
import type { PullRequests } from './pull-requests.js';
import type { Slots } from './slots.js';

export interface CheckoutParts {
  readonly watchers: DirectoryWatchers;
  readonly slots: Slots;
  readonly pullRequests: PullRequests;
  readonly signal: AbortSignal;
  readonly log: Log;
}

/** Who wants to know of a checkout. */
export interface CheckoutPort {
  changed(facts: GitFacts): void;
  /** It is no checkout any more. */
  gone(): void;
}

/** Keeps what is known of one checkout in step with its refs, its index, and, as far as terminals tell, its files. */
export class CheckoutWatch {
  readonly checkout: Checkout;
  readonly #parts: CheckoutParts;
  readonly #port: CheckoutPort;
  readonly #looks = new Paced(() => this.#look());
  readonly #watches = new Map<string, { names: ReadonlySet<string>; readonly end: () => void }>();
  #seen: Seen | null = null;
  #pullRequest: PullRequest | null = null;
  #closed = false;

  constructor(checkout: Checkout, parts: CheckoutParts, port: CheckoutPort) {
    this.checkout = checkout;
    this.#parts = parts;
    this.#port = port;
    this.#looks.moved();
  }

  /** null until the first look. */
  get facts(): GitFacts | null {
    return this.#seen && { ...this.#seen, pull_request: this.#pullRequest };
  }

  /** Something was printed in a terminal there. */
  touched(): void {
    this.#looks.touched();
  }

  /** An agent there has stopped working. */
  worked(): void {
    this.#looks.worked();
  }

  /** A person looks at it. */
  shown(): void {
    this.#looks.touched();
    if (this.facts !== null) this.#askForPullRequest('shown');
  }

  close(): void {
    this.#closed = true;
    this.#looks.close();
    for (const { end } of this.#watches.values()) end();
    this.#watches.clear();
  }

  async #look(): Promise<boolean> {
    try {
      const seen = await this.#parts.slots.run(() => lookAt(this.checkout, this.#parts.signal));
      return this.#closed ? false : this.#take(seen);
    } catch (error) {
      return this.#failed(error);
    }
  }

  #take(seen: Seen): boolean {
    const news = !isDeepStrictEqual(seen, this.#seen);
    const missed = this.#watch(seen);
    // Something may have changed between the look and the watch that is new.
    if (missed) this.#looks.moved();
    if (!news) return false;
    if (seen.branch !== this.#seen?.branch) this.#pullRequest = null;
    this.#seen = seen;
    this.#tell();
    this.#askForPullRequest('changed');
    return true;
  }

  /** @returns whether there is now a watch that was not there during the look */
  #watch(seen: Seen): boolean {
    const plan = watchPlan(this.checkout, seen, existsSync);
    let isNew = false;
    for (const [directory, watch] of [...this.#watches]) {
      if (plan.has(directory) && this.#parts.watchers.isCurrent(directory)) continue;
      watch.end();
      this.#watches.delete(directory);
    }
    for (const [directory, names] of plan) {
      const known = this.#watches.get(directory);
      if (known !== undefined) {
        known.names = names;
        continue;
      }
      const end = this.#parts.watchers.add(directory, (name) => this.#heard(directory, name));
      if (end === null) continue;
      this.#watches.set(directory, { names, end });
      isNew = true;
    }
    return isNew;
  }

  #heard(directory: string, name: string | null): void {
    if (name === null || this.#watches.get(directory)?.names.has(name)) this.#looks.moved();
  }

  /** What was known stays, unless there is nothing any more to know it of. */
  #failed(error: unknown): boolean {
    if (this.#closed || this.#parts.signal.aborted) return false;
    if (error instanceof SwitchyardError && error.code === 'not_a_git_repo') {
      this.#port.gone();
      return true;
    }
    this.#parts.log.warn({ err: error, root: this.checkout.root }, 'a repository could not be looked at');
    return false;
  }

  #askForPullRequest(why: 'changed' | 'shown'): void {
    const { facts } = this;
    if (facts === null) return;
    this.#parts.pullRequests.ask(this.checkout.gitDir, facts, why, (found) => {
      // Meanwhile another branch may have been checked out, which is asked for by itself.
      if (this.#closed || this.#seen?.branch !== facts.branch || isDeepStrictEqual(found, this.#pullRequest)) return;
      this.#pullRequest = found;
      this.#tell();
    });
  }

  #tell(): void {
    const { facts } = this;
    if (facts !== null) this.#port.changed(facts);
  }
}
