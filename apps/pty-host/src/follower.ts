import { setImmediate as nextTurn } from 'node:timers/promises';
import { Announcer, type FollowerPort } from './announcer.js';
import { Checkpoints } from './checkpoints.js';
import type { KeyModes } from './domain/keys.js';
import { plainLines } from './domain/plain-text.js';
import type { KeptTerminal } from './keeper/index.js';
import type { Job, Pump } from './pump.js';
import { Reaches } from './reaches.js';
import { DEC, ModeTracker } from './screen/mode-tracker.js';
import type { Screen } from './screen/screen.js';
import { ScreenFeed } from './screen-feed.js';
import type { SignalOutbox } from './signal-outbox.js';
import type { Sleeper, Slumber } from './slumber.js';
import type { Exit, Waits } from './waits.js';

export interface Snapshot {
  readonly paint: string;
  readonly restore: string;
  readonly offset: number;
  readonly cols: number;
  readonly rows: number;
}

export interface FollowerOptions {
  readonly kept: KeptTerminal;
  readonly logRoot: string;
  readonly scrollback: number;
  readonly checkpointBytes: number;
  /** Bytes of output the log holds for sure. */
  readonly budgetBytes: number;
  readonly port: FollowerPort;
  readonly pump: Pump;
  readonly waits: Waits;
  readonly slumber: Pick<Slumber, 'changed' | 'looked' | 'drop'>;
  readonly signals: Pick<SignalOutbox, 'add' | 'waiting'>;
}

/** Parsed in one step: about 3 ms, so that other terminals and requests get their turn. */
const BATCH_BYTES = 64 * 1024;
/** With patterns waiting, a step must not push lines out of the scrollback unseen; a line is at least one byte. */
const WATCHED_BATCH_BYTES = 8 * 1024;
const SMALLEST_BATCH_BYTES = 512;
/**
 * Keeps one terminal's screen at the end of its log: loads the checkpoint, replays what came later, then parses what the
 * keeper announces. Holds no timer while nothing is printed.
 */
export class Follower implements Job, Sleeper {
  readonly surfaceId: string;
  readonly waits: Waits;
  readonly #options: FollowerOptions;
  readonly #feed: ScreenFeed;
  readonly #checkpoints: Checkpoints;
  readonly #announcer: Announcer;
  /** A step ends here, so that the questions of programs are either all answered already or all not yet. */
  readonly #answeredTo: number;
  readonly #reaches = new Reaches();
  readonly #growth = new Set<() => void>();
  #kept: KeptTerminal;
  #clearing = false;
  /** The screen that may sleep; it was told of with its first output. */
  #restful: Screen | undefined;
  /** Snapshots that are being made. */
  #painting = 0;
  #closed: Error | undefined;

