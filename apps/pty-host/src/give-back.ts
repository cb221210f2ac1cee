import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Less is not worth a collection. */
const WORTH_BYTES = 8 * 1024 * 1024;
/** Screens fall asleep together, and those that follow soon are collected with them. */
const PAUSE_MS = 1000;
/** A collection takes twenty milliseconds for twenty full screens: at most this part of the time goes into them. */
const SHARE_OF_TIME = 1 / 50;

/**
 * Has V8 give back the memory of packed screens. Left alone it does so when the process next needs a lot, which an idle one
 * never does. Holds a timer only while something is owed.
 */
export class GiveBack {
  readonly #collect: () => void;
  #owed = 0;
  #timer: NodeJS.Timeout | undefined;
  #notBefore = 0;

  constructor(collect = collectGarbage) {
    this.#collect = collect;
  }

  freed(bytes: number): void {
    this.#owed += bytes;
    if (this.#owed < WORTH_BYTES || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => this.#due(), Math.max(PAUSE_MS, this.#notBefore - performance.now()));
    this.#timer.unref();
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #due(): void {
    this.#timer = undefined;
    this.#owed = 0;
    const started = performance.now();
    this.#collect();
    const ended = performance.now();
    this.#notBefore = ended + (ended - started) / SHARE_OF_TIME;
  }
}

/** V8 has no other way of being asked than the function that this flag puts into new contexts. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  setFlagsFromString('--no-expose-gc');
  collect();
}
