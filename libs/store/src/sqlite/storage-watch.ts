import { type StorageFault, storageFault } from '../fault/index.js';

/** Room is made by people and by jobs of the night: a second more is nothing to them, and costs one small write. */
const RETRY_MS = 1000;

/** Knows whether the disk takes what is written. While it does not, it is tried again until it does. */
export class StorageWatch {
  readonly #probe: () => void;
  readonly #onChange: ((fault: StorageFault | undefined) => void) | undefined;
  #fault: StorageFault | undefined;
  #timer: NodeJS.Timeout | undefined;

  /**
   * @param probe writes something that changes nothing
   * @param onChange told of every change of {@link fault}
   */
  constructor(probe: () => void, onChange: ((fault: StorageFault | undefined) => void) | undefined) {
    this.#probe = probe;
    this.#onChange = onChange;
  }

  get fault(): StorageFault | undefined {
    return this.#fault;
  }

  /** Does a write and remembers whether the disk took it. @throws what the write throws */
  write<T>(fn: () => T): T {
    try {
      return fn();
    } catch (error) {
      const fault = storageFault(error);
      if (fault !== undefined) this.#refused(fault);
      throw error;
    }
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #refused(fault: StorageFault): void {
    this.#timer ??= this.#later();
    if (fault === this.#fault) return;
    this.#fault = fault;
    this.#onChange?.(fault);
  }

  #again(): void {
    this.#timer = undefined;
    try {
      this.#probe();
    } catch {
      // Whatever it is now, it takes nothing yet.
      this.#timer = this.#later();
      return;
    }
    this.#fault = undefined;
    this.#onChange?.(undefined);
  }

  #later(): NodeJS.Timeout {
    return setTimeout(() => this.#again(), RETRY_MS).unref();
  }
}
