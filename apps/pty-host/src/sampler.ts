import type { ScreenSample, Verdict } from '@switchyard/agents';
import { type Plan, SampleWatch, type Sighting, type TerminalLook } from './sample-watch.js';

export interface SamplerPort {
  /** undefined: it is not there, or still being rebuilt. */
  look(surfaceId: string): TerminalLook | undefined;
  /** @throws when no detector answers */
  evaluate(sample: ScreenSample): Promise<Verdict>;
  /** @throws when nobody takes it */
  tell(sighting: Sighting): Promise<void>;
  fault(surfaceId: string, error: unknown): void;
}

export interface SamplerOptions {
  readonly port: SamplerPort;
  /** Whether screens are judged; what programs report of themselves is told in any case. */
  readonly detect: boolean;
  /** Milliseconds that only rise. */
  readonly now: () => number;
}

/** Looks that are under way at once. More would only wait at the detectors, and grow old there. */
const MAX_AT_ONCE = 32;

interface Watched {
  readonly surfaceId: string;
  readonly watch: SampleWatch;
  timer: NodeJS.Timeout | undefined;
  /** When the timer fires. It may be early: then it looks again when the look is due. */
  timerAt: number;
  /** A look is under way; what changes meanwhile is seen by the next one. */
  busy: boolean;
}

/**
 * Has the screens of all terminals judged when they change, and tells what was seen. At most one look of a terminal is
 * under way, always at the newest screen; a silent terminal holds no timer.
 */
export class Sampler {
  readonly #options: SamplerOptions;
  readonly #watched = new Map<string, Watched>();
  /** Due, and waiting for others to end. */
  readonly #queue = new Set<Watched>();
  #atOnce = 0;
  #closed = false;

  constructor(options: SamplerOptions) {
    this.#options = options;
  }

  /** Something was printed, or the terminal can be looked at from now on. */
  changed(surfaceId: string): void {
    const watched = this.#of(surfaceId);
    watched.watch.changed(this.#options.now());
    this.#arm(watched);
  }

  /** Its program has reported something of itself. */
  reported(surfaceId: string): void {
    const watched = this.#of(surfaceId);
    watched.watch.reported(this.#options.now());
    this.#arm(watched);
  }

  /** Whoever is told has begun anew: everything is told again. */
  forgotten(): void {
    for (const watched of this.#watched.values()) {
      watched.watch.forget(this.#options.now());
      this.#arm(watched);
    }
  }

  /** The terminal is gone. */
  drop(surfaceId: string): void {
    const watched = this.#watched.get(surfaceId);
    if (watched === undefined) return;
    clearTimeout(watched.timer);
    this.#queue.delete(watched);
    this.#watched.delete(surfaceId);
  }

  close(): void {
    this.#closed = true;
    for (const surfaceId of [...this.#watched.keys()]) this.drop(surfaceId);
  }

  #of(surfaceId: string): Watched {
    const known = this.#watched.get(surfaceId);
    if (known !== undefined) return known;
    const watch = new SampleWatch(this.#options.detect);
    const watched: Watched = { surfaceId, watch, timer: undefined, timerAt: 0, busy: false };
    if (!this.#closed) this.#watched.set(surfaceId, watched);
    return watched;
  }

  #arm(watched: Watched): void {
    if (this.#closed || watched.busy || this.#queue.has(watched)) return;
    const { dueAt } = watched.watch;
    if (dueAt === null || (watched.timer !== undefined && watched.timerAt <= dueAt)) return;
    clearTimeout(watched.timer);
    watched.timerAt = dueAt;
    watched.timer = setTimeout(() => this.#due(watched), Math.max(0, dueAt - this.#options.now()));
  }

  #due(watched: Watched): void {
    watched.timer = undefined;
    const { dueAt } = watched.watch;
    if (dueAt !== null && dueAt <= this.#options.now()) this.#queue.add(watched);
    else this.#arm(watched);
    this.#next();
  }

  #next(): void {
    for (const watched of this.#queue) {
      if (this.#atOnce >= MAX_AT_ONCE) return;
      this.#queue.delete(watched);
      this.#look(watched);
    }
  }

  #look(watched: Watched): void {
    const plan = watched.watch.plan(this.#options.port.look(watched.surfaceId), this.#options.now());
    if (plan === undefined) {
      this.#arm(watched);
      return;
    }
    watched.busy = true;
    this.#atOnce++;
    void this.#carryOut(watched, plan).finally(() => {
      watched.busy = false;
      this.#atOnce--;
      if (this.#watched.get(watched.surfaceId) === watched) this.#arm(watched);
      this.#next();
    });
  }

  async #carryOut({ surfaceId, watch }: Watched, plan: Plan): Promise<void> {
    const { port, now } = this.#options;
    const fault = (error: unknown) => {
      if (!this.#closed) port.fault(surfaceId, error);
    };
    let verdict: Verdict | null = null;
    try {
      if (plan.evaluate) verdict = await port.evaluate(plan.look.sample);
    } catch (error) {
      watch.unjudged(now());
      fault(error);
    }
    const sighting = watch.judged(plan, verdict);
    try {
      if (sighting !== undefined) await port.tell(sighting);
    } catch (error) {
      watch.untold(now());
      fault(error);
    }
  }
}
