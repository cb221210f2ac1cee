import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type Checkpoint,
  type CheckpointHeader,
  loadCheckpoint,
  peekCheckpoint,
  saveCheckpoint,
} from './screen/checkpoint.js';
import type { Screen } from './screen/screen.js';

export interface CheckpointOptions {
  /** Folder of the surface's log. */
  readonly folder: string;
  readonly surfaceId: string;
  /** Bytes parsed after which a terminal that has fallen silent is saved. */
  readonly everyBytes: number;
  /** Bytes that the log holds for sure. */
  readonly budgetBytes: number;
  readonly onFault: (error: unknown) => void;
}

/**
 * A terminal in full flood is not worth saving every time: its scrollback is replaced sooner than it is written. But the
 * checkpoint must stay within what the log still holds, or a restart would have a gap.
 */
const FLOOD_FACTOR = 8;

/** When the screen of one surface is saved, and by whom it can be read. At most one saving at a time. */
export class Checkpoints {
  readonly #options: CheckpointOptions;
  readonly #floodBytes: number;
  #unsaved = 0;
  #running: Promise<void> | undefined;

  constructor(options: CheckpointOptions) {
    this.#options = options;
    this.#floodBytes = Math.min(options.everyBytes * FLOOD_FACTOR, options.budgetBytes / 2);
  }

  /** The screen must not change while it is being saved. */
  get saving(): boolean {
    return this.#running !== undefined;
  }

  load(): Checkpoint | undefined {
    return loadCheckpoint(this.#options.folder, this.#options.surfaceId);
  }

  peek(): CheckpointHeader | undefined {
    return peekCheckpoint(this.#options.folder, this.#options.surfaceId);
  }

  /** Counts what the next checkpoint will have more than the last one. */
  changed(bytes: number): void {
    this.#unsaved += bytes;
  }

  /** @param silent nothing more is to be parsed @param last nothing more will ever come: the program has ended */
  due(silent: boolean, last: boolean): boolean {
    if (this.saving || this.#unsaved === 0) return false;
    if (silent && last) return true;
    return this.#unsaved >= (silent ? this.#options.everyBytes : this.#floodBytes);
  }

  /**
   * Saves the screen in pieces with turns for others between them. Does nothing while the parser is inside a sequence:
   * its first half would be lost.
   *
   * @param offset everything before it is on the screen or, as part of a character, in its decoder
   */
  save(screen: Screen, offset: number, done: () => void): void {
    if (this.saving || !screen.atRest) return;
    this.#running = this.#save(screen, offset - screen.waitingBytes)
      .catch(this.#options.onFault)
      .finally(() => {
        this.#running = undefined;
        done();
      });
  }

  /** Saves what is unsaved, after a saving that is under way. */
  async finish(screen: Screen, offset: number): Promise<void> {
    await this.#running;
    if (this.#unsaved > 0) this.save(screen, offset, () => {});
    await this.#running;
  }

  async #save(screen: Screen, offset: number): Promise<void> {
    this.#unsaved = 0;
    const { cols, rows, rev, title, cwd } = screen;
    const pieces: Buffer[] = [];
    for (const piece of screen.paint()) {
      pieces.push(Buffer.from(piece));
      await nextTurn();
    }
    const facts = { surface_id: this.#options.surfaceId, offset, rev, cols, rows, title, cwd };
    await saveCheckpoint(this.#options.folder, facts, Buffer.concat(pieces));
  }
}
