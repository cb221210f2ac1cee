import type { Bus } from '@switchyard/bus';
import type { Log } from '@switchyard/service';
import { foldersOf } from './domain/git-views.js';
import type { YardState } from './yard-state.js';

/** A workspace with its first terminal, a split and a `cd` come together: one message for all. */
const GATHER_MS = 50;
/** The git-service answers from memory. */
const ANSWER_MS = 5000;

export interface GitLinkParts {
  readonly bus: Bus;
  readonly state: YardState;
  /** The machine whose git-service is asked. */
  readonly host: string;
  readonly log: Log;
}

/**
 * Tells the git-service which folders matter, and hears what is known of their repositories. It is told the whole set
 * whenever that changes and whenever one of us was away, so that nothing has to be remembered.
 */
export class GitLink {
  readonly #parts: GitLinkParts;
  readonly #ends: (() => void)[] = [];
  #told = '';
  #timer: NodeJS.Timeout | undefined;
  #telling = false;
  #again = false;
  #stopped = false;

  constructor(parts: GitLinkParts) {
    this.#parts = parts;
  }

  start(): void {
    const { bus, state } = this.#parts;
    this.#ends.push(
      bus.subscribe('git.changed', (change) => state.model.git.take(change)),
      bus.subscribe('service.ready', ({ service }) => {
        if (service === 'git-service') this.#tellAnew();
      }),
      bus.onReconnect(() => this.#tellAnew()),
    );
    state.onMove(() => this.#tellSoon());
    this.#tellAnew();
  }

  stop(): void {
    this.#stopped = true;
    clearTimeout(this.#timer);
    for (const end of this.#ends.reverse()) end();
  }

  #tellAnew(): void {
    this.#told = '';
    this.#tellSoon();
  }

  #tellSoon(): void {
    if (this.#stopped || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#tell();
    }, GATHER_MS);
    this.#timer.unref();
  }

  /** One at a time: the last word must be the latest. */
  async #tell(): Promise<void> {
    if (this.#telling) {
      this.#again = true;
      return;
    }
    this.#telling = true;
    await this.#tellNow();
    this.#telling = false;
    if (!this.#again) return;
    this.#again = false;
    this.#tellSoon();
  }

  async #tellNow(): Promise<void> {
    const { bus, state, host, log } = this.#parts;
    const wanted = foldersOf(state.model, host);
    const folders = [...wanted].map(([folder, surface_ids]) => ({ folder, surface_ids }));
    const text = JSON.stringify(folders);
    if (text === this.#told) return;
    this.#told = text;
    try {
      const answer = await bus.call('git.watch', { folders }, { timeoutMs: ANSWER_MS });
      if (!this.#stopped) state.model.git.takeAll(answer, new Set(wanted.keys()));
    } catch (error) {
      this.#told = '';
      // It is not there (yet); it will say when it is ready.
      log.info({ err: error }, 'the git-service could not be told which folders matter');
    }
  }
}
