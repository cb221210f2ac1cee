import { setTimeout as delay } from 'node:timers/promises';
import { signalProcess } from '@switchyard/service/signal';
import type { Launched } from './adapters/launch.js';
import { isRunning, startTimeOf } from './adapters/process-info.js';

/** It could not be brought to the point where it only has to begin: what it was to replace goes on. */
export class SuccessorError extends Error {}

/**
 * A process that loads what it needs, says that it stands by, and begins when the one that it replaces has gone. It ends by
 * itself when the supervisor does.
 */
export class Successor {
  readonly launched: Launched;
  readonly startTime: string;
  readonly startedAt = Date.now();
  readonly #standing: Promise<undefined>;
  readonly #turn: Promise<boolean>;
  #markStanding: (nothing: undefined) => void = () => undefined;
  #decide: (itsTurn: boolean) => void = () => undefined;

  constructor(launched: Launched) {
    this.launched = launched;
    this.startTime = startTimeOf(launched.pid) ?? '';
    this.#standing = new Promise((resolve) => {
      this.#markStanding = resolve;
    });
    this.#turn = new Promise((resolve) => {
      this.#decide = resolve;
    });
  }

  /** It says that it stands by. @returns whether its turn has come; false when it never will */
  hello(): Promise<boolean> {
    this.#markStanding(undefined);
    return this.#turn;
  }

  /** @returns why it does not stand by within the time; undefined when it does */
  async untilStanding(withinMs: number): Promise<string | undefined> {
    const timer = new AbortController();
    const late = delay(withinMs, `it was not loaded after ${withinMs} ms`, { signal: timer.signal });
    try {
      return await Promise.race([this.#standing, this.launched.exited, late]);
    } finally {
      timer.abort();
      late.catch(() => undefined); // no news: it was told to stop counting
    }
  }

  /** The one before it has gone. */
  takeOver(): void {
    this.#decide(true);
  }

  /** Ends it; resolves when it has gone. */
  async withdraw(): Promise<void> {
    this.#decide(false);
    const { pid, exited } = this.launched;
    signalProcess({ pid, isSame: () => isRunning(pid, this.startTime) }, 'SIGKILL');
    await exited;
  }
}
