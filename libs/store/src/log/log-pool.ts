/** A log as far as the budget of all is concerned. */
export interface PooledLog {
  /** Bytes on the disk. */
  readonly held: number;
  /** Removes the oldest segment that is parsed. @returns bytes that were freed; 0: there is none that may go */
  dropOldest(): number;
}

/** Keeps all logs of a host together within a budget: the largest gives its oldest output, which its readers are told of. */
export class LogPool {
  readonly #budget: number;
  readonly #logs: () => Iterable<PooledLog>;

  constructor(budgetBytes: number, logs: () => Iterable<PooledLog>) {
    this.#budget = budgetBytes;
    this.#logs = logs;
  }

  /** To be called whenever a log has begun a segment: in between, none grows by more than one. */
  trim(): void {
    const logs = [...this.#logs()];
    let held = logs.reduce((sum, log) => sum + log.held, 0);
    // What has nothing to give now (nobody has parsed it) is asked again the next time.
    const giving = new Set(logs);
    while (held > this.#budget && giving.size > 0) {
      let largest: PooledLog | undefined;
      for (const log of giving) if (largest === undefined || log.held > largest.held) largest = log;
      if (largest === undefined) return;
      const freed = largest.dropOldest();
      held -= freed;
      if (freed === 0) giving.delete(largest);
    }
  }
}
