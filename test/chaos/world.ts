import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isAlive, processFacts, type Yard } from '@switchyard/testing';
import { type Random, randomOf } from '../fuzz/random.mjs';
import { Door } from './door.js';
import type { Ledger } from './ledger.js';
import type { Tamper } from './tamper.js';

/** One part of the workload: it works until it is told to end, and then says whether all is as it must be. */
export interface Actor {
  readonly name: string;
  /** Before anything is broken. */
  open(): Promise<void>;
  /** Finishes what it has begun once `until` fires. */
  run(until: AbortSignal): Promise<void>;
  /** Once the yard is whole again. */
  finish(): Promise<void>;
  close(): Promise<void>;
}

/** A program that must live as long as the yard. */
interface Program {
  readonly what: string;
  readonly pid: number;
  readonly startTicks: number;
}

/** An event that must be in the journal exactly once. */
export interface ExpectedEvent {
  readonly kind: string;
  /** Members of the event, or of its data. */
  readonly members: Readonly<Record<string, unknown>>;
}

/** What the parts of the workload share. */
export class World {
  readonly yard: Yard;
  readonly ledger: Ledger;
  readonly tamper: Tamper;
  /** Surfaces that must be there at the end, by workspace. */
  readonly tree = new Map<string, Set<string>>();
  readonly events: ExpectedEvent[] = [];
  readonly #seed: number;
  readonly #programs: Program[] = [];
  #actors = 0;

  constructor(yard: Yard, ledger: Ledger, tamper: Tamper, seed: number) {
    this.yard = yard;
    this.ledger = ledger;
    this.tamper = tamper;
    this.#seed = seed;
  }

  door(): Door {
    return new Door(this.yard.paths.gatewaySocket, this.ledger, this.tamper);
  }

  /** Each part has its own, so that none depends on how fast another is. */
  random(): Random {
    return randomOf(this.#seed * 1000 + ++this.#actors);
  }

  fifo(name: string): string {
    const path = join(this.yard.dir, `${name}.fifo`);
    execFileSync('mkfifo', ['-m', '600', path]);
    return path;
  }

  /** Starts a program in a workspace of its own and waits for its `READY <pid>;`. */
  async start(door: Door, title: string, argv: string[]): Promise<{ surface_id: string; pid: number; offset: number }> {
    const { workspace_id, surface_id } = await door.surely('workspace.create', { title, argv });
    this.tree.set(workspace_id, new Set([surface_id]));
    const ready = await door.surely('surface.wait', { surface_id, pattern: 'READY \\d+;' });
    const pid = Number(ready.match?.slice('READY '.length, -1));
    this.mustLive(title, pid);
    const { next_offset: offset } = await door.surely('surface.read_output', { surface_id, offset: 0 });
    return { surface_id, pid, offset };
  }

  mustLive(what: string, pid: number): void {
    this.#programs.push({ what, pid, startTicks: processFacts(pid)?.startTicks ?? -1 });
  }

  checkPrograms(): void {
    const [first] = this.#programs;
    if (first !== undefined && this.tamper.takes('process')) this.#programs.push({ ...first, startTicks: -1 });
    for (const { what, pid, startTicks } of this.#programs) {
      if (isAlive(pid) && processFacts(pid)?.startTicks === startTicks) continue;
      this.ledger.fault('processes lost', `the program of ${what} (pid ${pid}) is gone`);
    }
  }
}

/** Ends early, and without an error, when the signal fires. */
export async function pause(ms: number, until: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal: until }).catch(() => undefined);
}
