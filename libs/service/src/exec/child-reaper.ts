import { type EndOfChild, reap } from './system-calls.js';

/**
 * Learns how children end that an earlier program of this process has started: Node knows only its own. No thread and
 * no polling: the system tells that some child has ended, and those watched are asked.
 */
export class ChildReaper {
  readonly #watched = new Map<number, (end: EndOfChild) => void>();
  readonly #look = () => this.#ask();
  #started = false;

  /** @param ended once, after {@link start} */
  watch(pid: number, ended: (end: EndOfChild) => void): void {
    this.#watched.set(pid, ended);
  }

  /** Before it, ends are left for whoever may have to take over instead. */
  start(): void {
    if (this.#started) return;
    this.#started = true;
    process.on('SIGCHLD', this.#look);
    this.#ask();
  }

  #ask(): void {
    for (const [pid, ended] of this.#watched) {
      const end = reap(pid);
      if (end === undefined) continue;
      this.#watched.delete(pid);
      ended(end);
    }
    if (this.#watched.size === 0) process.off('SIGCHLD', this.#look);
  }
}
