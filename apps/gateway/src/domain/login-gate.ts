import { SwitchyardError } from '@switchyard/protocol';

/** After a wrong password nobody's next one is looked at for this long: at most four guesses a second in all. */
const FAILURE_DELAY_MS = 250;
/** Logins that wait for their turn; with the delay above the last waits 16 s. */
const MAX_WAITING = 64;
/** A person mistypes twice, a script with a wrong password does not get better. */
export const MAX_FAILURES = 5;

/** Counts the wrong guesses of one connection. */
export interface Guesser {
  failures: number;
}

/** Lets one login be judged at a time, and makes the next wait after a wrong one, over all connections together. */
export class LoginGate {
  readonly #delay: (ms: number) => Promise<void>;
  #turn: Promise<void> = Promise.resolve();
  #waiting = 0;

  /** @param delay resolves after so many milliseconds */
  constructor(delay: (ms: number) => Promise<void>) {
    this.#delay = delay;
  }

  /**
   * @param guesser whose guess it is
   * @param isRight judges the password or token when its turn has come
   * @throws SwitchyardError `auth_failed`, after the delay; `overloaded` when too many wait; whatever `isRight` throws
   */
  async enter(guesser: Guesser, isRight: () => boolean): Promise<void> {
    if (this.#waiting >= MAX_WAITING) throw new SwitchyardError('overloaded', 'Too many logins are waiting.');
    this.#waiting++;
    const before = this.#turn;
    let leave = () => {};
    this.#turn = new Promise((resolve) => {
      leave = resolve;
    });
    try {
      await before;
      if (isRight()) return;
      guesser.failures++;
      await this.#delay(FAILURE_DELAY_MS);
      throw new SwitchyardError('auth_failed', 'The password or token is wrong.');
    } finally {
      this.#waiting--;
      leave();
    }
  }
}
