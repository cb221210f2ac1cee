import type { Job, Pump } from './pump.js';

/** A terminal whose screen can be packed. */
export interface Sleeper {
  readonly surfaceId: string;
  /** Memory of what is not packed. */
  readonly looseBytes: number;
  /** Packs some. @returns whether there is more */
  packSome(): boolean;
}

export interface SlumberOptions {
  /** Milliseconds without output or requests after which a screen is packed; 0: none ever is. */
  readonly afterMs: number;
  /** Memory of screens that are awake; above it those that have been silent for longest are packed sooner. */
  readonly budgetBytes: number;
  readonly pump: Pick<Pump, 'add' | 'remove'>;
  /** So much memory was let go of. */
  readonly onFreed: (bytes: number) => void;
}

/** A program that pauses for less is in the middle of something: what is packed now would be unpacked at once. */
const SETTLED_MS = 500;

/**
 * Which screens sleep: their lines are packed. Nobody has to wake one, because packed lines are read as they are and
 * unpacked as they are written to; with its first output a screen counts as awake again. One timer for all, and none while
 * all are asleep.
 */
export class Slumber {
  readonly #options: SlumberOptions;
  /** When each was last used; the one unused for longest comes first. */
  readonly #awake = new Map<Sleeper, number>();
  readonly #falling = new Map<Sleeper, Job>();
  readonly #asleep = new Set<Sleeper>();
  #timer: NodeJS.Timeout | undefined;
  #timerAt = 0;

  constructor(options: SlumberOptions) {
    this.#options = options;
  }

  get asleep(): number {
    return this.#asleep.size;
  }

  /** Memory of screens that are not asleep. */
  get awakeBytes(): number {
    return [...this.#awake.keys(), ...this.#falling.keys()].reduce((sum, { looseBytes }) => sum + looseBytes, 0);
  }

  /** Its screen has become another. */
  changed(sleeper: Sleeper): void {
    if (this.#options.afterMs === 0) return;
    this.drop(sleeper);
    const now = performance.now();
    this.#awake.set(sleeper, now);
    this.#arm(now + Math.min(SETTLED_MS, this.#options.afterMs));
  }

  /** Somebody looks at its screen. That wakes none that sleeps, for it is looked at as it is. */
  looked(sleeper: Sleeper): void {
    if (this.#awake.has(sleeper)) this.changed(sleeper);
  }

  drop(sleeper: Sleeper): void {
    this.#awake.delete(sleeper);
    this.#asleep.delete(sleeper);
    const job = this.#falling.get(sleeper);
    if (job === undefined) return;
    this.#options.pump.remove(job);
    this.#falling.delete(sleeper);
  }

  close(): void {
    clearTimeout(this.#timer);
    for (const sleeper of [...this.#falling.keys()]) this.drop(sleeper);
    this.#awake.clear();
  }

  #arm(at: number): void {
    if (this.#timer !== undefined && this.#timerAt <= at) return;
    clearTimeout(this.#timer);
    this.#timerAt = at;
    this.#timer = setTimeout(() => this.#look(), Math.max(0, at - performance.now()));
    this.#timer.unref();
  }

  #look(): void {
    this.#timer = undefined;
    const { afterMs, budgetBytes } = this.#options;
    const now = performance.now();
    let over = [...this.#awake.keys()].reduce((sum, { looseBytes }) => sum + looseBytes, 0) - budgetBytes;
    for (const [sleeper, usedAt] of this.#awake) {
      const patience = over > 0 ? Math.min(SETTLED_MS, afterMs) : afterMs;
      // Timers may fire a little early.
      if (now - usedAt < patience - 1) {
        this.#arm(usedAt + patience);
        return;
      }
      over -= sleeper.looseBytes;
      this.#fallAsleep(sleeper);
    }
  }

  #fallAsleep(sleeper: Sleeper): void {
    const before = sleeper.looseBytes;
    const job = {
      surfaceId: sleeper.surfaceId,
      step: () => {
        if (sleeper.packSome()) return true;
        this.#falling.delete(sleeper);
        this.#asleep.add(sleeper);
        this.#options.onFreed(before);
        return false;
      },
    };
    this.#awake.delete(sleeper);
    this.#falling.set(sleeper, job);
    this.#options.pump.add(job);
  }
}
