import { randomBytes } from 'node:crypto';
import { closeSync, writeSync } from 'node:fs';
import { constants } from 'node:os';
import { MarkerScanner } from './domain/marker-scanner.js';
import { signalName } from './domain/signals.js';
import { systemCode } from './fault.js';
import { InputQueue } from './input-queue.js';
import { type ForkedPty, resizePty } from './native-pty.js';
import { PtyReader } from './pty-reader.js';

export interface ExitStatus {
  readonly exit_code: number | null;
  readonly signal: string | null;
}

/** How a program ended; null when it cannot be known any more. */
export type PtyEnd = { readonly code: number; readonly signal: number } | null;

/** Makes the terminal, or takes it over, and tells once of the end of its program. */
export type PtySource = (onEnd: (end: PtyEnd) => void) => ForkedPty;

export interface PtySink {
  /** Output, in order; the memory is reused after the call. */
  data(chunk: Buffer): void;
  /** The program has ended; what the kernel still holds (some KiB) follows. */
  ending(): void;
  /** After the last byte; nothing follows. */
  exited(status: ExitStatus): void;
}

/**
 * With the slave side held open the last output passes in a few milliseconds. This long only when the marker cannot
 * pass: the terminal is stopped with ^S, or a process that outlives the program fills it.
 */
const DRAIN_LIMIT_MS = 1000;
const MARKER_RETRY_MS = 5;
const MARKER_LENGTH = 32;

/** One program on one terminal, from the fork to the last byte of its output. */
export class PtyProcess {
  readonly pid: number;
  readonly tty: string;
  readonly input: InputQueue;
  readonly #pty: ForkedPty;
  readonly #sink: PtySink;
  readonly #reader: PtyReader;
  #status: ExitStatus | undefined;
  #scanner: MarkerScanner | undefined;
  /** What of the marker the terminal has not taken yet. */
  #markerLeft: Buffer | undefined;
  #deadline: NodeJS.Timeout | undefined;
  #retry: NodeJS.Timeout | undefined;
  #paused: boolean;
  #done = false;

  /**
   * @param paused nothing is read before {@link resume}
   * @throws Error when no terminal or no process is to be had
   */
  constructor(source: PtySource, inputLimitBytes: number, sink: PtySink, paused = false) {
    this.#sink = sink;
    this.#paused = paused;
    this.#pty = source((end) => this.#ended(end));
    this.pid = this.#pty.pid;
    this.tty = this.#pty.tty;
    this.#reader = new PtyReader(
      this.#pty.master,
      (chunk) => this.#data(chunk),
      () => this.#broken(),
      paused,
    );
    this.input = new InputQueue(this.#pty.master, inputLimitBytes, () => this.#broken());
  }

  get descriptors(): { readonly master: number; readonly slave: number } {
    return { master: this.#pty.master, slave: this.#pty.slave };
  }

  /** Still has its terminal: input and size can reach it. */
  get live(): boolean {
    return this.#status === undefined && !this.#reader.closed;
  }

  /** Reads what was written for the old size, then sets the new one. */
  resize(cols: number, rows: number): void {
    if (!this.#paused) this.#reader.drain();
    resizePty(this.#pty.master, cols, rows);
  }

  /** Stops reading: the program waits once the kernel's buffer is full. */
  pause(): void {
    this.#paused = true;
    this.#reader.pause();
    clearTimeout(this.#deadline);
  }

  resume(): void {
    if (!this.#paused || this.#done) return;
    this.#paused = false;
    this.#reader.resume();
    if (this.#scanner !== undefined) this.#awaitMarker();
  }

  /** Gives up on output that cannot be stored; `exited` follows when the program has ended. */
  abandon(): void {
    if (this.#status !== undefined) this.#finish();
  }

  #data(chunk: Buffer): void {
    if (this.#done) return;
    if (this.#scanner === undefined) {
      this.#sink.data(chunk);
      return;
    }
    const { output, found } = this.#scanner.push(chunk);
    if (output.length > 0) this.#sink.data(output);
    if (found) this.#finish();
    else if (this.#markerLeft !== undefined) this.#writeMarker();
  }

  #ended(end: PtyEnd): void {
    this.#status = statusOf(end);
    this.input.close();
    if (this.#reader.closed) {
      this.#finish();
      return;
    }
    // Upper-case hex passes every output mode of a terminal unchanged (even OLCUC), and is not to be guessed.
    const marker = Buffer.from(
      randomBytes(MARKER_LENGTH / 2)
        .toString('hex')
        .toUpperCase(),
    );
    this.#scanner = new MarkerScanner(marker);
    this.#markerLeft = marker;
    this.#sink.ending();
    if (!this.#paused) this.#awaitMarker();
  }

  #awaitMarker(): void {
    clearTimeout(this.#deadline);
    this.#deadline = setTimeout(() => this.#drainAndFinish(), DRAIN_LIMIT_MS);
    this.#writeMarker();
  }

  /** A full or stopped terminal takes it later, or in parts. */
  #writeMarker(): void {
    clearTimeout(this.#retry);
    if (this.#markerLeft === undefined || this.#done || this.#paused) return;
    try {
      const written = writeSync(this.#pty.slave, this.#markerLeft);
      this.#markerLeft = written === this.#markerLeft.length ? undefined : this.#markerLeft.subarray(written);
    } catch (error) {
      if (systemCode(error) !== 'EAGAIN') {
        this.#drainAndFinish();
        return;
      }
    }
    if (this.#markerLeft !== undefined) this.#retry = setTimeout(() => this.#writeMarker(), MARKER_RETRY_MS);
  }

  #drainAndFinish(): void {
    this.#reader.drain();
    if (!this.#done) this.#finish();
  }

  /** The terminal was hung up under us (vhangup): what could be read was read. */
  #broken(): void {
    if (this.#status !== undefined) this.#finish();
  }

  #finish(): void {
    if (this.#done || this.#status === undefined) return;
    this.#done = true;
    clearTimeout(this.#deadline);
    clearTimeout(this.#retry);
    const rest = this.#scanner?.flush();
    // Held back because the marker begins like this; when just so much of it was written, it is the marker.
    const ours = MARKER_LENGTH - (this.#markerLeft?.length ?? 0);
    if (rest !== undefined && rest.length > 0 && rest.length !== ours) this.#sink.data(rest);
    this.input.close();
    this.#reader.close();
    closeSync(this.#pty.slave);
    this.#sink.exited(this.#status);
  }
}

function statusOf(end: PtyEnd): ExitStatus {
  if (end === null) return { exit_code: null, signal: null };
  if (end.signal === 0) return { exit_code: end.code, signal: null };
  return { exit_code: null, signal: signalName(end.signal, constants.signals) };
}
