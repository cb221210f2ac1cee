import { availableParallelism } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { Result } from '@switchyard/protocol';
import { usedBetween } from '@switchyard/service/processes';
import { type Reading, type SurfaceNames, topBetween } from '../domain/top.js';

/** The system counts in hundredths of a second: over a shorter interval a share means little. */
const SHORTEST_MS = 300;
/** What was read longer ago than this says nothing of now. */
const LONGEST_MS = 60_000;

export interface TopParts {
  readonly read: () => Promise<Reading>;
  readonly names: () => Promise<ReadonlyMap<string, SurfaceNames>>;
}

type TopResult = Result<'system.top'>;

/** What everything uses, for whoever asks: since the reading before when that is recent, else in an interval of its own. */
export class Top {
  readonly #parts: TopParts;
  #last: Reading | undefined;
  #asking: Promise<TopResult> | undefined;
  /** CPU milliseconds since the first look, by surface: their processes come and go, so nobody else adds them up. */
  #used = new Map<string, number>();

  constructor(parts: TopParts) {
    this.#parts = parts;
  }

  /** Those who ask at the same time get the same answer. */
  read(): Promise<TopResult> {
    this.#asking ??= this.#read().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  /** CPU seconds that a surface has used since somebody looked first. */
  cpuSeconds(surfaceId: string): number {
    return (this.#used.get(surfaceId) ?? 0) / 1000;
  }

  /** The counters that the last answer was made of. */
  get last(): Reading | undefined {
    return this.#last;
  }

  async #read(): Promise<TopResult> {
    const age = this.#last === undefined ? Number.POSITIVE_INFINITY : performance.now() - this.#last.at;
    const before = this.#last === undefined || age > LONGEST_MS ? await this.#parts.read() : this.#last;
    const wait = SHORTEST_MS - (performance.now() - before.at);
    if (wait > 0) await delay(wait);
    const [after, names] = await Promise.all([this.#parts.read(), this.#parts.names()]);
    // What is shown is of a recent interval; what is added up leaves none out.
    this.#add(this.#last ?? before, after);
    this.#last = after;
    const top = topBetween(before, after, { usedBetween, names });
    return { at: Date.now(), cores: availableParallelism(), ...top };
  }

  #add(before: Reading, after: Reading): void {
    const then = new Map(before.surfaces.map(({ surfaceId, processes }) => [surfaceId, processes]));
    this.#used = new Map(
      after.surfaces.map(({ surfaceId, processes }) => {
        const used = usedBetween(then.get(surfaceId) ?? [], processes);
        return [surfaceId, (this.#used.get(surfaceId) ?? 0) + used];
      }),
    );
  }
}
