import { isAscii } from 'node:buffer';
import { hostname } from 'node:os';
import { ProgramVoice } from '@switchyard/agents';
import serialize from '@xterm/addon-serialize';
import headless from '@xterm/headless';
import { Utf8Decoder } from '../domain/utf8.js';
import { answerQuestions } from './answers.js';
import { LinePacker } from './line-packer.js';
import { restoreBytes } from './mode-bytes.js';
import { hookModes } from './mode-hooks.js';
import { DEC, ModeTracker } from './mode-tracker.js';
import { paintTerminal } from './paint.js';
import type { Look, Screen, ScreenEvents } from './screen.js';
import { lastLinesOf, rowsToText } from './text.js';
import { UNICODE_VERSION, unicodeProvider } from './unicode-provider.js';
import { hookVoice } from './voice-hooks.js';

export interface ScreenOptions {
  readonly cols: number;
  readonly rows: number;
  /** Lines kept above the screen. */
  readonly scrollback: number;
  readonly events: ScreenEvents;
  /** Unix milliseconds; the clock of this machine unless a recording is played. */
  readonly now?: () => number;
  /** Goes on with what programs said to the screen before. */
  readonly voice?: ProgramVoice;
}

/** State of xterm's parser between two sequences; not in its public interface, held down by a test. */
const PARSER_GROUND = 0;
interface ParserInside {
  readonly _core?: { readonly _inputHandler?: { readonly _parser?: { readonly currentState?: number } } };
}

/**
 * A screen on xterm's emulator without a display. The only module that knows xterm's terminal.
 *
 * xterm parses later, in slices, unless input of the user has just passed (it then wants the echo at once); announcing
 * an empty input before each write makes it parse at once, so that no read can fall between a write and its effect.
 */
export class HeadlessScreen implements Screen {
  readonly modes = new ModeTracker();
  readonly voice: ProgramVoice;
  readonly #terminal: headless.Terminal;
  readonly #packer: LinePacker;
  readonly #addon = new serialize.SerializeAddon();
  readonly #decoder = new Utf8Decoder();
  readonly #events: ScreenEvents;
  readonly #scrollback: number;
  #mark: headless.IMarker | undefined;
  #rev = 0;
  #cwd: string | null = null;

