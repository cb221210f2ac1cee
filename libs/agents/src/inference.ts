import type { Activity, AgentState, Evidence, Question, Verdict } from './verdict.js';

/**
 * Work that is told only by a sign may lose the sign for a frame, or while text streams. Where nothing says "idle" by
 * itself, it must stay away this long. Short enough that a change is known within half a second.
 */
export const IDLE_HOLD_MS = 320;
/** A screen that no rule knows is often half a frame; what was known holds this long. */
export const UNKNOWN_HOLD_MS = 800;

/** What the screen says, smoothed. */
export interface Inferred {
  readonly state: AgentState | null;
  readonly activity: Activity;
  readonly question: Question | null;
  readonly certain: boolean;
  readonly evidence: readonly Evidence[];
  /** Since when the screen has said so without a break, milliseconds. */
  readonly since: number;
}

export interface SavedInference {
  readonly now: Inferred;
  readonly next: { readonly inferred: Inferred; readonly dueAt: number } | null;
  readonly history: number | null;
}

const NOTHING: Inferred = {
  state: null,
  activity: 'unknown',
  question: null,
  certain: false,
  evidence: [],
  since: 0,
};

/** Makes a steady state of verdicts on single screens. Working and blocked count at once; idle and unknown must last. */
export class Inference {
  #now: Inferred = NOTHING;
  #next: SavedInference['next'] = null;
  #history: number | null = null;

  constructor(saved?: SavedInference) {
    if (saved === undefined) return;
    this.#now = saved.now;
    this.#next = saved.next;
    this.#history = saved.history;
  }

  get now(): Inferred {
    return this.#now;
  }

  /** When {@link tick} has to be called; null: nothing is pending. */
  get dueAt(): number | null {
    return this.#next?.dueAt ?? null;
  }

  save(): SavedInference {
    return { now: this.#now, next: this.#next, history: this.#history };
  }

  forget(): void {
    this.#now = NOTHING;
    this.#next = null;
    this.#history = null;
  }

  /** Takes in what a screen said at a time. */
  take(verdict: Verdict, at: number): void {
    this.tick(at);
    const moved = this.#moved(verdict.history);
    if (verdict.skip) return;
    const hold = this.#holdOf(verdict);
    const inferred = { ...factsOf(verdict), since: at };
    if (hold === 0) this.#become(inferred);
    else this.#await(inferred, at + hold, moved);
  }

  /** Lets what was pending come true. */
  tick(at: number): void {
    if (this.#next !== null && this.#next.dueAt <= at) this.#become(this.#next.inferred);
  }

  /** Text that streams in above the composer is work, although it is no sign of it. */
  #moved(history: number | null): boolean {
    const moved = history !== null && this.#history !== null && history !== this.#history;
    if (history !== null) this.#history = history;
    return moved;
  }

  #holdOf({ state, certain }: Verdict): number {
    const before = this.#now.state;
    if (state === null) return before === null ? 0 : UNKNOWN_HOLD_MS;
    const active = before === 'working' || before === 'blocked';
    return state === 'idle' && active && !certain ? IDLE_HOLD_MS : 0;
  }

  #become(inferred: Inferred): void {
    const same = inferred.state === this.#now.state;
    this.#now = same ? { ...inferred, since: this.#now.since } : inferred;
    this.#next = null;
  }

  /** What is pending already goes on, unless the screen has moved since. */
  #await(inferred: Inferred, dueAt: number, moved: boolean): void {
    const waiting = this.#next !== null && this.#next.inferred.state === inferred.state && !moved;
    const since = waiting && this.#next !== null ? this.#next.inferred.since : inferred.since;
    this.#next = { inferred: { ...inferred, since }, dueAt: waiting && this.#next !== null ? this.#next.dueAt : dueAt };
  }
}

function factsOf({ state, activity, question, certain, evidence }: Verdict): Omit<Inferred, 'since'> {
  return { state, activity, question, certain, evidence };
}
