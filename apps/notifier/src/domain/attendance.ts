/** More people than sit before one yard; of more, the earliest are forgotten. */
const MOST_CLIENTS = 256;

interface Attending {
  /** null: whichever surface has the focus. */
  readonly surfaceId: string | null;
  readonly until: number;
}

/**
 * Who looks at what. Only a client that has a person before it and says so counts: connections, reads, subscriptions and
 * what agents do say nothing of people. Kept in memory; a client says it again as long as it is so. Pure: the clock is given.
 */
export class Attendance {
  readonly #clients = new Map<string, Attending>();

  /** @param client names its connection. @param until milliseconds */
  attend(client: string, surfaceId: string | null, until: number): void {
    this.#clients.delete(client);
    this.#clients.set(client, { surfaceId, until });
    for (const earliest of this.#clients.keys()) {
      if (this.#clients.size <= MOST_CLIENTS) break;
      this.#clients.delete(earliest);
    }
  }

  leave(client: string): void {
    this.#clients.delete(client);
  }

  /** Whether somebody looks at anything. */
  anybody(at: number): boolean {
    return [...this.#clients.values()].some(({ until }) => until > at);
  }

  /**
   * Whether a person looks at a surface.
   *
   * @param front it has the focus. @param override what clients of the peer pretend: true: somebody looks at the surface
   *   with the focus; false: nobody looks at anything
   */
  looksAt(surfaceId: string, front: boolean, override: boolean | null, at: number): boolean {
    if (override === false) return false;
    if (override === true && front) return true;
    return [...this.#clients.values()].some(
      (one) => one.until > at && (one.surfaceId === null ? front : one.surfaceId === surfaceId),
    );
  }
}
