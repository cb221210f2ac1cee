import type { StatusRecords } from '@switchyard/agents';
import { Marks } from './marks.js';
import type { ScreenFeed } from './screen-feed.js';
import type { Exit } from './waits.js';

/** What a follower says to the outside. */
export interface FollowerPort {
  /** There is something new on the screen, or it can be looked at from now on. */
  changed(surfaceId: string): void;
  /** At most one per 50 ms. */
  output(surfaceId: string, offset: number, rev: number): void;
  exited(surfaceId: string, exit: Exit): void;
  title(surfaceId: string, title: string): void;
  cwd(surfaceId: string, cwd: string): void;
  /** The status records have changed; at most one per 50 ms. */
  status(surfaceId: string, records: StatusRecords): void;
  /** Types the terminal's own answers into the program. */
  reply(surfaceId: string, text: string): void;
  /** Everything before `offset` is parsed. */
  ack(surfaceId: string, offset: number): void;
  gap(surfaceId: string, from: number, to: number): void;
  fault(surfaceId: string, what: string, error: unknown): void;
}

export interface AnnouncerOptions {
  readonly surfaceId: string;
  readonly port: FollowerPort;
  readonly feed: ScreenFeed;
  /** Bytes of output the log holds for sure. */
  readonly budgetBytes: number;
  /** Up to here the bytes were parsed before, by us or by a pty-host before us: their questions are answered. */
  readonly answeredTo: number;
  /** Up to here parsing is a replay, of which nobody wants to hear. */
  readonly replayTo: number;
  /** What the last checkpoint knew, which holds until the replay is done. */
  readonly saved: Names | undefined;
}

interface Names {
  readonly title: string | null;
  readonly cwd: string | null;
}

/** The keeper holds a program back when a whole budget is unparsed; it is told often enough that this never happens. */
const ACKS_PER_BUDGET = 16;

/** What is told of one terminal, and when: never more often than needed, never of a replay, the exit last. */
export class Announcer {
  readonly #options: AnnouncerOptions;
  readonly #output: Marks;
  readonly #names: Marks;
  readonly #status: Marks;
  #acked = 0;
  #told: Names;
  /** Revision of the status records that was told, or was saved by a pty-host before us. */
  #statusTold = 0;
  /** Whether anybody was told that there is a screen. */
  #seen = false;
  #exitTold: Exit | undefined;

  constructor(options: AnnouncerOptions) {
    this.#options = options;
    this.#told = { title: options.saved?.title ?? null, cwd: options.saved?.cwd ?? null };
    this.#output = new Marks(() => this.#tellOutput());
    this.#names = new Marks(() => this.#tellNames());
    this.#status = new Marks(() => this.#tellStatus());
  }

  get names(): Names {
    const { screen } = this.#options.feed;
    return screen === undefined || this.replaying ? this.#told : { title: screen.title, cwd: screen.cwd };
  }

  get replaying(): boolean {
    return this.#options.feed.parsed < this.#options.replayTo;
  }

  /** A program can rename its window with every line it prints; only the last name of 50 ms is told. */
  named(): void {
    const { title, cwd } = this.names;
    if (title !== this.#told.title || cwd !== this.#told.cwd) this.#names.mark();
  }

  /** The checkpoint is on the screen: what its programs had said was told before. */
  loaded(): void {
    this.#statusTold = this.#options.feed.voice?.records.revision ?? 0;
  }

  /** Everything there is has been parsed. */
  silent(): void {
    this.named();
    if (!this.#seen) this.#changed();
  }

  /** Rows may be others. */
  resized(): void {
    if (!this.replaying) this.#changed();
  }

  #changed(): void {
    this.#seen = true;
    this.#options.port.changed(this.#options.surfaceId);
  }

  /** The status records may be others. */
  reported(): void {
    const revision = this.#options.feed.voice?.records.revision ?? this.#statusTold;
    if (revision !== this.#statusTold && !this.replaying) this.#status.mark();
  }

  parsed(): void {
    const { parsed } = this.#options.feed;
    if (!this.replaying) {
      this.#output.mark();
      this.#changed();
    }
    this.reported();
    if (parsed - this.#acked >= this.#options.budgetBytes / ACKS_PER_BUDGET) this.#ack();
  }

  /** The terminal answers the program; an answer to a replayed question would be typed into whatever runs now. */
  reply(text: string): void {
    const { port, feed, surfaceId, answeredTo } = this.#options;
    if (feed.screen === undefined || feed.stepStart < answeredTo) return;
    port.reply(surfaceId, text);
    this.#ack();
  }

  /** Told once, after everything else. @returns whether it was told now */
  exited(exit: Exit): boolean {
    if (exit.at === this.#exitTold?.at && exit.offset === this.#exitTold.offset) return false;
    this.#exitTold = exit;
    this.reported();
    this.#names.flush();
    this.#status.flush();
    this.#output.flush();
    this.#options.port.exited(this.#options.surfaceId, exit);
    return true;
  }

  close(): void {
    this.#output.close();
    this.#names.close();
    this.#status.close();
  }

  #tellOutput(): void {
    const { port, feed, surfaceId } = this.#options;
    this.#ack();
    port.output(surfaceId, feed.parsed, feed.screen?.rev ?? 0);
  }

  #tellNames(): void {
    const { port, surfaceId } = this.#options;
    const { title, cwd } = this.names;
    const before = this.#told;
    this.#told = { title, cwd };
    if (title !== null && title !== before.title) port.title(surfaceId, title);
    if (cwd !== null && cwd !== before.cwd) port.cwd(surfaceId, cwd);
  }

  #tellStatus(): void {
    const records = this.#options.feed.voice?.records;
    if (records === undefined || records.revision === this.#statusTold) return;
    this.#statusTold = records.revision;
    this.#options.port.status(this.#options.surfaceId, records);
  }

  #ack(): void {
    const { port, feed, surfaceId } = this.#options;
    if (feed.parsed === this.#acked) return;
    this.#acked = feed.parsed;
    port.ack(surfaceId, this.#acked);
  }
}