  constructor(options: ScreenOptions) {
    this.voice = options.voice ?? new ProgramVoice(hostname());
    this.#events = options.events;
    this.#scrollback = options.scrollback;
    this.#terminal = new headless.Terminal({
      cols: options.cols,
      rows: options.rows,
      scrollback: options.scrollback,
      allowProposedApi: true,
      // Without it a resize cuts the line that holds the cursor instead of wrapping it.
      reflowCursorLine: true,
      logLevel: 'off',
      windowOptions: { getWinSizeChars: true, pushTitle: true, popTitle: true },
    });
    this.#terminal.unicode.register(unicodeProvider);
    this.#terminal.unicode.activeVersion = UNICODE_VERSION;
    this.#terminal.loadAddon(this.#addon);
    this.#packer = new LinePacker(this.#terminal);
    this.#listen(options.now ?? Date.now);
  }

  #listen(now: () => number): void {
    const { parser } = this.#terminal;
    const reply = (text: string) => this.#events.reply(text);
    hookModes(parser, this.modes, () => this.#terminal.rows);
    hookVoice(parser, this.voice, now, { cwd: (path) => this.setCwd(path), reply });
    answerQuestions(parser, this.modes, reply);
    this.#terminal.onTitleChange((title) => {
      this.modes.setTitle(title);
      this.#events.title(this.modes.title ?? '');
    });
    this.#terminal.onBell(() => this.#events.bell());
    this.#terminal.onData((text) => {
      if (text !== '') reply(text);
    });
  }

  get cols(): number {
    return this.#terminal.cols;
  }
  get rows(): number {
    return this.#terminal.rows;
  }
  get rev(): number {
    return this.#rev;
  }
  get title(): string | null {
    return this.modes.title;
  }
  get cwd(): string | null {
    return this.#cwd;
  }
  get painting(): boolean {
    return this.#terminal.modes.synchronizedOutputMode;
  }
  get waitingBytes(): number {
    return this.#decoder.waiting;
  }
  get atRest(): boolean {
    return (this.#terminal as ParserInside)._core?._inputHandler?._parser?.currentState === PARSER_GROUND;
  }

  get appending(): boolean {
    const { active } = this.#terminal.buffer;
    if (!this.atRest || this.waitingBytes > 0 || !this.modes.plain || active.cursorX !== 0) return false;
    for (let row = active.baseY + active.cursorY; row < active.length; row++) {
      const line = active.getLine(row);
      if (line === undefined || line.isWrapped || line.translateToString(true) !== '') return false;
    }
    return true;
  }

  /** Whether the cursor is in the first column. */
  get atLineStart(): boolean {
    return this.#terminal.buffer.active.cursorX === 0;
  }

  /** Also used when a saved screen is loaded. */
  setCwd(path: string): void {
    if (path === this.#cwd) return;
    this.#cwd = path;
    this.#events.cwd(path);
  }

  /** Continues the count of a saved screen. */
  setRev(rev: number): void {
    this.#rev = rev;
  }

  write(bytes: Buffer): void {
    this.#rev++;
    // Most output is ASCII, which needs no decoding.
    const text = this.waitingBytes === 0 && isAscii(bytes) ? bytes : this.#decoder.decode(bytes);
    if (text.length === 0) return;
    let parsed = false;
    this.#terminal.input('', true);
    this.#terminal.write(text, () => {
      parsed = true;
    });
    this.#packer.follow();
    if (!parsed) throw new Error('xterm did not parse at once; reads would miss what was written');
  }

  resize(cols: number, rows: number): void {
    if (cols === this.cols && rows === this.rows) return;
    this.#terminal.resize(cols, rows);
    this.modes.resized();
    this.#rev++;
  }

  clearHistory(): void {
    // Shrinking the buffer to the screen drops the rows above it, whichever screen is shown and whatever half a sequence
    // the parser holds. As with any resize, xterm forgets the scroll region.
    this.#terminal.options.scrollback = 0;
    this.#terminal.options.scrollback = this.#scrollback;
    this.modes.resized();
    this.#rev++;
  }

  visibleText(): string {
    const { active } = this.#terminal.buffer;
    return rowsToText(active, active.baseY, active.length, false);
  }

  historyText(lines: number): string {
    return lastLinesOf(this.#terminal.buffer.active, lines);
  }

  textSinceMark(): string {
    const { active } = this.#terminal.buffer;
    // Rows of the alternate screen never leave it, and markers are not possible there.
    if (active.type === 'alternate') return rowsToText(active, 0, active.length);
    const marked = this.#mark === undefined || this.#mark.isDisposed ? 0 : this.#mark.line;
    return rowsToText(active, Math.min(marked, active.baseY), active.length);
  }

  mark(): void {
    const { active } = this.#terminal.buffer;
    if (active.type === 'alternate') return;
    this.unmark();
    this.#mark = this.#terminal.registerMarker(-active.cursorY);
  }

  unmark(): void {
    this.#mark?.dispose();
    this.#mark = undefined;
  }

  look(): Look {
    const { active } = this.#terminal.buffer;
    const rows = Array.from({ length: this.rows }, (_, row) => active.getLine(active.baseY + row));
    return {
      lines: rows.map((row) => row?.translateToString(true).trimEnd() ?? ''),
      wrapped: rows.map((row) => row?.isWrapped === true),
      cursor: { row: active.cursorY, col: active.cursorX, visible: this.modes.isOn(DEC.cursor) },
      alternate: active.type === 'alternate',
    };
  }

  paint(scrollbackLines = Number.POSITIVE_INFINITY): Generator<string, void> {
    return paintTerminal(this.#terminal, this.#addon, this.modes, scrollbackLines);
  }

  get looseBytes(): number {
    return this.#packer.looseBytes;
  }

  packSome(): boolean {
    return this.#packer.packSome();
  }

  restore(): string {
    return restoreBytes(this.modes);
  }

  dispose(): void {
    this.#terminal.dispose();
  }
}
