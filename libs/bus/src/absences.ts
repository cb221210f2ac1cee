interface Absence {
  timer: NodeJS.Timeout;
  /** The call that was sent to find out. */
  watched: string | undefined;
}

/**
 * The services that nobody answers for at the moment, by target. While one is absent, one call at a time is sent to find
 * out whether it is back; `service.ready` usually says so first.
 */
export class Absences {
  readonly #probe: (target: string) => void;
  readonly #pauseMs: number;
  readonly #absences = new Map<string, Absence>();

  /**
   * @param probe sends one call to the target
   * @param pauseMs between two tries, and the silence after a try that counts as success
   */
  constructor(probe: (target: string) => void, pauseMs: number) {
    this.#probe = probe;
    this.#pauseMs = pauseMs;
  }

  has(target: string): boolean {
    return this.#absences.has(target);
  }

  /** The target is absent; it is tried again after a pause. Without effect when that is known. */
  begin(target: string): void {
    if (this.#absences.has(target)) return;
    this.#absences.set(target, { timer: this.#later(target), watched: undefined });
  }

  /** The try has failed; there is another after a pause. */
  goOn(target: string): void {
    const absence = this.#absences.get(target);
    if (absence?.watched === undefined) return;
    clearTimeout(absence.timer);
    absence.watched = undefined;
    absence.timer = this.#later(target);
  }

  /** A call is about to be sent as a try. @param onSilence runs when nothing is heard of it for the pause */
  watch(target: string, call: string, onSilence: () => void): void {
    const absence = this.#absences.get(target);
    if (absence === undefined) return;
    clearTimeout(absence.timer);
    absence.watched = call;
    absence.timer = setTimeout(onSilence, this.#pauseMs);
  }

  isWatched(target: string, call: string): boolean {
    return this.#absences.get(target)?.watched === call;
  }

  /** @returns the call that was sent to find out, if one was */
  end(target: string): string | undefined {
    const absence = this.#absences.get(target);
    clearTimeout(absence?.timer);
    this.#absences.delete(target);
    return absence?.watched;
  }

  clear(): void {
    for (const { timer } of this.#absences.values()) clearTimeout(timer);
    this.#absences.clear();
  }

  #later(target: string): NodeJS.Timeout {
    return setTimeout(() => this.#probe(target), this.#pauseMs);
  }
}
