import { type ExitRecord, LogWriter, type PooledLog } from '@switchyard/store/log';
import { RecentInputs } from './domain/recent-inputs.js';
import { KeeperFault } from './fault.js';
import type { HandedProgram, HandedTerminal } from './handoff/record.js';
import type { KeeperLog } from './logger.js';
import { forkPty } from './native-pty.js';
import { OutputStore } from './output-store.js';
import { checkProgram, type Program } from './program.js';
import type { KeptTerminal } from './protocol.js';
import { type ExitStatus, PtyProcess, type PtySink, type PtySource } from './pty-process.js';
import { TerminalRecords } from './terminal-records.js';

export interface TerminalSettings {
  readonly logRoot: string;
  /** Of one log. */
  readonly budgetBytes: number;
  readonly inputQueueBytes: number;
}

/** What a terminal tells the keeper; called synchronously. */
export interface TerminalListener {
  output(surfaceId: string, offset: number): void;
  exited(surfaceId: string, exit: ExitRecord): void;
  blocked(surfaceId: string, reason: string | null): void;
  /** Its log has begun a further segment. */
  grown(): void;
}

export interface Size {
  readonly cols: number;
  readonly rows: number;
}

const NO_INPUT = { queued: 0, stalls: 0, overflows: 0, taken: 0 };

const inputFacts = ({ queued, stalls, overflows, taken }: PtyProcess['input']): KeptTerminal['input'] => ({
  queued,
  stalls,
  overflows,
  taken,
});

/** One surface's terminal: its log, its present program, and the rule when reading has to wait. */
export class Terminal {
  readonly surfaceId: string;
  readonly #inputQueueBytes: number;
  readonly #listener: TerminalListener;
  readonly #log: KeeperLog;
  readonly #writer: LogWriter;
  readonly #records: TerminalRecords;
  readonly #store: OutputStore;
  readonly #inputs = new RecentInputs();
  #size: Size;
  #pty: PtyProcess | undefined;
  #ending = false;
  /** How the program ended, while its last output is not stored yet. */
  #unreported: ExitStatus | undefined;
  #atExit: (() => void)[] = [];

