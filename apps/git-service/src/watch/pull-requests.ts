import type { Log } from '@switchyard/service';
import { viewPullRequest } from '../adapters/gh-cli.js';
import { type GitFacts, lookupKey, type PullRequest, parsePullRequest } from '../domain/watch/pull-request.js';
import { Slots } from './slots.js';

/** A person's hourly allowance at GitHub is some thousands of requests, and other programs want of it too. */
const PAUSE_MS = 60_000;
/** What was done elsewhere (a check ended, somebody merged) is seen when a person looks, so much later at the soonest. */
const SHOWN_PAUSE_MS = 5 * 60_000;
/** Without gh, or a login, it is not tried again for so long. */
const UNUSABLE_PAUSE_MS = 10 * 60_000;
/** Checkouts asked for lately; beyond it the oldest are forgotten, and may be asked for once too often. */
const REMEMBERED = 1024;

interface Asked {
  readonly at: number;
  readonly key: string;
}

export interface PullRequestOptions {
  readonly enabled: boolean;
  readonly signal: AbortSignal;
  readonly log: Log;
  /** Least time between two questions for one checkout; default a minute. */
  readonly pauseMs?: number;
}

/** Asks for pull requests when there is a reason to, one at a time, and never so that anything waits for it. */
export class PullRequests {
  readonly #options: PullRequestOptions;
  readonly #slots = new Slots(1);
  readonly #asked = new Map<string, Asked>();
  readonly #due = new Map<string, NodeJS.Timeout>();
  #unusableUntil = Number.NEGATIVE_INFINITY;

  constructor(options: PullRequestOptions) {
    this.#options = options;
  }

  /**
   * @param id of the checkout
   * @param why `changed`: asked if branch or commit are others than when it was last asked, though not sooner than the
   *   pause allows; `shown`: asked if that was long ago
   * @param found hears the answer, later
   */
  ask(id: string, facts: GitFacts, why: 'changed' | 'shown', found: (answer: PullRequest | null) => void): void {
    if (!this.#options.enabled || facts.branch === null || facts.head === null) return;
    const last = this.#asked.get(id);
    const key = lookupKey(facts);
    const now = performance.now();
    const isOld = last === undefined || now - last.at >= SHOWN_PAUSE_MS;
    if (why === 'shown' ? !isOld : last?.key === key) return;
    const { pauseMs = PAUSE_MS } = this.#options;
    const due = Math.max(this.#unusableUntil, last === undefined ? now : last.at + pauseMs);
    // A later change takes the place of an earlier one that still waits.
    clearTimeout(this.#due.get(id));
    const timer = setTimeout(() => void this.#askNow(id, { key, root: facts.root }, found), due - now);
    timer.unref();
    this.#due.set(id, timer);
  }

  /** The checkout is of no interest any more. */
  forget(id: string): void {
    clearTimeout(this.#due.get(id));
    this.#due.delete(id);
  }

  close(): void {
    for (const id of [...this.#due.keys()]) this.forget(id);
  }

  async #askNow(
    id: string,
    { key, root }: { readonly key: string; readonly root: string },
    found: (answer: PullRequest | null) => void,
  ): Promise<void> {
    this.#due.delete(id);
    this.#remember(id, { at: performance.now(), key });
    const { signal, log } = this.#options;
    const answer = await this.#slots.run(() => viewPullRequest(root, signal));
    if (signal.aborted) return;
    if (answer.is === 'unusable') {
      this.#unusableUntil = performance.now() + UNUSABLE_PAUSE_MS;
      log.info({ reason: answer.reason }, 'pull requests can not be asked for: is gh installed, and logged in?');
    }
    // What was known stays while nothing else can be learnt.
    if (answer.is === 'failed') log.debug({ root, reason: answer.reason }, 'a pull request could not be asked for');
    else found(answer.is === 'found' ? parsePullRequest(answer.output) : null);
  }

  #remember(id: string, asked: Asked): void {
    this.#asked.delete(id);
    this.#asked.set(id, asked);
    const oldest = this.#asked.size > REMEMBERED ? this.#asked.keys().next().value : undefined;
    if (oldest !== undefined) this.#asked.delete(oldest);
  }
}
