import { readFile } from 'node:fs/promises';
import type { SwitchyardError } from '@switchyard/protocol';
import type { Log } from '@switchyard/service';
import type { Id, SurfaceRecord } from './domain/entities.js';
import { surfaceTitle } from './domain/titles.js';
import { writeWhole } from './durable-file.js';
import type { Terminals } from './terminals.js';
import type { YardState } from './yard-state.js';

/** A shell that is of no use ends within this: a broken start file, a shell that is not installed. */
const SETTLED_MS = 1500;
/** What failed is told one by one up to so many; beyond, only counted. */
const MOST_TOLD = 256;

/** `start`: what every start of the service finds; `recovery`: the database was lost, and a generation took its place. */
export type RestoreKind = 'start' | 'recovery' | 'restore' | 'rollback';

export interface RestoreProblem {
  readonly surfaceId: Id;
  readonly title: string;
  /** `ended`: its program is not started by itself; `failed`: its shell could not be started, or ended at once. */
  readonly outcome: 'ended' | 'failed';
  readonly reason: string;
}

/** What became of the last restore. */
export interface RestoreReport {
  readonly kind: RestoreKind;
  /** The generation that was restored; null: what the database held. */
  readonly source: string | null;
  /** The generation that holds what was there before; it is kept until the restore is confirmed. */
  readonly before: string | null;
  /** Unix milliseconds. */
  readonly startedAt: number;
  /** How many starts of the service it took. */
  readonly attempts: number;
  /** When every terminal of it was seen to run or not to; null: that is not known yet. */
  readonly confirmedAt: number | null;
  readonly running: number;
  readonly problems: readonly RestoreProblem[];
  readonly problemCount: number;
}

export interface RestoreParts {
  readonly state: YardState;
  readonly terminals: Terminals;
  /** Where the report is kept. */
  readonly path: string;
  /** Addresses of the pty-hosts. */
  readonly addresses: readonly string[];
  readonly log: Log;
}

/**
 * Sees a restore through: until every terminal is known to run or not to, nothing that it brought leaves the tree by
 * itself, and the generation before it is kept (bug case E2).
 */
export class Restores {
  readonly #parts: RestoreParts;
  readonly #held = new Set<Id>();
  #members: ReadonlySet<Id> = new Set();
  readonly #failures = new Map<Id, SwitchyardError>();
  readonly #stop = new AbortController();
  #last: RestoreReport | null = null;
  #round = 0;

  constructor(parts: RestoreParts) {
    this.#parts = parts;
  }

  get last(): RestoreReport | null {
    return this.#last;
  }

  /** The generation that must not be removed. */
  get spared(): string | null {
    return this.#last?.confirmedAt === null ? this.#last.before : null;
  }

  /** Reads what an earlier run of the service left. */
  async load(): Promise<void> {
    try {
      this.#last = JSON.parse(await readFile(this.#parts.path, 'utf8')) as RestoreReport;
    } catch (error) {
      const isNew = (error as NodeJS.ErrnoException).code === 'ENOENT';
      if (!isNew) this.#parts.log.warn({ err: error }, 'the report of the last restore could not be read');
    }
  }

  /**
   * A restore begins, or goes on that was cut off: that keeps its kind and what was there before it.
   *
   * @param members the surfaces that it is about
   */
  async begin(kind: RestoreKind, source: string | null, before: string | null, members: Iterable<Id>): Promise<void> {
    this.#members = new Set(members);
    const cutOff = kind === 'start' && this.#last?.confirmedAt === null ? this.#last : null;
    const fresh = { kind, source, before, startedAt: this.#parts.state.model.now(), attempts: 0 };
    const { attempts, ...head } = cutOff ?? fresh;
    await this.#save({
      ...head,
      attempts: attempts + 1,
      confirmedAt: null,
      running: 0,
      problems: [],
      problemCount: 0,
    });
  }

  /** A program is about to be started again. Does nothing if that is not part of a restore. */
  hold(id: Id): void {
    if (this.#last?.confirmedAt === null && this.#members.has(id)) this.#held.add(id);
  }

  /** The surface stays, whatever becomes of its program. */
  isHeld(id: Id): boolean {
    return this.#held.has(id);
  }

  noteFailure(id: Id, error: SwitchyardError): void {
    if (this.#held.has(id)) this.#failures.set(id, error);
  }

  /** Once every pty-host has been compared with the model and all programs are started: says what became of it. */
  confirmInBackground(): void {
    const round = ++this.#round;
    this.#confirm(round).catch((error: unknown) => {
      this.#parts.log.error({ err: error }, 'what became of a restore could not be stored');
    });
  }

  stop(): void {
    this.#stop.abort();
  }

  async #confirm(round: number): Promise<void> {
    const { terminals, addresses, state } = this.#parts;
    if (!(await terminals.whenAllReady(addresses, this.#stop.signal))) return;
    for (const { id } of [...state.model.surfaces.values()]) await terminals.opened(id);
    if (this.#held.size > 0) await this.#pause(SETTLED_MS);
    // A later restore says what became of both.
    const restore = this.#last;
    if (this.#stop.signal.aborted || round !== this.#round || restore === null) return;
    const report = this.#reportOn(restore);
    // Not said before it is on disk: the next start, too, must know that the generation before it need not be spared.
    await writeWhole(this.#parts.path, JSON.stringify(report));
    if (this.#last !== restore) return;
    this.#last = report;
    this.#held.clear();
    this.#failures.clear();
    if (report.problemCount > 0) {
      this.#parts.log.warn({ report }, 'not everything of the last yard runs again');
    }
  }

  #reportOn(restore: RestoreReport): RestoreReport {
    const { model } = this.#parts.state;
    const terminals = [...model.surfaces.values()].filter(({ type }) => type === 'terminal');
    const problems = terminals.filter(({ exit }) => exit !== null).map((surface) => this.#problemOf(surface));
    return {
      ...restore,
      confirmedAt: model.now(),
      running: terminals.length - problems.length,
      problems: problems.slice(0, MOST_TOLD),
      problemCount: problems.length,
    };
  }

  #problemOf(surface: SurfaceRecord): RestoreProblem {
    const { id, exit } = surface;
    const head = { surfaceId: id, title: surfaceTitle(surface) };
    const failure = this.#failures.get(id);
    if (failure !== undefined) return { ...head, outcome: 'failed', reason: `${failure.code}: ${failure.message}` };
    if (this.#held.has(id)) {
      return {
        ...head,
        outcome: 'failed',
        reason: `it ended at once (${exit?.signal ?? exit?.exit_code ?? 'unknown'})`,
      };
    }
    const isShell = surface.launch.argv === null;
    const itself = isShell ? 'its shell had ended before' : 'its program had ended before';
    const reason = surface.stopped ? 'it ended with the yard, and is not started again by itself' : itself;
    return { ...head, outcome: 'ended', reason };
  }

  async #save(report: RestoreReport): Promise<void> {
    this.#last = report;
    await writeWhole(this.#parts.path, JSON.stringify(report));
  }

  #pause(ms: number): Promise<void> {
    const { signal } = this.#stop;
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      timer.unref();
      signal.addEventListener('abort', end, { once: true });
    });
  }
}
