/** How much of the past the journal keeps. */
export interface HistoryLimits {
  readonly events: number;
  readonly bytes: number;
  readonly ageMs: number;
}

/**
 * A client that was away for a weekend finds what it missed, unless the yard was very busy: a hundred thousand events are
 * a day of a fleet of agents, and some tens of megabytes. The bytes bound what events with long texts can take.
 */
export const HISTORY: HistoryLimits = {
  events: 100_000,
  bytes: 64 * 1024 * 1024,
  ageMs: 7 * 24 * 60 * 60_000,
};

export interface OldEvent {
  readonly seq: number;
  readonly at: number;
  readonly bytes: number;
}

/**
 * Up to which number events are to be removed.
 *
 * @param held what the journal holds
 * @param oldest its oldest events, as many as one may want to remove at once
 * @returns 0: none. Never the newest: its number is where the next one goes on
 */
export function expiredTo(
  limits: HistoryLimits,
  held: { readonly last: number; readonly bytes: number },
  oldest: readonly OldEvent[],
  now: number,
): number {
  let upTo = 0;
  let bytes = held.bytes;
  for (const { seq, at, bytes: size } of oldest) {
    const tooMany = seq <= held.last - limits.events;
    if (seq >= held.last || !(tooMany || bytes > limits.bytes || at < now - limits.ageMs)) break;
    upTo = seq;
    bytes -= size;
  }
  return upTo;
}
