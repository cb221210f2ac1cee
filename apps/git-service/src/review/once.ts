import { fail, type MethodName, type Result } from '@switchyard/protocol';
import type { ReviewDatabase } from '../adapters/review-database.js';

/** Stores what a request answers; part of the transaction that does what was asked. */
export type Save<M extends MethodName> = (result: Result<M>) => void;

/** Runs a request once for each request_id: a repeat joins the running one or gets the stored answer. */
export class Once {
  readonly #database: ReviewDatabase;
  readonly #running = new Map<string, Promise<unknown>>();

  constructor(database: ReviewDatabase) {
    this.#database = database;
  }

  /** @throws what `run` throws; `invalid_params` when the request_id was used for another method */
  async run<M extends MethodName>(
    method: M,
    requestId: string | undefined,
    run: (save: Save<M>) => Promise<Result<M>>,
  ): Promise<Result<M>> {
    if (requestId === undefined) return run(() => undefined);
    const stored = this.#database.answerTo(requestId);
    if (stored && stored.method !== method) {
      return fail('invalid_params', 'This request_id was used for another method', { method: stored.method });
    }
    if (stored) return stored.result as Result<M>;
    const joined = this.#running.get(requestId);
    if (joined !== undefined) return joined as Promise<Result<M>>;
    const running = run((result) => this.#database.saveAnswer(requestId, method, result)).finally(() =>
      this.#running.delete(requestId),
    );
    this.#running.set(requestId, running);
    return running;
  }
}
