import type { Log } from '@switchyard/service';
import type { Operation, Operations } from './operations.js';
import type { LockOptions, RepoLocks } from './repo-locks.js';

/**
 * Brings an operation whose service died to its end: carries it out or takes it back, then calls `done` or `recovered`
 * of it. Throws when that is not possible now; it is tried again later.
 */
export type Recover = (operation: Operation, signal: AbortSignal) => Promise<void>;

export interface ChangesParts {
  readonly operations: Operations;
  readonly locks: RepoLocks;
  /** By the kind of the operation. */
  readonly recoverers: ReadonlyMap<string, Recover>;
  readonly log: Log;
}

/**
 * The way to change a repository: one change at a time, and none before what a dead run left there has been brought to
 * an end.
 */
export class Changes {
  readonly operations: Operations;
  readonly #parts: ChangesParts;
  readonly #stop = new AbortController();
  readonly #recovering = new Set<Promise<void>>();

  constructor(parts: ChangesParts) {
    this.operations = parts.operations;
    this.#parts = parts;
  }

  /**
   * Runs a change of a repository.
   * @param repo its canonical common folder
   * @throws `worktree_operation_in_progress`, `cancelled`, and what `fn` throws
   */
  ofRepo<T>(repo: string, options: LockOptions, fn: () => Promise<T>): Promise<T> {
    return this.#parts.locks.withRepo(repo, options, async () => {
      await this.#settle(repo, options.signal);
      return fn();
    });
  }

  /**
   * Begins to bring everything unfinished to its end. Holds the repositories concerned from this moment on, so that
   * calls that come later find them settled. Also to be called when a service comes back that recovery needs.
   */
  recover(): void {
    for (const repo of new Set(this.operations.unfinished().map((operation) => operation.repo))) {
      const { signal } = this.#stop;
      const work = this.#parts.locks
        .withRepo(repo, { signal, waitMs: NO_LIMIT_MS }, () => this.#settle(repo, signal))
        .catch((err: unknown) => this.#parts.log.warn({ err, repo }, 'recovery was cut short'))
        .finally(() => this.#recovering.delete(work));
      this.#recovering.add(work);
    }
  }

  /** Ends recovery where it is; the next run goes on with it. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#recovering);
  }

  async #settle(repo: string, signal: AbortSignal): Promise<void> {
    for (const operation of this.operations.unfinished(repo)) {
      const recover = this.#parts.recoverers.get(operation.kind);
      const facts = { operation: operation.id, kind: operation.kind, identity: operation.identity };
      if (recover === undefined) {
        this.#parts.log.error(facts, 'an operation of a kind that nobody can recover');
        continue;
      }
      try {
        await recover(operation, signal);
      } catch (err) {
        if (signal.aborted) throw err;
        // It stays in the journal. Other changes of the repository are not held up by it.
        this.#parts.log.error({ ...facts, err }, 'an operation cannot be recovered yet');
      }
    }
  }
}

/** Recovery waits for as long as the change before it takes. */
const NO_LIMIT_MS = 2 ** 31 - 1;