  /** Opens the surface's log, or begins one; nothing runs yet. */
  constructor(surfaceId: string, settings: TerminalSettings, listener: TerminalListener, log: KeeperLog) {
    this.surfaceId = surfaceId;
    this.#inputQueueBytes = settings.inputQueueBytes;
    this.#listener = listener;
    this.#log = log;
    const { logRoot: root, budgetBytes } = settings;
    this.#writer = new LogWriter({ root, surfaceId, budgetBytes, onSegment: () => listener.grown() });
    this.#records = new TerminalRecords(this.#writer, log);
    this.#store = new OutputStore(this.#writer, log, {
      stored: (offset) => listener.output(surfaceId, offset),
      blocked: (reason) => listener.blocked(surfaceId, reason),
      changed: () => this.#readOrWait(),
    });
    const { cols, rows } = this.#records.meta ?? { cols: 0, rows: 0 };
    this.#size = { cols, rows };
  }

  /** As one of all that share a disk. */
  get pooled(): PooledLog {
    return this.#writer;
  }

  /** A program is running, or its last output is on the way. */
  get running(): boolean {
    return this.#pty !== undefined;
  }

  /** The program has ended; its last output is on the way. */
  get ending(): boolean {
    return this.#ending && this.#pty !== undefined;
  }

  get exit(): ExitRecord | null {
    return this.#records.exit ?? null;
  }

  /** The running program; null when none runs. */
  get process(): { readonly pid: number; readonly tty: string } | null {
    return this.#pty ?? null;
  }

  /** False for a folder in which a start never came to pass. */
  get everStarted(): boolean {
    return this.#records.meta !== undefined;
  }

  get size(): Size {
    return this.#size;
  }

  get offset(): number {
    return this.#writer.end;
  }

  describe(): KeptTerminal {
    const { meta, exit } = this.#records;
    const input = this.#pty?.input;
    return {
      surface_id: this.surfaceId,
      pid: meta?.pid ?? 0,
      tty: this.#pty?.tty ?? null,
      ...this.#size,
      offset: this.#writer.end,
      acked: this.#writer.acked,
      started_offset: meta?.started_offset ?? 0,
      argv: meta?.argv ?? [],
      cwd: meta?.cwd ?? '',
      input: input ? inputFacts(input) : NO_INPUT,
      exit: exit ?? null,
      ...(this.#store.waiting && { blocked: this.#writer.blocked ?? 'unknown' }),
    };
  }

  /**
   * Starts a program; its output goes on where the log ends.
   * @throws KeeperFault `directory_not_found`, `command_not_found`, `overloaded` (no terminal or process to be had)
   */
  start(program: Program, size: Size): void {
    checkProgram(program);
    const pty = this.#fork(program, size);
    this.#pty = pty;
    this.#ending = false;
    this.#size = size;
    this.#writer.journal('spawn', size.cols, size.rows);
    this.#records.started({
      surface_id: this.surfaceId,
      argv: program.argv,
      cwd: program.cwd,
      pid: pty.pid,
      started_at: Date.now(),
      started_offset: this.#writer.end,
      ...size,
    });
    this.#readOrWait();
  }

  /** @throws KeeperFault `terminal_exited`, `input_overflow` */
  input(data: Buffer, inputId: string | undefined): { bytes: number; queued: number; offset: number } {
    const { input } = this.#live();
    const before = inputId === undefined ? undefined : this.#inputs.find(inputId);
    if (before === undefined) {
      input.push(data);
      if (inputId !== undefined) this.#inputs.add(inputId, data.length);
    }
    return { bytes: before ?? data.length, queued: input.queued, offset: this.#writer.end };
  }

  /** @returns whether it is another size than before. @throws KeeperFault `terminal_exited` */
  resize(size: Size): boolean {
    const pty = this.#live();
    if (size.cols === this.#size.cols && size.rows === this.#size.rows) return false;
    pty.resize(size.cols, size.rows);
    this.#size = size;
    this.#writer.journal('resize', size.cols, size.rows);
    return true;
  }

  /** Followers have parsed up to `offset`. */
  ack(offset: number): void {
    this.#writer.ack(offset);
    this.#readOrWait();
  }

  /** Resolves after the last byte is stored and the exit is known; at once when nothing runs. */
  whenExited(): Promise<void> {
    if (this.#pty === undefined) return Promise.resolve();
    return new Promise((resolve) => this.#atExit.push(resolve));
  }

  /** The program is gone but its last output cannot be stored: go without it. */
  abandon(): void {
    const lost = this.#store.discard();
    if (lost > 0) this.#log.warn({ surface_id: this.surfaceId, bytes: lost }, 'closed with output that no disk took');
    this.#pty?.abandon();
    this.#readOrWait();
  }

  /** Why it cannot be handed over at this moment; undefined when it can. */
  get unsettled(): string | undefined {
    if (this.ending) return 'a program has just ended';
    if (this.#store.waiting || !this.#records.written || this.#writer.unwritten) return 'the disk takes no output';
    return undefined;
  }

  /** What of it is in no file. @param session members of its session so far */
  hand(session: HandedProgram['session'], closing: boolean): HandedTerminal {
    const pty = this.#pty;
    const program = pty && {
      pid: pty.pid,
      tty: pty.tty,
      ...pty.descriptors,
      input: pty.input.peek().toString('base64'),
      stalls: pty.input.stalls,
      overflows: pty.input.overflows,
      session,
      closing,
    };
    const { surfaceId: surface_id } = this;
    const { end: offset, acked } = this.#writer;
    return { surface_id, ...this.#size, offset, acked, inputs: this.#inputs.all, program: program ?? null };
  }

  /**
   * Takes over what another keeper of this process had. Nothing is read or typed before {@link resume}.
   * @throws KeeperFault `invalid_state` when its log is another one
   */
  adopt(handed: HandedTerminal, source: PtySource): void {
    if (handed.offset !== this.#writer.end) {
      const facts = { surface_id: this.surfaceId, handed: handed.offset, found: this.#writer.end };
      throw new KeeperFault('invalid_state', 'The log is not the one that was handed over.', facts);
    }
    this.#writer.ack(handed.acked);
    for (const [id, bytes] of handed.inputs) this.#inputs.add(id, bytes);
    if (handed.program === null) return;
    const { input, stalls, overflows } = handed.program;
    this.#size = { cols: handed.cols, rows: handed.rows };
    this.#pty = new PtyProcess(source, this.#inputQueueBytes, this.#sink(), true);
    this.#pty.input.inherit(Buffer.from(input, 'base64'), stalls, overflows);
  }

  /** An adopted terminal goes on. */
  resume(): void {
    this.#readOrWait();
    this.#pty?.input.go();
  }

  /** The keeper that owned this terminal died, and the terminal with it: the log says so from now on. */
  markLost(): void {
    // What the kernel sends when the owner of a terminal goes; the true status was the dead keeper's to collect.
    const signal = 'SIGHUP';
    this.#records.ended({ exit_code: null, signal, offset: this.#writer.end, at: Date.now(), reason: 'lost' });
  }

  /** Closes the log. A running program must have been ended before. */
  close(): void {
    this.#store.discard();
    this.#records.close();
    this.#writer.close();
  }

  #fork(program: Program, size: Size): PtyProcess {
    const fork: PtySource = (onEnd) =>
      forkPty({ ...program, ...size, onExit: (code, signal) => onEnd({ code, signal }) });
    try {
      return new PtyProcess(fork, this.#inputQueueBytes, this.#sink());
    } catch (error) {
      throw new KeeperFault('overloaded', `No terminal is to be had: ${String(error)}`);
    }
  }

  #sink(): PtySink {
    return {
      data: (chunk) => this.#store.store(chunk),
      ending: () => {
        this.#ending = true;
        this.#readOrWait();
      },
      exited: (status) => this.#exited(status),
    };
  }

  #live(): PtyProcess {
    if (this.#pty?.live === true) return this.#pty;
    const { exit_code = null, signal = null } = this.#records.exit ?? {};
    throw new KeeperFault('terminal_exited', 'The terminal has exited.', { exit_code, signal });
  }

  /**
   * Reads unless the disk is full, or nobody has parsed a whole budget: then the program waits instead of losing
   * output. The last output of an ended program is always taken: it is what the kernel holds and no more.
   */
  #readOrWait(): void {
    const full = this.#store.waiting;
    if (!full && this.#unreported !== undefined) this.#report(this.#unreported);
    else if (full || (this.#writer.unparsedBudget && !this.#ending)) this.#pty?.pause();
    else this.#pty?.resume();
  }

  #exited(status: ExitStatus): void {
    this.#unreported = status;
    this.#readOrWait();
  }

  #report(status: ExitStatus): void {
    const exit: ExitRecord = { ...status, offset: this.#writer.end, at: Date.now(), reason: 'exited' };
    this.#unreported = undefined;
    this.#pty = undefined;
    this.#records.ended(exit);
    this.#writer.close();
    this.#listener.exited(this.surfaceId, exit);
    for (const resolve of this.#atExit.splice(0)) resolve();
  }
}
