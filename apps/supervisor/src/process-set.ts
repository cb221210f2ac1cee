import type { Log } from '@switchyard/bus';
import type { Launch } from './adapters/launch.js';
import type { InstallationFacts } from './domain/installation.js';
import { type ProcessSpec, startOrder, stopOrder } from './domain/process-plan.js';
import { type Crash, ManagedProcess, type ProcessRecord, type Restart } from './managed-process.js';

/** Services finish what is in flight (5 s) before they end. */
const STOP_MS = 8_000;
/** The keeper ends its terminals first: hang-up, TERM and KILL take up to 2.5 s, for all of them at the same time. */
const KEEPER_STOP_MS = 20_000;
/** Until the next group is started anyway: what is late says so in the status, and may recover. */
const GROUP_READY_MS = 15_000;

export interface ProcessSetDeps {
  readonly launch: Launch;
  readonly log: Log;
  readonly installation: InstallationFacts;
  readonly standsBy: (spec: ProcessSpec) => boolean;
  /** Told after each change of a state or pid. */
  readonly changed: () => void;
  readonly crashed: (spec: ProcessSpec, crash: Crash) => void;
  readonly restarted: (spec: ProcessSpec, restart: Restart) => void;
}

/** All processes of a yard, in the order in which they start and stop. */
export class ProcessSet {
  readonly all: readonly ManagedProcess[];
  readonly #log: Log;

  constructor(specs: readonly ProcessSpec[], deps: ProcessSetDeps) {
    this.#log = deps.log;
    this.all = specs.map((spec) => {
      const stopMs = spec.service === 'keeper' ? KEEPER_STOP_MS : STOP_MS;
      const process = new ManagedProcess(spec, {
        launch: deps.launch,
        log: deps.log,
        stopMs,
        standsBy: deps.standsBy(spec),
        installation: deps.installation,
      });
      process.on('change', () => {
        deps.log.debug({ process: spec.name, state: process.state, pid: process.pid }, 'process changed');
        deps.changed();
      });
      process.on('crash', (crash) => deps.crashed(spec, crash));
      process.on('restart', (restart) => deps.restarted(spec, restart));
      return process;
    });
  }

  get records(): ProcessRecord[] {
    return this.all.flatMap((process) => process.record ?? []);
  }

  byName(name: string): ManagedProcess | undefined {
    return this.all.find(({ spec }) => spec.name === name);
  }

  /** One process by its name, or all of a kind. */
  matching(nameOrKind: string): ManagedProcess[] {
    const named = this.byName(nameOrKind);
    const kind = this.all.filter(({ spec }) => spec.service === nameOrKind);
    return kind.length > 1 || named === undefined ? kind : [named];
  }

  /** Takes over what still runs. @returns the names of those taken */
  adopt(records: readonly ProcessRecord[]): string[] {
    return records.filter((record) => this.byName(record.name)?.adopt(record)).map(({ name }) => name);
  }

  /** Starts what does not run yet, group by group. @returns the names of those that were not ready in time */
  async start(aborted: AbortSignal): Promise<string[]> {
    const late: string[] = [];
    for (const group of startOrder(this.#bySpec())) {
      if (aborted.aborted) return late;
      for (const { process } of group) process.start();
      const ready = await Promise.all(group.map(({ process }) => process.untilReady(GROUP_READY_MS, aborted)));
      late.push(...group.filter((_, index) => !ready[index]).map(({ process }) => process.spec.name));
    }
    return late;
  }

  /** Ends what only stands by: whoever replaces this program could not answer it. */
  async withdrawSuccessors(): Promise<void> {
    await Promise.all(this.all.map((process) => process.withdrawSuccessor()));
  }

  /**
   * Stops everything in order.
   *
   * @param forced when it fires, whatever still runs is killed, except the keeper: it must end its terminals
   */
  async stop(forced: AbortSignal): Promise<void> {
    for (const group of stopOrder(this.#bySpec())) {
      await Promise.all(group.map(({ process }) => this.#stopOne(process, forced)));
    }
  }

  async #stopOne(managed: ManagedProcess, forced: AbortSignal): Promise<void> {
    const kill = () => managed.kill();
    const killable = managed.spec.service !== 'keeper';
    if (killable) forced.addEventListener('abort', kill, { once: true });
    try {
      await managed.retire(killable && forced.aborted ? 'SIGKILL' : 'SIGTERM');
    } catch (error) {
      this.#log.error({ process: managed.spec.name, err: error }, 'could not be stopped');
    } finally {
      forced.removeEventListener('abort', kill);
    }
  }

  #bySpec(): { service: ProcessSpec['service']; process: ManagedProcess }[] {
    return this.all.map((process) => ({ service: process.spec.service, process }));
  }
}
