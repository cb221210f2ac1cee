import { LookTimes } from './domain/look-times.js';
import type { FoundPort, PortSource, WatchedTerminal } from './ports/index.js';

export interface PortWatchOptions {
  readonly source: PortSource;
  /** The terminals whose programs run. */
  readonly terminals: () => readonly WatchedTerminal[];
  /** A terminal listens elsewhere than before. */
  readonly tell: (surfaceId: string, ports: readonly FoundPort[]) => void;
  /** A look that nobody has asked for has failed. */
  readonly fault: (error: unknown) => void;
}

const NONE: readonly FoundPort[] = [];

/**
 * On which ports the processes of the terminals listen. One look is for all terminals, and none is made unless one of them
 * has shown a sign of life, or somebody asks: a silent host holds no timer.
 */
export class PortWatch {
  readonly #options: PortWatchOptions;
  readonly #times: LookTimes;
  readonly #known = new Map<string, readonly FoundPort[]>();
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;
  #closed = false;

  constructor(options: PortWatchOptions) {
    this.#options = options;
    this.#times = new LookTimes(options.source.everyMs);
  }

  /** A terminal has printed, or its program has ended. */
  sign(): void {
    this.#times.sign(performance.now());
    this.#arm();
  }

  /** Looks now, and resolves when what was there at the call is known. @throws when the system does not tell */
  look(): Promise<void> {
    if (this.#running === undefined) return this.#look(true);
    const before = this.#running.catch(() => undefined); // Whoever asked for that one is told.
    this.#next ??= before.then(() => {
      this.#next = undefined;
      return this.#look(true);
    });
    return this.#next;
  }

  /** As last seen; null: nobody has looked since it is there. */
  of(surfaceId: string): readonly FoundPort[] | null {
    return this.#known.get(surfaceId) ?? null;
  }

  drop(surfaceId: string): void {
    this.#known.delete(surfaceId);
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  #arm(): void {
    const { dueAt } = this.#times;
    if (this.#closed || dueAt === null || this.#timer !== undefined || this.#running !== undefined) return;
    this.#timer = setTimeout(() => this.#due(), Math.max(0, dueAt - performance.now()));
    this.#timer.unref();
  }

  /** The timer may be early: signs have come since it was set. */
  #due(): void {
    this.#timer = undefined;
    const { dueAt } = this.#times;
    if (dueAt !== null && dueAt <= performance.now() && this.#running === undefined)
      this.#look(false).catch(this.#options.fault);
    else this.#arm();
  }

  #look(thorough: boolean): Promise<void> {
    this.#times.looked(performance.now());
    this.#running = this.#carryOut(thorough).finally(() => {
      this.#running = undefined;
      this.#arm();
    });
    return this.#running;
  }

  async #carryOut(thorough: boolean): Promise<void> {
    const { source, terminals, tell } = this.#options;
    const watched = terminals();
    const found = await source.look(watched, thorough);
    if (this.#closed) return;
    for (const { surfaceId } of watched) {
      const ports = found.get(surfaceId) ?? NONE;
      const before = this.#known.get(surfaceId);
      this.#known.set(surfaceId, ports);
      // The first time it is told in any case: somebody may still know what a pty-host before us has seen.
      if (JSON.stringify(before) !== JSON.stringify(ports)) tell(surfaceId, ports);
    }
  }
}
