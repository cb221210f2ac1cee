import { shardOf } from '@switchyard/config';
import { SwitchyardError } from '@switchyard/protocol';
import type { FollowerPort } from './announcer.js';
import { Follower } from './follower.js';
import { GiveBack } from './give-back.js';
import type { KeeperEvent, KeptTerminal } from './keeper/index.js';
import type { LogStorage } from './log-storage.js';
import { PatternSearch } from './pattern-search.js';
import { Pump } from './pump.js';
import type { SignalOutbox } from './signal-outbox.js';
import { Slumber } from './slumber.js';
import { Waits } from './waits.js';

export interface SurfacesOptions {
  readonly shard: number;
  readonly shards: number;
  readonly logRoot: string;
  readonly scrollback: number;
  readonly checkpointBytes: number;
  readonly budgetBytes: number;
  readonly hibernateAfterMs: number;
  readonly awakeBudgetBytes: number;
  readonly port: FollowerPort;
  readonly signals: Pick<SignalOutbox, 'add' | 'waiting'>;
  /** Told of terminals whose output the disk does not take. */
  readonly storage: Pick<LogStorage, 'refused' | 'ok'>;
  /** The terminal was forgotten. */
  readonly onDrop: (surfaceId: string) => void;
}

/** How many surfaces save their screens at once when the process stops. */
const STOPPING_AT_ONCE = 8;

/** The terminals that this pty-host follows: its shard of those of the keeper. */
export class Surfaces {
  readonly #options: SurfacesOptions;
  readonly #followers = new Map<string, Follower>();
  readonly #search = new PatternSearch();
  readonly #pump: Pump;
  readonly #giveBack = new GiveBack();
  readonly #slumber: Slumber;
  #held: KeeperEvent[] | undefined;

  constructor(options: SurfacesOptions) {
    this.#options = options;
    this.#pump = new Pump((job, error) => {
      options.port.fault(job.surfaceId ?? '', job instanceof Follower ? 'follower' : 'packing', error);
    });
    this.#slumber = new Slumber({
      afterMs: options.hibernateAfterMs,
      budgetBytes: options.awakeBudgetBytes,
      pump: this.#pump,
      onFreed: (bytes) => this.#giveBack.freed(bytes),
    });
  }

  get all(): Follower[] {
    return [...this.#followers.values()];
  }

  /** How many screens are packed, and what those take that are not. */
  get rest(): { readonly asleep: number; readonly awakeBytes: number } {
    return this.#slumber;
  }

  isOurs(surfaceId: string): boolean {
    return shardOf(surfaceId, this.#options.shards) === this.#options.shard;
  }

  find(surfaceId: string): Follower | undefined {
    return this.#followers.get(surfaceId);
  }

  /** @throws SwitchyardError `not_found` */
  get(surfaceId: string): Follower {
    const follower = this.#followers.get(surfaceId);
    if (follower === undefined) throw gone(surfaceId);
    return follower;
  }

  /** The keeper is being asked what it has: events that come before its answer is taken in have to wait. */
  hold(): void {
    this.#held = [];
  }

  /** What the keeper has, after each (re)connection: the truth, from which the events then go on. */
  reconcile(terminals: readonly KeptTerminal[]): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    const listed = new Set(terminals.map((terminal) => terminal.surface_id));
    for (const surfaceId of this.#followers.keys()) if (!listed.has(surfaceId)) this.#drop(surfaceId);
    for (const terminal of terminals) this.#upsert(terminal);
    for (const event of held) this.apply(event);
  }

  apply(event: KeeperEvent): void {
    if (this.#held === undefined) this.#apply(event);
    else this.#held.push(event);
  }

  #apply(event: KeeperEvent): void {
    switch (event.ev) {
      case 'output':
        for (const surfaceId of Object.keys(event.at)) this.#followers.get(surfaceId)?.grown();
        break;
      case 'spawned':
        this.#upsert(event.terminal);
        break;
      case 'resized':
        this.#followers.get(event.surface_id)?.resized(event.cols, event.rows, event.offset);
        break;
      case 'exit':
        this.#followers.get(event.surface_id)?.exited(event.exit);
        break;
      case 'forgotten':
        this.#drop(event.surface_id);
        break;
      case 'blocked':
        this.#blocked(event.surface_id, event.reason);
        break;
      case 'handoff':
        break; // of the connection, which the client makes anew
    }
  }

  #blocked(surfaceId: string, reason: string | null): void {
    if (reason === null) this.#options.storage.ok(surfaceId);
    else this.#options.storage.refused(surfaceId, reason);
  }

  #upsert(kept: KeptTerminal): void {
    this.#blocked(kept.surface_id, kept.blocked ?? null);
    const known = this.#followers.get(kept.surface_id);
    if (known !== undefined) {
      known.update(kept);
      return;
    }
    const { logRoot, scrollback, checkpointBytes, budgetBytes, port, signals } = this.#options;
    const waits = new Waits(this.#search);
    const slumber = this.#slumber;
    const common = {
      slumber,
      logRoot,
      scrollback,
      checkpointBytes,
      budgetBytes,
      port,
      signals,
      pump: this.#pump,
      waits,
    };
    this.#followers.set(kept.surface_id, new Follower({ kept, ...common }));
  }

  #drop(surfaceId: string): void {
    this.#followers.get(surfaceId)?.close(gone(surfaceId));
    this.#followers.delete(surfaceId);
    this.#options.storage.ok(surfaceId);
    this.#options.onDrop(surfaceId);
  }

  /** Saves all screens and lets go of them. */
  async stop(): Promise<void> {
    await this.#someAtOnce((follower) => follower.stop());
    this.#followers.clear();
    this.#slumber.close();
    this.#giveBack.close();
  }

  /** Saves all screens, or as many as the time is enough for, and goes on: what is saved now need not be at the end. */
  async save(withinMs: number): Promise<void> {
    const end = performance.now() + withinMs;
    await this.#someAtOnce(async (follower) => {
      if (performance.now() < end) await follower.save();
    });
  }

  async #someAtOnce(work: (follower: Follower) => Promise<void>): Promise<void> {
    const followers = this.all.values();
    const worker = async () => {
      for (const follower of followers) await work(follower);
    };
    await Promise.all(Array.from({ length: STOPPING_AT_ONCE }, worker));
  }
}

function gone(surfaceId: string): SwitchyardError {
  return new SwitchyardError('not_found', 'There is no terminal for this surface.', { surface_id: surfaceId });
}
