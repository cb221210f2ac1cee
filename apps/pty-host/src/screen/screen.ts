import type { ProgramVoice } from '@switchyard/agents';
import type { Modes } from './mode-tracker.js';

/** What a screen tells its owner while it parses; all are called during {@link Screen.write}. */
export interface ScreenEvents {
  title(text: string): void;
  cwd(path: string): void;
  bell(): void;
  /** The terminal answers a question of the program (device attributes, cursor position): bytes to type into it. */
  reply(text: string): void;
}

/** The visible rows at one moment, all of them, top first. */
export interface Look {
  /** Without blanks at the end. */
  readonly lines: string[];
  /** Whether the row continues the one above it. */
  readonly wrapped: boolean[];
  /** From 0, on the visible rows. */
  readonly cursor: { readonly row: number; readonly col: number; readonly visible: boolean };
  readonly alternate: boolean;
}

/**
 * One parsed terminal. Synchronous: when `write` returns, everything it was given is on the screen.
 * Texts have soft-wrapped rows joined, trailing blank rows dropped, and "\n" between lines.
 */
export interface Screen {
  readonly cols: number;
  readonly rows: number;
  /** Rises with every write, resize and clear. */
  readonly rev: number;
  readonly title: string | null;
  readonly cwd: string | null;
  readonly modes: Modes;
  /** What programs have said of themselves: status records, progress, notifications. */
  readonly voice: ProgramVoice;
  /** Whether the parser is between sequences, so that the state can be saved without losing half of one. */
  readonly atRest: boolean;
  /** The program is in the middle of a frame (DECSET 2026): what is on the screen is half of it. */
  readonly painting: boolean;
  /**
   * Whether text that comes now can only add to the screen: the cursor is at the start of an empty line, nothing is below
   * it, and no mode changes what characters do.
   */
  readonly appending: boolean;
  /** Bytes of a character that is not complete: they are written but not yet on the screen. */
  readonly waitingBytes: number;

  write(bytes: Buffer): void;
  resize(cols: number, rows: number): void;
  clearHistory(): void;

  /** The visible rows. */
  visibleText(): string;
  look(): Look;
  /** Scrollback and visible rows; on the alternate screen, which has none, its rows. At most the last `lines`. */
  historyText(lines: number): string;
  /** What may have changed since `mark()` was last called, from the start of its first line. */
  textSinceMark(): string;
  /** Remembers the top of the screen: rows above it no longer change. */
  mark(): void;
  /** Forgets the mark; without one nothing is kept for it. */
  unmark(): void;

  /**
   * Bytes that paint this terminal into a fresh one of the same size, in pieces so that the caller can let other work
   * run between them. The screen must not be written to until the last piece is taken.
   *
   * @param scrollbackLines rows above the screen; all of them when not given
   */
  paint(scrollbackLines?: number): Generator<string, void>;
  /** Memory of the lines that are not packed, about. */
  readonly looseBytes: number;
  /**
   * Packs some lines, which then take a tenth of the memory. Nothing that can be seen or done becomes another: lines are
   * looked at as they are, and unpacked one by one when they are written to.
   *
   * @returns whether there are more
   */
  packSome(): boolean;
  /** Bytes that put a terminal with these modes back to its defaults. */
  restore(): string;
  dispose(): void;
}
