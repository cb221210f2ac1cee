import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type Checkpoint,
  type CheckpointHeader,
  loadCheckpoint,
  loadEarlier,
  peekCheckpoint,
  saveCheckpoint,
} from './screen/checkpoint.js';
import type { Screen } from './screen/screen.js';
import type { SavedSignals } from './signal-reader.js';

export interface CheckpointOptions {
  /** Folder of the surface's log. */
  readonly folder: string;
  readonly surfaceId: string;
  /** Bytes parsed after which a terminal that has fallen silent is saved. */
  readonly everyBytes: number;
  /** Bytes that the log holds for sure. */
  readonly budgetBytes: number;
  /** What it keeps besides the screen. */
  readonly signals: () => SavedSignals;
  readonly onFault: (error: unknown) => void;
}

/**
 * A terminal in flood is saved without its scrollback, which is replaced sooner than it could be written; a restart gets
 * it from the log. For that the checkpoint before is kept as well: two of these spans and what is printed while the next
 * one is written are within what the log holds.
 */
const SPANS_PER_BUDGET = 8 / 3;
/** Painting ten thousand rows takes a few hundred milliseconds: at most this part of the time goes into it. */
const SHARE_OF_TIME = 1 / 10;

/** When the screen of one surface is saved, and from which checkpoint a restart begins. One saving at a time. */
export class Checkpoints {
  readonly #options: CheckpointOptions;
  #sinceFull = 0;
  #sinceAny = 0;
  #nextFullAt = 0;
  #running: Promise<void> | undefined;

  constructor(options: CheckpointOptions) {
    this.#options = options;
  }

  /** The screen must not change while it is being saved. */
  get saving(): boolean {
    return this.#running !== undefined;
  }

  /** @param oldest offset of the oldest byte in the log: the earlier checkpoint is better while the log reaches it */
  load(oldest: number): Checkpoint | undefined {
    const { folder, surfaceId } = this.#options;
    const earlier = loadEarlier(folder, surfaceId);
    return earlier !== undefined && earlier.header.offset >= oldest ? earlier : loadCheckpoint(folder, surfaceId);
  }

  peek(): CheckpointHeader | undefined {
    return peekCheckpoint(this.#options.folder, this.#options.surfaceId);
  }

  /** Counts what the next checkpoint will have more than the last one. */
  changed(bytes: number): void {
    this.#sinceFull += bytes;
    this.#sinceAny += bytes;
  }

  /** @param silent nothing more is to be parsed now @param last nothing will ever come: the program has ended */
  due(silent: boolean, last: boolean): 'full' | 'light' | undefined {
    if (this.saving || this.#sinceFull === 0) return undefined;
    if (silent && last) return 'full';
    const enough = silent && this.#sinceFull >= this.#options.everyBytes;
    if (enough && performance.now() >= this.#nextFullAt) return 'full';
    return this.#sinceAny >= this.#options.budgetBytes / SPANS_PER_BUDGET ? 'light' : undefined;
  }

  /**
   * Saves the screen in pieces with turns for others between them. Does nothing while the parser is inside a sequence:
   * its first half would be lost.
   *
   * @param offset everything before it is on the screen or, as part of a character, in its decoder
   */
  save(kind: 'full' | 'light', screen: Screen, offset: number, done: () => void): void {
    if (this.saving || !screen.atRest) return;
    this.#running = this.#save(kind, screen, offset - screen.waitingBytes)
      .catch(this.#options.onFault)
      .finally(() => {
        this.#running = undefined;
        done();
      });
  }

  /** Saves what is unsaved, after a saving that is under way. */
  async finish(screen: Screen, offset: number): Promise<void> {
    await this.#running;
    if (this.#sinceFull > 0) this.save('full', screen, offset, () => {});
    await this.#running;
  }

  async #save(kind: 'full' | 'light', screen: Screen, offset: number): Promise<void> {
    const started = performance.now();
    this.#sinceAny = 0;
    if (kind === 'full') this.#sinceFull = 0;
    const { cols, rows, rev, title, cwd } = screen;
    const voice = { ...screen.voice.save(), signals: this.#options.signals() };
    const pieces: Buffer[] = [];
    for (const piece of screen.paint(kind === 'full' ? undefined : 0)) {
      pieces.push(Buffer.from(piece));
      await nextTurn();
    }
    const facts = { surface_id: this.#options.surfaceId, offset, rev, cols, rows, title, cwd };
    await saveCheckpoint(this.#options.folder, facts, voice, Buffer.concat(pieces), kind);
    const now = performance.now();
    if (kind === 'full') this.#nextFullAt = now + (now - started) / SHARE_OF_TIME;
  }
}
