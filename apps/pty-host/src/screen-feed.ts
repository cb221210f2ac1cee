import type { ProgramVoice } from '@switchyard/agents';
import { type JournalEntry, LogReader } from '@switchyard/store/log';
import { upToLineEnd } from './domain/plain-text.js';
import type { Checkpoint } from './screen/checkpoint.js';
import { HeadlessScreen } from './screen/headless-screen.js';
import type { ScreenEvents } from './screen/screen.js';
import { type Signal, SignalReader } from './signal-reader.js';

export interface FeedOptions {
  readonly logRoot: string;
  readonly surfaceId: string;
  /** Size when neither checkpoint nor journal know one. */
  readonly cols: number;
  readonly rows: number;
  readonly scrollback: number;
  readonly events: ScreenEvents;
  /** What the bytes ask to be told of. After a restart those since the checkpoint come again, with the same offsets. */
  readonly onSignals: (signals: readonly Signal[]) => void;
  /** Bytes [from, to) left the log before they were parsed. */
  readonly onGap: (from: number, to: number) => void;
  /** The emulator failed on the bytes [from, to); the screen begins anew after them. */
  readonly onFault: (error: unknown, from: number, to: number) => void;
}

export interface Step {
  readonly data: Buffer;
  readonly added: boolean;
}

/** Ends half a sequence that a program has left in the parser. */
const CANCEL = '\x18';
/** Painting a checkpoint is parsing as well, and done in steps of this size. */
const PAINT_BYTES = 64 * 1024;

/** From log to screen: checkpoint first, then the bytes after it, each at the size for which it was written. */
export class ScreenFeed {
  readonly log: LogReader;
  readonly signals = new SignalReader();
  readonly #options: FeedOptions;
  #screen: HeadlessScreen | undefined;
  #paint: Buffer | undefined;
  #sizes: JournalEntry[] = [];
  #parsed = 0;
  #stepStart = 0;

  constructor(options: FeedOptions) {
    this.#options = options;
    this.log = new LogReader(options.logRoot, options.surfaceId);
  }

  /** The screen, once the checkpoint is on it. */
  get screen(): HeadlessScreen | undefined {
    return this.#paint === undefined ? this.#screen : undefined;
  }

  /** What programs have said, as far as it is known. */
  get voice(): ProgramVoice | undefined {
    return this.#screen?.voice;
  }

  /** Everything before it is on the screen. */
  get parsed(): number {
    return this.#parsed;
  }

  /** During an event of the screen: where the bytes that are being parsed begin. */
  get stepStart(): number {
    return this.#stepStart;
  }

  /** Whether everything before `offset` is on the screen, at the size that holds there. */
  reaches(offset: number): boolean {
    return this.screen !== undefined && this.#parsed >= offset && !this.#sizeIsDue();
  }

  /** Makes the screen; without a checkpoint the whole log is to be parsed. */
  open(saved: Checkpoint | undefined): void {
    const { scrollback, events } = this.#options;
    const size = saved?.header ?? this.log.journal()[0] ?? this.#options;
    this.#screen = new HeadlessScreen({ cols: size.cols, rows: size.rows, scrollback, events });
    this.#parsed = saved?.header.offset ?? this.log.start();
    if (this.#parsed > 0 && saved === undefined) this.#options.onGap(0, this.#parsed);
    this.#paint = saved?.paint;
    if (saved?.header.cwd) this.#screen.setCwd(saved.header.cwd);
    if (saved?.voice !== undefined) this.#screen.voice.load(saved.voice);
    if (saved?.voice?.signals !== undefined) {
      this.signals.load(saved.voice.signals.unfinished);
      this.#options.onSignals(saved.voice.signals.untold);
    }
    this.reloadSizes();
    this.#screen.setRev(this.#safeRev(saved));
  }

  /** Each byte and each resize counts one at most, so no reader has seen this count with another screen. */
  #safeRev(saved: Checkpoint | undefined): number {
    const since = this.log.end() - this.#parsed + this.#sizes.length + 1;
    return (saved?.header.rev ?? this.#parsed) + since;
  }

  get opened(): boolean {
    return this.#screen !== undefined;
  }

  /** Paints the next part of the checkpoint. @returns whether there was one */
  paintSome(): boolean {
    if (this.#screen === undefined || this.#paint === undefined) return false;
    this.#screen.write(this.#paint.subarray(0, PAINT_BYTES));
    this.#paint = this.#paint.length > PAINT_BYTES ? this.#paint.subarray(PAINT_BYTES) : undefined;
    return true;
  }

  /** The journal has the sizes that were missed. */
  reloadSizes(): void {
    this.#sizes = this.log.journal().filter((entry) => entry.offset >= this.#parsed);
  }

  /** From `offset` on, output is for this size. */
  sizeAt(entry: JournalEntry): void {
    this.#sizes.push(entry);
  }

  /**
   * Parses the next bytes, up to the next change of size.
   *
   * @param maxBytes of this step
   * @param lines whether the step is to end with a line, if it can
   * @param until offset at which the step must end, when it is ahead
   * @returns what was parsed, and whether it could only add to what was on the screen; nothing at the end of the log
   */
  parseSome(maxBytes: number, lines: boolean, until: number): Step {
    this.applySizes();
    const ends = [until, this.#sizes[0]?.offset ?? until].filter((offset) => offset > this.#parsed);
    const slice = this.log.read(this.#parsed, Math.min(maxBytes, ...ends.map((offset) => offset - this.#parsed)));
    if (slice.gap !== undefined) {
      this.#options.onGap(slice.gap.from, slice.gap.to);
      this.#parsed = slice.offset;
      this.signals.reset();
      this.applySizes();
    }
    const data = lines && slice.data.length === maxBytes ? upToLineEnd(slice.data) : slice.data;
    if (data.length === 0) return { data, added: false };
    const added = lines && this.#screen?.appending === true;
    this.#stepStart = this.#parsed;
    this.#parsed += data.length;
    this.#write(data);
    this.#options.onSignals(this.signals.read(data, this.#stepStart));
    this.applySizes();
    return { data, added };
  }

  #write(data: Buffer): void {
    try {
      this.#screen?.write(data);
    } catch (error) {
      const { cols, rows } = this.#screen ?? this.#options;
      const before = this.#screen;
      before?.dispose();
      this.#screen = new HeadlessScreen({ ...this.#options, cols, rows, ...(before && { voice: before.voice }) });
      this.#screen.setRev((before?.rev ?? 0) + 1);
      this.#options.onFault(error, this.#stepStart, this.#parsed);
    }
  }

  #sizeIsDue(): boolean {
    const next = this.#sizes[0];
    return next !== undefined && next.offset <= this.#parsed;
  }

  /** @returns whether any size was due */
  applySizes(): boolean {
    const due = this.#sizeIsDue();
    while (this.#sizeIsDue()) {
      const next = this.#sizes.shift();
      if (next !== undefined) this.#applySize(next);
    }
    return due;
  }

  #applySize(entry: JournalEntry): void {
    const screen = this.#screen;
    if (screen === undefined) return;
    // What the program before has set is no wish of the next one.
    if (entry.kind === 'spawn' && entry.offset > 0) {
      screen.write(Buffer.from(CANCEL + screen.restore()));
      if (!screen.atLineStart) screen.write(Buffer.from('\r\n'));
      screen.voice.programEnded();
      this.signals.reset();
    }
    screen.resize(entry.cols, entry.rows);
  }

  close(): void {
    this.#screen?.dispose();
    this.log.close();
  }
}
