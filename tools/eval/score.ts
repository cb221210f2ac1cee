import type { Interval, Labels, TrueState } from './recording.js';
import type { SeenState } from './replay.js';

/** From when on a state was said, seconds. */
interface Said {
  readonly t: number;
  readonly state: SeenState;
}

/** Seconds by what is true and what was seen, e.g. `working>idle`; only what counts as wrong or unknown, and what is right. */
export type Confusion = Record<string, number>;

export interface Score {
  readonly name: string;
  readonly agent: string;
  readonly isAgent: boolean;
  readonly seconds: number;
  readonly right: number;
  readonly unknown: number;
  readonly confusion: Confusion;
  /** Seconds from each true change until it was known. */
  readonly delays: readonly Delay[];
  /** Times at which `working` or `blocked` was said of what is no agent. */
  readonly falseWorking: number;
  readonly falseBlocked: number;
  /** Longest time for which an open question was called idle, seconds. */
  readonly blockedAsIdle: number;
}

export interface Delay {
  readonly at: number;
  readonly to: TrueState;
  readonly seconds: number;
}

/** What may be said while something is true. `blocked` while it starts is judged by the dialog's own interval. */
const RIGHT: Readonly<Record<TrueState, readonly SeenState[]>> = {
  starting: [null, 'working', 'idle'],
  idle: ['idle'],
  working: ['working'],
  blocked: ['blocked'],
  exited: [null],
  none: [null],
};

export function score(name: string, labels: Labels, seen: readonly Said[]): Score {
  const pieces = piecesOf(labels, seen);
  const sum = (which: (piece: Piece) => boolean) =>
    pieces.filter(which).reduce((total, { from, to }) => total + (to - from), 0);
  const confusion: Confusion = {};
  for (const { from, to, truth, state } of pieces) {
    const key = `${truth}>${state ?? 'unknown'}`;
    confusion[key] = (confusion[key] ?? 0) + (to - from);
  }
  const said = (state: SeenState) => (labels.is_agent ? 0 : seen.filter((each) => each.state === state).length);
  return {
    name,
    agent: labels.is_agent ? labels.agent : 'none',
    isAgent: labels.is_agent,
    seconds: sum(() => true),
    right: sum(({ verdict }) => verdict === 'right'),
    unknown: sum(({ verdict }) => verdict === 'unknown'),
    confusion,
    delays: delaysOf(labels, seen),
    falseWorking: said('working'),
    falseBlocked: said('blocked'),
    blockedAsIdle: longest(
      pieces,
      (piece) => piece.truth === 'blocked' && piece.state === 'idle' && piece.verdict === 'wrong',
    ),
  };
}

interface Piece {
  readonly from: number;
  readonly to: number;
  readonly truth: TrueState;
  readonly state: SeenState;
  readonly verdict: 'right' | 'unknown' | 'wrong';
}

/** The recording cut wherever the truth, what was seen, or the tolerance around a boundary changes. */
function piecesOf({ intervals, slack, duration }: Labels, seen: readonly Said[]): Piece[] {
  const cuts = new Set([0, duration]);
  for (const { t } of seen) cuts.add(t);
  for (const { from, to } of intervals) for (const edge of [from - slack, from, from + slack, to]) cuts.add(edge);
  const times = [...cuts].filter((t) => t >= 0 && t <= duration).sort((a, b) => a - b);
  return times.slice(1).map((to, i) => {
    const from = times[i] ?? 0;
    const at = (from + to) / 2;
    const state = stateAt(seen, at);
    const truth = intervals.find((each) => at >= each.from && at < each.to)?.state ?? 'none';
    return { from, to, truth, state, verdict: verdictOn(intervals, slack, at, truth, state) };
  });
}

const stateAt = (seen: readonly Said[], t: number): SeenState => seen.findLast((each) => each.t <= t)?.state ?? null;

function verdictOn(
  intervals: readonly Interval[],
  slack: number,
  at: number,
  truth: TrueState,
  state: SeenState,
): Piece['verdict'] {
  const near = intervals.filter(({ from, to }) => at > from - slack && at < to + slack);
  if (near.some((each) => RIGHT[each.state].includes(state))) return 'right';
  return state === null && truth !== 'none' ? 'unknown' : 'wrong';
}

/**
 * For each true change: how long until what is right was said. Said before, it took no time. A state that was over before
 * anybody had to know is left out when it was missed.
 */
function delaysOf({ intervals, slack }: Labels, seen: readonly Said[]): Delay[] {
  return intervals.slice(1).flatMap((next, i) => {
    const before = intervals[i];
    if (before === undefined || next.state === 'starting' || next.state === 'none') return [];
    const right = (state: SeenState) => RIGHT[next.state].includes(state);
    const known = right(stateAt(seen, next.from))
      ? next.from
      : seen.find(({ t, state }) => t > next.from && right(state))?.t;
    if (known !== undefined && known < next.to) return [{ at: next.from, to: next.state, seconds: known - next.from }];
    const length = next.to - next.from;
    return length < 2 * slack ? [] : [{ at: next.from, to: next.state, seconds: length }];
  });
}

/** The longest run of pieces, seconds. */
function longest(pieces: readonly Piece[], which: (piece: Piece) => boolean): number {
  let best = 0;
  let run = 0;
  for (const piece of pieces) {
    run = which(piece) ? run + (piece.to - piece.from) : 0;
    best = Math.max(best, run);
  }
  return best;
}
