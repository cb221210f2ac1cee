import { EventEmitter, once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '@switchyard/bus';
import { reap } from '@switchyard/service/exec';
import { signalProcess } from '@switchyard/service/signal';
import type { Launch, Launched } from './adapters/launch.js';
import { isRunning, startTimeOf } from './adapters/process-info.js';
import type { Installation, InstallationFacts } from './domain/installation.js';
import { type ProcessSpec, speaksOnBus } from './domain/process-plan.js';
import { afterCrash, type CrashHistory, countedCrashes } from './domain/restart-policy.js';
import { Successor, SuccessorError } from './successor.js';

/** What {@link ManagedProcess} can be in; see `yard.status` in the contract. */
export type ProcessState = 'starting' | 'ready' | 'draining' | 'stopped' | 'backoff' | 'failed';

/** What another supervisor needs to take a process over. */
export interface ProcessRecord {
  readonly name: string;
  readonly pid: number;
  readonly start_time: string;
  /** Unix milliseconds. */
  readonly started_at: number;
  readonly restarts: number;
  /** Into how many parts the surfaces were split when it was started. */
  readonly shards: number;
  /** Of the installation it runs from; a supervisor of an older version did not write it. */
  readonly version?: string | undefined;
  /** Folder of that installation. */
  readonly root?: string | undefined;
  /** Major version of what processes say to each other there; supervisors that did not write it were of the first. */
  readonly bus_protocol?: number | undefined;
}

const FIRST_BUS_PROTOCOL = 1;

export interface ManagedProcessDeps {
  readonly launch: Launch;
  readonly log: Log;
  /** Whether its successor can stand by; otherwise that is started only when it has gone. */
  readonly standsBy: boolean;
  /** How long a process told to end may take before it is killed. */
  readonly stopMs: number;
  /** What is launched is of this installation. */
  readonly installation: InstallationFacts;
}

/**
 * How often a process is looked at that is not our child and has no lifeline to us: at once after it lost one, since it
 * most likely ended, then less and less. A nats-server that was taken over never has one.
 */
const FIRST_WATCH_MS = 10;
const WATCH_MS = 1_000;
/** How often while it is ending: its successor waits, and so do the requests of all. A look costs 30 µs. */
const GONE_LOOK_MS = 5;
/** A killed process is gone as soon as the system has freed its memory. */
const KILL_MS = 5_000;

const NOTHING_KNOWN = { readyAt: undefined, version: undefined, root: undefined, busProtocol: undefined };

/** It has ended, or could not be started, although it is wanted. */
export interface Crash {
  /** undefined when it could not be started. */
  readonly pid: number | undefined;
  /** Together with the pid the name of this run, for ever. */
  readonly startTime: string;
  readonly how: string;
  /** Those that count at present. */
  readonly crashes: number;
  readonly failed: boolean;
  readonly retryMs: number;
}

/** It has been started again. */
export interface Restart {
  readonly pid: number;
  readonly startTime: string;
  readonly reason: 'crashed' | 'asked';
  readonly restarts: number;
}

/** One run of the program. */
interface Run {
  readonly pid: number;
  readonly startTime: string;
  readonly startedAt: number;
  readonly ended: AbortController;
  /** Not our child: the system does not tell us of its end. */
  readonly adopted: boolean;
  /** Its lifeline tells instead, once it has found us. */
  hasLifeline: boolean;
  readyAt: number | undefined;
  version: string | undefined;
  root: string | undefined;
  busProtocol: number | undefined;
}

/**
 * One process of the yard: starts it, learns of its end, starts it again, stops it. Emits `change` after each change of
 * state or pid, `crash` when it ended unasked, and `restart` when it was started again.
 */
export class ManagedProcess extends EventEmitter<{ change: []; crash: [Crash]; restart: [Restart] }> {
  readonly spec: ProcessSpec;
  readonly #deps: ManagedProcessDeps;
  #state: ProcessState = 'stopped';
  #run: Run | undefined;
  #wanted = false;
  #retired = false;
  #restarts = 0;
  #crashes: CrashHistory = [];
  #retry: NodeJS.Timeout | undefined;
  #successor: Successor | undefined;
  #restarting: Promise<boolean> | undefined;

  constructor(spec: ProcessSpec, deps: ManagedProcessDeps) {
    super();
    this.spec = spec;
    this.#deps = deps;
  }

  get state(): ProcessState {
    return this.#state;
  }

  get pid(): number | undefined {
    return this.#run?.pid;
  }

  get restarts(): number {
    return this.#restarts;
  }

  /** Ends of its own that count at present. */
  get crashes(): number {
    return countedCrashes(this.#crashes, Date.now());
  }

  /** Of the installation it runs from, as far as it is known. */
  get version(): string | undefined {
    return this.#run?.version;
  }

  /** Folder of that installation. */
  get root(): string | undefined {
    return this.#run?.root;
  }

  /** Milliseconds since the run began; 0 while there is none. */
  get uptimeMs(): number {
    return this.#run === undefined ? 0 : Date.now() - this.#run.startedAt;
  }

  get record(): ProcessRecord | undefined {
    if (this.#run === undefined) return undefined;
    const { pid, startTime, startedAt, version, root, busProtocol: bus_protocol } = this.#run;
    const { name, shards } = this.spec;
    const facts = { start_time: startTime, started_at: startedAt, restarts: this.#restarts, shards };
    return { name, pid, ...facts, version, root, bus_protocol };
  }

  /** Starts it and from now on keeps it running; no more once it is retired. */
  start(): void {
    // A restart that is under way starts it; until then its end is no crash.
    if (this.#retired || this.#restarting !== undefined) return;
    this.#begun();
  }

  #begun(): void {
    this.#wanted = true;
    if (this.#run === undefined) this.#launch();
  }

  /**
   * Takes over a process that an earlier supervisor started. It counts as ready: it has been running, and says so itself
   * as soon as its lifeline has found us.
   *
   * @returns false when that process is gone, or was started for another split of the surfaces, or the others would not
   *   understand it: then it has no place in this yard
   */
  adopt(record: ProcessRecord): boolean {
    if (record.shards !== this.spec.shards || !isRunning(record.pid, record.start_time)) return false;
    const busProtocol = record.bus_protocol ?? FIRST_BUS_PROTOCOL;
    if (speaksOnBus(this.spec) && busProtocol !== this.#deps.installation.bus_protocol) return false;
    this.#wanted = true;
    this.#restarts = record.restarts;
    const run = this.#begin(record.pid, record.start_time, record.started_at, true);
    run.readyAt = Date.now();
    run.version = record.version;
    run.root = record.root;
    run.busProtocol = busProtocol;
    this.#become('ready');
    void this.#watch(run);
    return true;
  }

  /** The process itself tells its state. @returns false when it is not the process we started */
  hello(pid: number, state: 'starting' | 'ready' | 'draining' | 'stopped', version?: string): boolean {
    if (this.#run?.pid !== pid) return false;
    this.#run.hasLifeline = true;
    this.#run.version = version ?? this.#run.version;
    if (state === 'ready') this.#run.readyAt ??= Date.now();
    this.#become(state);
    return true;
  }

  /** The process that is to replace this one stands by. @returns when its turn has come; false when it will not */
  async successorStands(pid: number): Promise<boolean> {
    return this.#successor?.launched.pid === pid && this.#successor.hello();
  }

  /** The program of another installation goes on in the same process. */
  replacedInPlace({ version, folder }: Installation): void {
    if (this.#run === undefined) return;
    this.#run.version = version;
    this.#run.root = folder;
    this.emit('change');
  }

  /** Its lifeline closed. Of a child of ours the system tells the end as well; of an adopted one this is the news. */
  lifelineClosed(pid: number): void {
    const run = this.#run;
    if (run?.pid !== pid) return;
    run.hasLifeline = false;
    if (run.adopted) void this.#watch(run);
  }

  /**
   * Tells it to end, waits, and kills it if it does not. It is not started again.
   *
   * @param signal what to begin with; `SIGKILL` skips the waiting
   */
  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
    this.#wanted = false;
    clearTimeout(this.#retry);
    const run = this.#run;
    if (run === undefined) return this.#become('stopped');
    this.#become('draining');
    this.#signal(run, signal);
    if (await this.#gone(run, this.#deps.stopMs)) return;
    this.#deps.log.warn({ process: this.spec.name, pid: run.pid }, 'did not end in time; killing it');
    this.#signal(run, 'SIGKILL');
    if (!(await this.#gone(run, KILL_MS))) throw new Error(`${this.spec.name} (pid ${run.pid}) cannot be killed`);
  }

  /** {@link stop} for good: also a restart that is under way does not start it again. */
  async retire(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    this.#retired = true;
    await Promise.all([this.withdrawSuccessor(), this.stop(signal)]);
  }

  /**
   * Replaces it by a new run, which is loaded before this one is told to end; resolves when that is ready or the time is
   * over. One restart at a time: a second wish is met by the first.
   *
   * @throws SuccessorError when the new one does not come as far as that: this one goes on
   */
  restart(readyWithinMs: number): Promise<boolean> {
    this.#restarting ??= this.#restart(readyWithinMs).finally(() => {
      this.#restarting = undefined;
    });
    return this.#restarting;
  }

  /** Ends what is only being prepared, for whoever cannot wait for it. */
  async withdrawSuccessor(): Promise<void> {
    const successor = this.#successor;
    this.#successor = undefined;
    await successor?.withdraw();
  }

  async #restart(readyWithinMs: number): Promise<boolean> {
    // One that does not work needs another soon, not an orderly change.
    if (this.#deps.standsBy && this.#state === 'ready' && !this.#retired) await this.#prepare(readyWithinMs);
    try {
      await this.stop();
    } catch (error) {
      await this.withdrawSuccessor();
      throw error;
    }
    this.#restarts++;
    this.#crashes = [];
    if (!this.#takeOver() && !this.#retired) this.#begun();
    this.#tellRestart('asked');
    return this.untilReady(readyWithinMs);
  }

  async #prepare(withinMs: number): Promise<void> {
    const why = await this.#standIn(withinMs).catch((error: Error) => error.message);
    if (why === undefined) return;
    await this.withdrawSuccessor();
    throw new SuccessorError(
      `${this.spec.name} goes on: what was to replace it did not come up (${why}); see its log.`,
    );
  }

  async #standIn(withinMs: number): Promise<string | undefined> {
    this.#successor = new Successor(this.#deps.launch(this.spec, true));
    return this.#successor.untilStanding(withinMs);
  }

  /** @returns false when there is none that stands by (any more) */
  #takeOver(): boolean {
    const successor = this.#successor;
    if (successor === undefined || this.#retired) return false;
    this.#successor = undefined;
    this.#wanted = true;
    this.#become('starting');
    this.#follow(successor.launched, successor.startTime, successor.startedAt);
    successor.takeOver();
    return true;
  }

  /** Has a program that reads its configuration anew on SIGHUP do so. */
  hangUp(): void {
    if (this.#run !== undefined) this.#signal(this.#run, 'SIGHUP');
  }

  /** Ends it at once, while {@link stop} waits. */
  kill(): void {
    if (this.#run !== undefined) this.#signal(this.#run, 'SIGKILL');
  }

  /** @returns whether it became ready within the time; false also when it failed, or `aborted` fires first */
  async untilReady(withinMs: number, aborted?: AbortSignal): Promise<boolean> {
    const timeout = AbortSignal.timeout(withinMs);
    const signal = aborted === undefined ? timeout : AbortSignal.any([timeout, aborted]);
    while (this.#state !== 'ready') {
      if (signal.aborted || this.#state === 'failed') return false;
      await once(this, 'change', { signal }).catch(() => undefined);
    }
    return true;
  }

  #launch(): void {
    clearTimeout(this.#retry);
    this.#become('starting');
    let launched: Launched;
    try {
      launched = this.#deps.launch(this.spec);
    } catch (error) {
      this.#crashed(`cannot be started: ${error instanceof Error ? error.message : String(error)}`, 0, undefined);
      this.emit('change');
      return;
    }
    this.#follow(launched, startTimeOf(launched.pid) ?? '', Date.now());
  }

  #follow(launched: Launched, startTime: string, startedAt: number): void {
    const run = this.#begin(launched.pid, startTime, startedAt, false);
    run.version = this.#deps.installation.version;
    run.root = this.#deps.installation.folder;
    run.busProtocol = this.#deps.installation.bus_protocol;
    void launched.exited.then((how) => this.#ended(run, how));
    void launched.ready?.(run.ended.signal).then((ready) => {
      if (ready) this.hello(run.pid, 'ready');
    });
    this.emit('change');
  }

  #begin(pid: number, startTime: string, startedAt: number, adopted: boolean): Run {
    const ended = new AbortController();
    const run: Run = { pid, startTime, startedAt, ended, adopted, hasLifeline: false, ...NOTHING_KNOWN };
    this.#run = run;
    return run;
  }

  #ended(run: Run, how: string): void {
    if (this.#run !== run) return;
    this.#run = undefined;
    // A child of the program that was replaced by this one is ours all the same, and Node does not know it.
    if (run.adopted) reap(run.pid);
    run.ended.abort();
    if (this.#wanted) this.#crashed(how, run.readyAt === undefined ? 0 : Date.now() - run.readyAt, run);
    else this.#state = 'stopped';
    this.emit('change');
  }

  #crashed(how: string, readyForMs: number, run: Run | undefined): void {
    const { history, delayMs, failed } = afterCrash(this.#crashes, Date.now(), readyForMs);
    this.#crashes = history;
    const facts = { process: this.spec.name, how, crashes: history.length, retry_ms: delayMs };
    this.#deps.log.warn(facts, failed ? 'ends again and again' : 'ended; starting it again');
    this.#state = failed ? 'failed' : 'backoff';
    this.#retry = setTimeout(() => {
      this.#restarts++;
      this.#launch();
      this.#tellRestart('crashed');
    }, delayMs);
    const { pid, startTime = '' } = run ?? { pid: undefined };
    this.emit('crash', { pid, startTime, how, crashes: history.length, failed, retryMs: delayMs });
  }

  /** Nothing to tell when it could not be started: that was told as a crash. */
  #tellRestart(reason: Restart['reason']): void {
    if (this.#run === undefined) return;
    const { pid, startTime } = this.#run;
    this.emit('restart', { pid, startTime, reason, restarts: this.#restarts });
  }

  /** Looks at a process that is nobody's child of ours, until it ends or has a lifeline. */
  async #watch(run: Run): Promise<void> {
    const { signal } = run.ended;
    for (let pause = FIRST_WATCH_MS; !signal.aborted && !run.hasLifeline; pause = Math.min(pause * 2, WATCH_MS)) {
      if (!isRunning(run.pid, run.startTime)) return this.#ended(run, 'gone');
      await delay(pause, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  async #gone(run: Run, withinMs: number): Promise<boolean> {
    const end = performance.now() + withinMs;
    while (!run.ended.signal.aborted && performance.now() < end) {
      await delay(GONE_LOOK_MS, undefined, { signal: run.ended.signal }).catch(() => undefined);
      // Of a child of ours the system tells; an adopted process has to be looked for.
      if (!isRunning(run.pid, run.startTime)) this.#ended(run, 'gone');
    }
    return run.ended.signal.aborted;
  }

  #signal(run: Run, signal: NodeJS.Signals): void {
    signalProcess({ pid: run.pid, isSame: () => isRunning(run.pid, run.startTime) }, signal);
  }

  #become(state: ProcessState): void {
    if (this.#state === state) return;
    this.#state = state;
    this.emit('change');
  }
}
