import { fail, SwitchyardError } from '@switchyard/protocol';

/** Shorter than the deadline of a call, so that the caller hears why. */
const WAIT_MS = 10_000;
/** Calls that wait for one repository; more would only time out behind each other. */
const MOST_WAITING = 64;

export interface LockOptions {
  readonly signal: AbortSignal;
  /** How long to wait for the repository; default ten seconds. */
  readonly waitMs?: number;
}

/** One change of a repository at a time; the next ones wait in order. */
export class RepoLocks {
  readonly #queues = new Map<string, Promise<void>[]>();

  /**
   * Runs `fn` when no other change of the repository runs.
   *
   * @param repo canonical common folder of the repository
   * @throws `worktree_operation_in_progress` when the wait or the queue is too long, `cancelled`, and what `fn` throws
   */
  async withRepo<T>(repo: string, { signal, waitMs = WAIT_MS }: LockOptions, fn: () => Promise<T>): Promise<T> {
    const queue = this.#queues.get(repo) ?? [];
    if (queue.length > MOST_WAITING) return busy(repo);
    const before = [...queue];
    const turn = new Turn();
    queue.push(turn.over);
    this.#queues.set(repo, queue);
    try {
      await waitFor(before, repo, signal, waitMs);
      return await fn();
    } finally {
      queue.splice(queue.indexOf(turn.over), 1);
      if (queue.length === 0) this.#queues.delete(repo);
      turn.end();
    }
  }
}

class Turn {
  readonly over: Promise<void>;
  #resolve: (() => void) | undefined;

  constructor() {
    this.over = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  end(): void {
    this.#resolve?.();
  }
}

function waitFor(before: readonly Promise<void>[], repo: string, signal: AbortSignal, waitMs: number): Promise<void> {
  if (before.length === 0 && !signal.aborted) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      settle();
    };
    const onAbort = () => end(() => reject(new SwitchyardError('cancelled', 'The caller withdrew the request.')));
    const timer = setTimeout(() => end(() => reject(inProgress(repo))), waitMs);
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
    void Promise.all(before).then(() => end(resolve));
  });
}

const inProgress = (repo: string) =>
  new SwitchyardError('worktree_operation_in_progress', 'Another change of this repository is under way.', { repo });

const busy = (repo: string): never =>
  fail('worktree_operation_in_progress', `${MOST_WAITING} changes of this repository are waiting already.`, { repo });