  constructor(options: FollowerOptions) {
    const { kept, port } = options;
    this.#options = options;
    this.#kept = kept;
    this.surfaceId = kept.surface_id;
    this.waits = options.waits;
    this.#feed = new ScreenFeed({
      logRoot: options.logRoot,
      surfaceId: this.surfaceId,
      cols: kept.cols,
      rows: kept.rows,
      scrollback: options.scrollback,
      events: {
        title: () => this.#announcer.named(),
        cwd: () => this.#announcer.named(),
        bell: () => {},
        reply: (text) => this.#announcer.reply(text),
      },
      onSignals: (signals) => options.signals.add(this.surfaceId, signals),
      onGap: (from, to) => port.gap(this.surfaceId, from, to),
      onFault: (error) => port.fault(this.surfaceId, 'screen', error),
    });
    this.#checkpoints = new Checkpoints({
      folder: this.#feed.log.folder,
      surfaceId: this.surfaceId,
      everyBytes: options.checkpointBytes,
      budgetBytes: options.budgetBytes,
      signals: () => ({
        unfinished: this.#feed.signals.save(),
        untold: options.signals.waiting(this.surfaceId),
      }),
      onFault: (error) => {
        // A forgotten surface takes the folder of its checkpoint with it.
        if (this.#closed === undefined) port.fault(this.surfaceId, 'checkpoint', error);
      },
    });
    this.#answeredTo = kept.acked;
    this.#announcer = new Announcer({
      surfaceId: this.surfaceId,
      port,
      feed: this.#feed,
      budgetBytes: options.budgetBytes,
      answeredTo: kept.acked,
      replayTo: kept.offset,
      saved: this.#checkpoints.peek(),
    });
    options.pump.add(this);
  }

  get kept(): KeptTerminal {
    return this.#kept;
  }
  /** Everything before it is on the screen. */
  get parsed(): number {
    return this.#feed.parsed;
  }
  /** The screen, once everything is on it that was there before. */
  get screen(): Screen | undefined {
    return this.#announcer.replaying ? undefined : this.#feed.screen;
  }
  /** While a replay is under way: what the checkpoint had. */
  get names(): { readonly title: string | null; readonly cwd: string | null } {
    return this.#announcer.names;
  }

  /** What the program has asked of the keyboard, as far as it is known. */
  get inputModes(): { readonly keys: KeyModes; readonly bracketed: boolean } {
    const modes = this.#feed.screen?.modes ?? new ModeTracker();
    const { keyboardFlags, modifyOtherKeys } = modes;
    const keys = {
      appCursor: modes.isOn(DEC.appCursor),
      appKeypad: modes.isOn(DEC.appKeypad),
      keyboardFlags,
      modifyOtherKeys,
    };
    return { keys, bracketed: modes.isOn(DEC.bracketedPaste) };
  }

  get looseBytes(): number {
    return this.#feed.screen?.looseBytes ?? 0;
  }

  packSome(): boolean {
    return this.#feed.screen?.packSome() ?? false;
  }

  /** The error that requests for this surface answer once it is closed. */
  get closed(): Error | undefined {
    return this.#closed;
  }

  /** The exit, once everything printed before it is on the screen. */
  get exit(): Exit | null {
    const { exit } = this.#kept;
    if (exit === null || !this.#feed.reaches(exit.offset)) return null;
    return { exit_code: exit.exit_code, signal: exit.signal, offset: exit.offset, at: exit.at, reason: exit.reason };
  }

  /** What the keeper says of the terminal now, after a (re)connection or a start. */
  update(kept: KeptTerminal): void {
    this.#kept = kept;
    this.#feed.reloadSizes();
    this.grown();
  }

  /** The log may be longer. */
  grown(): void {
    this.#options.pump.add(this);
    for (const told of [...this.#growth]) told();
  }

  resized(cols: number, rows: number, offset: number): void {
    this.#kept = { ...this.#kept, cols, rows };
    this.#feed.sizeAt({ kind: 'resize', cols, rows, offset });
    this.#announcer.resized();
    this.#options.pump.add(this);
  }

  exited(exit: NonNullable<KeptTerminal['exit']>): void {
    this.#kept = { ...this.#kept, exit };
    this.grown();
  }

  /** `fn` runs whenever the log may have grown, the exit is known, or the surface is closed. @returns ends it */
  onGrowth(fn: () => void): () => void {
    this.#growth.add(fn);
    return () => this.#growth.delete(fn);
  }

  /**
   * Resolves when the screen shows everything that is in the log now.
   *
   * @throws SwitchyardError `cancelled` when the signal aborts, or the reason for which the surface was closed
   */
  async caughtUp(signal: AbortSignal): Promise<Screen> {
    const end = this.#feed.log.end();
    if (this.#closed !== undefined) throw this.#closed;
    if (!this.#feed.reaches(end) || this.#clearing) {
      this.#options.pump.addFirst(this);
      await this.#reaches.wait(end, signal);
    }
    const { screen } = this.#feed;
    if (screen === undefined) throw this.#closed ?? new Error('a screen that was reached is not there');
    this.#options.slumber.looked(this);
    return screen;
  }

  /** Empties the scrollback of what is in the log now. @returns the offset up to which it was cleared */
  async clearHistory(signal: AbortSignal): Promise<number> {
    await this.caughtUp(signal);
    this.#clearing = true;
    this.#options.pump.addFirst(this);
    await this.#reaches.wait(this.#feed.parsed, signal);
    return this.#feed.parsed;
  }

  /**
   * Bytes that paint the screen and its last scrollback lines and say again what its programs say of themselves, and
   * the offset up to which they show everything.
   */
  async snapshot(scrollbackLines: number, signal: AbortSignal): Promise<Snapshot> {
    const screen = await this.caughtUp(signal);
    const { cols, rows, voice } = screen;
    const restore = screen.restore() + voice.silence();
    const facts = { cols, rows, offset: this.#feed.parsed, restore };
    const said = voice.replay();
    this.#painting++;
    try {
      const pieces: string[] = [];
      for (const piece of screen.paint(scrollbackLines)) {
        pieces.push(piece);
        await nextTurn();
        if (this.#closed !== undefined) throw this.#closed;
      }
      return { ...facts, paint: pieces.join('') + said };
    } finally {
      this.#painting--;
      if (this.#closed === undefined) this.#options.pump.add(this);
    }
  }

  /** @returns whether there is more to do now */
  step(): boolean {
    // The screen stands still while it is painted or saved; the end of that brings the next step.
    if (this.#closed !== undefined || this.#painting > 0 || this.#checkpoints.saving) return false;
    if (!this.#feed.opened) {
      this.#feed.open(this.#checkpoints.load(this.#feed.log.start()));
      this.#announcer.loaded();
      return true;
    }
    const { screen } = this.#feed;
    if (screen === undefined) return this.#feed.paintSome();
    const before = screen.rev;
    if (this.#clearing) this.#clear(screen);
    const { data, added } = this.#feed.parseSome(this.#batchBytes(), this.waits.watching, this.#answeredTo);
    const bytes = data.length;
    if (bytes > 0) this.#parsed(bytes, added ? plainLines(data) : undefined);
    const now = this.#feed.screen ?? screen;
    if (now.rev !== before || now !== this.#restful) this.#changed(now);
    this.#reaches.reached((offset) => this.#feed.reaches(offset));
    if (bytes === 0) this.#silent();
    const due = this.#checkpoints.due(bytes === 0, this.exit !== null);
    if (due !== undefined) this.#checkpoints.save(due, now, this.#feed.parsed, () => this.#options.pump.add(this));
    return bytes > 0;
  }

  /** @param screen may also be a new one */
  #changed(screen: Screen): void {
    this.#restful = screen;
    this.#options.slumber.changed(this);
  }

  #clear(screen: Screen): void {
    this.#clearing = false;
    screen.clearHistory();
    this.#checkpoints.changed(this.#options.checkpointBytes);
  }

  #batchBytes(): number {
    if (!this.waits.watching) return BATCH_BYTES;
    return Math.min(WATCHED_BATCH_BYTES, Math.max(SMALLEST_BATCH_BYTES, this.#options.scrollback));
  }

  /** @param added the text that has come, when that is all that has changed */
  #parsed(bytes: number, added: string | undefined): void {
    const { screen, parsed } = this.#feed;
    this.#checkpoints.changed(bytes);
    if (screen !== undefined) this.waits.parsed(screen, parsed, added);
    this.#announcer.parsed();
  }

  /** Everything there is has been parsed. */
  #silent(): void {
    this.#announcer.silent();
    const { exit } = this;
    if (exit === null) return;
    this.#feed.voice?.programEnded();
    if (this.#announcer.exited(exit)) this.waits.exited(exit);
  }

  /** Saves the screen, and goes on. */
  async save(): Promise<void> {
    const { screen } = this.#feed;
    if (screen === undefined || this.#closed !== undefined || this.#painting > 0) return;
    await this.#checkpoints.finish(screen, this.#feed.parsed);
    if (this.#closed === undefined) this.#options.pump.add(this);
  }

  /** Saves the screen and lets go of it. The log stays. */
  async stop(): Promise<void> {
    const { screen } = this.#feed;
    this.#options.pump.remove(this);
    if (screen !== undefined && this.#closed === undefined) await this.#checkpoints.finish(screen, this.#feed.parsed);
    this.close(new Error('the pty-host is stopping'));
  }

  /** Ends everything that waits for this surface with `reason`. */
  close(reason: Error): void {
    if (this.#closed !== undefined) return;
    this.#closed = reason;
    this.#options.pump.remove(this);
    this.#options.slumber.drop(this);
    this.#announcer.close();
    this.#reaches.close(reason);
    this.waits.close(reason);
    for (const told of [...this.#growth]) told();
    this.#feed.close();
  }
}
