import { SwitchyardError } from '@switchyard/protocol';
import type { ScreenSample } from './sample.js';
import type { Verdict } from './verdict.js';

/** Puts one question to whichever detector is free. @throws when none answers */
export type AskDetectors = (samples: readonly ScreenSample[]) => Promise<readonly (Verdict | null)[]>;

/** Enough that several detectors have work while answers are on their way. */
const QUESTIONS_AT_ONCE = 8;
/** Some 100 KiB, and two milliseconds of a detector: nobody waits long for the others in the same question. */
const SAMPLES_AT_ONCE = 8;

interface Waiting {
  readonly sample: ScreenSample;
  resolve(verdict: Verdict): void;
  reject(error: unknown): void;
}

/**
 * Has screens judged. A question and its answer cost the bus about as much for one screen as for several; so while many
 * questions are under way, the screens that come meanwhile go together in the next. One alone goes at once.
 */
export class Judging {
  readonly #ask: AskDetectors;
  readonly #waiting: Waiting[] = [];
  #underWay = 0;

  constructor(ask: AskDetectors) {
    this.#ask = ask;
  }

  /** @throws what the bus says when no detector answers, `internal_error` when the detector fails on this screen */
  judge(sample: ScreenSample): Promise<Verdict> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ sample, resolve, reject });
      this.#next();
    });
  }

  #next(): void {
    while (this.#underWay < QUESTIONS_AT_ONCE && this.#waiting.length > 0) {
      this.#underWay++;
      void this.#put(this.#waiting.splice(0, SAMPLES_AT_ONCE));
    }
  }

  async #put(asked: readonly Waiting[]): Promise<void> {
    try {
      const verdicts = await this.#ask(asked.map(({ sample }) => sample));
      for (const [i, { resolve, reject }] of asked.entries()) {
        const verdict = verdicts[i] ?? null;
        if (verdict === null) reject(new SwitchyardError('internal_error', 'The detector failed on this screen'));
        else resolve(verdict);
      }
    } catch (error) {
      for (const { reject } of asked) reject(error);
    } finally {
      this.#underWay--;
      this.#next();
    }
  }
}
