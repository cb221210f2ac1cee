import type { Activity, AgentState, Evidence, Question, Verdict } from './verdict.js';

/** A sign of work is lost for a frame between two steps. Where nothing says "idle" by itself, it must stay away this long. */
export const IDLE_HOLD_MS = 50;
/** A program that works without a sign prints in pieces; after the last one it takes this long to know that it was the last. */
export const UNMARKED_HOLD_MS = 300;
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

  constructor(saved?: SavedInference) {
    if (saved === undefined) return;
    this.#now = saved.now;
    this.#next = saved.next;
  }

  get now(): Inferred {
    return this.#now;
  }

  /** When {@link tick} has to be called; null: nothing is pending. */
  get dueAt(): number | null {
    return this.#next?.dueAt ?? null;
  }

  save(): SavedInference {
    return { now: this.#now, next: this.#next };
  }

  forget(): void {
    this.#now = NOTHING;
    this.#next = null;
  }

  /** Takes in what a screen said at a time. */
  take(verdict: Verdict, at: number): void {
    this.tick(at);
    if (verdict.skip) return;
    const hold = this.#holdOf(verdict);
    const inferred = { ...factsOf(verdict), since: at };
    if (hold === 0) this.#become(inferred);
    else this.#await(inferred, at + hold, verdict.unmarked);
  }

  /** Lets what was pending come true. */
  tick(at: number): void {
    if (this.#next !== null && this.#next.dueAt <= at) this.#become(this.#next.inferred);
  }

  #holdOf({ state, certain, unmarked }: Verdict): number {
    const before = this.#now.state;
    if (state === null) return before === null ? 0 : UNKNOWN_HOLD_MS;
    const active = before === 'working' || before === 'blocked';
    if (state !== 'idle' || !active || certain) return 0;
    return unmarked && before === 'working' ? UNMARKED_HOLD_MS : IDLE_HOLD_MS;
  }

  #become(inferred: Inferred): void {
    const same = inferred.state === this.#now.state;
    this.#now = same ? { ...inferred, since: this.#now.since } : inferred;
    this.#next = null;
  }

  /** @param again whether what is pending already begins anew, because something was printed since */
  #await(inferred: Inferred, dueAt: number, again: boolean): void {
    const waiting = this.#next !== null && this.#next.inferred.state === inferred.state && !again;
    const since = waiting && this.#next !== null ? this.#next.inferred.since : inferred.since;
    this.#next = { inferred: { ...inferred, since }, dueAt: waiting && this.#next !== null ? this.#next.dueAt : dueAt };
  }
}

function factsOf({ state, activity, question, certain, evidence }: Verdict): Omit<Inferred, 'since'> {
  return { state, activity, question, certain, evidence };
}
