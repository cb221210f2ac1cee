import type { Bus } from '@switchyard/bus';
import type { Log } from '@switchyard/service';
import { ReviewDatabase } from '../adapters/review-database.js';
import { type ReviewHandlers, reviewHandlers } from '../handlers/review.js';
import { baseLines, changesOf } from './changes-of.js';
import { Reviews } from './reviews.js';
import { Sender } from './sending.js';
import { ReviewWatch } from './watch.js';

export interface ReviewingParts {
  readonly bus: Bus;
  readonly log: Log;
  /** Of the database. */
  readonly path: string;
}

/** Everything about reviews, wired. Opens its database, and closes it. */
export class Reviewing {
  readonly handlers: ReviewHandlers;
  readonly #database: ReviewDatabase;
  readonly #watch: ReviewWatch;

  constructor({ bus, log, path }: ReviewingParts) {
    const database = new ReviewDatabase(path, (event) => {
      log.error(event, 'the reviews could not be read: set aside, begun anew');
    });
    const reviews = new Reviews({ database, changesOf, baseLines, now: Date.now });
    const sender = new Sender(bus, database, log);
    this.#database = database;
    this.#watch = new ReviewWatch({ bus, database, reviews, sender, log });
    this.handlers = reviewHandlers({ bus, database, reviews, sender, changesOf });
  }

  /** Follows what happens in the yard from now on. */
  start(): void {
    this.#watch.start();
  }

  /** After the last request. */
  async stop(): Promise<void> {
    await this.#watch.stop();
    this.#database.close();
  }
}
