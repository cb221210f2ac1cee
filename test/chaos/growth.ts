import { setTimeout as delay } from 'node:timers/promises';
import { descriptorsOf, processFacts, type Yard } from '@switchyard/testing';
import type { Ledger } from './ledger.js';
import type { Tamper } from './tamper.js';

/** What one process holds. */
export interface Held {
  readonly descriptors: number;
  readonly bytes: number;
}
export type Holding = ReadonlyMap<string, Held>;

const MiB = 1024 * 1024;
/** A process that was started anew has, now and then, a file open that the old one had not. */
const MORE_DESCRIPTORS = 6;
/**
 * What the heap of a process of Node takes depends on when it was last collected, and the warm-up is short. A leak that
 * matters over days shows above this within ten minutes of load.
 */
const MEMORY_FACTOR = 1.5;
const MORE_MEMORY = 48 * MiB;
/** Connections end and memory is given back some time after the work is over. */
const SETTLE_MS = 45_000;
const LOOK_EVERY_MS = 1_000;

/** What every process of the yard holds at present. */
export async function holdingOf(yard: Yard): Promise<Holding> {
  const { processes, supervisor } = await yard.status();
  const all = [...processes, { name: 'supervisor', pid: supervisor.pid }];
  return new Map(all.flatMap(({ name, pid }) => (pid === null ? [] : [[name, heldBy(pid)]])));
}

/** The most that each process held in either. */
export function mostOf(a: Holding, b: Holding): Holding {
  const most = new Map(a);
  for (const [name, { descriptors, bytes }] of b) {
    const before = a.get(name) ?? { descriptors: 0, bytes: 0 };
    most.set(name, {
      descriptors: Math.max(before.descriptors, descriptors),
      bytes: Math.max(before.bytes, bytes),
    });
  }
  return most;
}

/**
 * As many surfaces as at first are left in the end: so no more descriptors may be open than at rest, before the work. Memory
 * is compared with what the work itself takes.
 */
export function withDescriptorsOf(rest: Holding, work: Holding): Holding {
  const at = (name: string) => rest.get(name)?.descriptors ?? 0;
  return new Map([...work].map(([name, { bytes }]) => [name, { descriptors: at(name), bytes }]));
}

/** Waits until no process holds more than allowed, or long enough. @returns what they hold then */
export async function settled(yard: Yard, before: Holding): Promise<Holding> {
  const end = Date.now() + SETTLE_MS;
  for (;;) {
    const now = await holdingOf(yard);
    if (Date.now() > end || [...now].every(([name, held]) => isWithin(before.get(name), held))) return now;
    await delay(LOOK_EVERY_MS);
  }
}

export function judgeGrowth(before: Holding, after: Holding, ledger: Ledger, tamper: Tamper): void {
  for (const [name, held] of after) {
    const was = tamper.takes('descriptors') ? { descriptors: 0, bytes: held.bytes } : before.get(name);
    if (was === undefined) continue;
    const more = held.descriptors - was.descriptors;
    if (more > MORE_DESCRIPTORS) {
      ledger.fault('descriptors grown', `${name}: from ${was.descriptors} to ${held.descriptors}`, more);
    }
    if (held.bytes > limitOf(was)) ledger.fault('memory grown', `${name}: from ${mib(was)} to ${mib(held)} MiB`);
  }
}

/** A line for each process. */
export function growthLines(before: Holding, after: Holding): string[] {
  return [...after].map(([name, held]) => {
    const was = before.get(name);
    return `${name.padEnd(18)} descriptors ${was?.descriptors ?? '-'} → ${held.descriptors}, memory ${was ? mib(was) : '-'} → ${mib(held)} MiB`;
  });
}

function isWithin(was: Held | undefined, held: Held): boolean {
  return was === undefined || (held.descriptors <= was.descriptors + MORE_DESCRIPTORS && held.bytes <= limitOf(was));
}

function heldBy(pid: number): Held {
  return { descriptors: descriptorsOf(pid).length, bytes: processFacts(pid)?.rssBytes ?? 0 };
}

const limitOf = ({ bytes }: Held) => bytes * MEMORY_FACTOR + MORE_MEMORY;
const mib = ({ bytes }: Held) => Math.round(bytes / MiB);
