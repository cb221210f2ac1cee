import { setMaxListeners } from 'node:events';
import { readFileSync } from 'node:fs';
import { startYard, waitFor, within, type Yard } from '@switchyard/testing';
import { Echoing } from './echoing.js';
import { checkTree } from './final-tree.js';
import { growthLines, type Holding, holdingOf, judgeGrowth, mostOf, settled, withDescriptorsOf } from './growth.js';
import { Ledger } from './ledger.js';
import { Listening } from './listening.js';
import { planOf } from './plan.js';
import { Printing } from './printing.js';
import { Prompting } from './prompting.js';
import { Rearranging } from './rearranging.js';
import { Saboteur } from './saboteur.js';
import { Tamper, type Tampering } from './tamper.js';
import { type Actor, pause, World } from './world.js';

export interface ChaosOptions {
  readonly minutes: number;
  readonly surfaces: number;
  readonly seed: number;
  readonly bus?: 'embedded' | 'nats-server';
  /** Whether the whole yard is upgraded too, to and fro between two installations; default true. */
  readonly upgrades?: boolean;
  /** Faults that are put between the yard and the checks, to see that they are found. */
  readonly tamper?: Iterable<Tampering>;
  /** Gets each line of the report as it comes, all but the counts and the verdict. */
  readonly say: (line: string) => void;
  /** Ends the run early, in order. */
  readonly until?: AbortSignal;
}

/** Of the time of a run, in which nothing is broken and it is seen what processes hold. */
const WARM_UP = { share: 0.2, mostMs: 30_000 };
const SAMPLES_MS = 1_000;
/** What was begun ends within this, once the yard is whole: the longest patience of any part of the workload. */
const ENDING_MS = 420_000;
/** A surface that was closed can be brought back for five seconds; then its program ends. */
const CHILDREN_MS = 30_000;
const SETTINGS = {
  services: { pty_hosts: 2 },
  // Full before the warm-up is over, so that it does not look like a leak.
  terminal: { scrollback_lines: 1000, log_budget_bytes: 64 * 1024 * 1024 },
};

/**
 * A checked workload in a yard of its own, whose processes are killed, suspended and restarted meanwhile.
 *
 * @returns what went wrong; everything that was started is gone
 */
export async function runChaos(options: ChaosOptions): Promise<Ledger> {
  const started = Date.now();
  const ledger = new Ledger(() => `${((Date.now() - started) / 1000).toFixed(1)} s`);
  const yard = await startYard({ settings: SETTINGS, ...(options.bus && { bus: options.bus }) });
  const saboteur = new Saboteur(yard, ledger, options.say);
  const tamperings = [...(options.tamper ?? [])];
  const isTampered = tamperings.length > 0;
  const world = new World(yard, ledger, new Tamper(tamperings), options.seed);
  const actors = actorsOf(world, options.surfaces);
  try {
    await workAndBreak(world, actors, saboteur, options);
  } catch (error) {
    ledger.fault('wrong answers', `the run ended: ${(error as Error).stack}`);
  } finally {
    saboteur.release();
    await Promise.all(actors.map((actor) => within(ENDING_MS, `${actor.name} closes`, actor.close())));
    await stop(yard, ledger, isTampered);
  }
  return ledger;
}

/** Of M surfaces a few are agents, some echo, some come and go, and most print. */
function actorsOf(world: World, surfaces: number): Actor[] {
  const agents = Math.max(1, Math.floor(surfaces / 16));
  const rearrangers = Math.max(1, Math.floor(surfaces / 16));
  const echoes = Math.max(1, Math.floor(surfaces / 5));
  const surfacesOfRearranger = 4;
  const printers = Math.max(1, surfaces - agents - echoes - rearrangers * surfacesOfRearranger);
  const times = (count: number, make: (n: number) => Actor) => Array.from({ length: count }, (_, i) => make(i + 1));
  return [
    new Listening(world, ['*']),
    new Listening(world, ['workspace.*', 'surface.created', 'surface.closed']),
    ...times(printers, (n) => new Printing(world, n)),
    ...times(echoes, (n) => new Echoing(world, n)),
    ...times(agents, (n) => new Prompting(world, n)),
    ...times(rearrangers, (n) => new Rearranging(world, n)),
  ];
}

async function workAndBreak(
  world: World,
  actors: readonly Actor[],
  saboteur: Saboteur,
  { minutes, seed, upgrades = true, say, until }: ChaosOptions,
): Promise<void> {
  const { yard, ledger } = world;
  await noteTree(world);
  for (const actor of actors) await actor.open();
  const idle = await holdingOf(yard);
  say(`${actors.length} parts of the workload have begun`);
  const durationMs = minutes * 60_000;
  const warmUpMs = Math.min(WARM_UP.mostMs, durationMs * WARM_UP.share);
  const ended = new AbortController();
  const asked = until === undefined ? ended.signal : AbortSignal.any([ended.signal, until]);
  // Every part listens once while it pauses.
  setMaxListeners(2 * actors.length, asked);
  const working = Promise.all(actors.map((actor) => running(actor, asked, world)));
  const before = withDescriptorsOf(idle, await warmUp(yard, warmUpMs, asked));
  await saboteur.run(planOf(seed, durationMs - warmUpMs, { upgrades }), asked);
  await pause(0, asked);
  await saboteur.calm();
  ended.abort();
  await within(ENDING_MS, 'the workload ends', working);
  say('the yard is whole again; all is compared');
  for (const actor of actors) if (!(actor instanceof Listening)) await finishing(actor, world);
  for (const actor of actors) if (actor instanceof Listening) await finishing(actor, world);
  await checkTree(world);
  await checkChildren(world);
  const after = await settled(yard, before);
  judgeGrowth(before, after, ledger, world.tamper);
  for (const line of growthLines(before, after)) say(line);
  world.checkPrograms();
}

/** What is there before anything is made. */
async function noteTree(world: World): Promise<void> {
  const door = world.door();
  const { windows } = await door.surely('system.tree', { all_windows: true });
  for (const { id, panes } of windows.flatMap(({ workspaces }) => workspaces)) {
    world.tree.set(id, new Set(panes.flatMap(({ surface_ids }) => surface_ids)));
  }
  await door.close();
}

async function running(actor: Actor, until: AbortSignal, { ledger }: World): Promise<void> {
  try {
    await actor.run(until);
  } catch (error) {
    ledger.fault('wrong answers', `${actor.name} could not go on: ${(error as Error).stack}`);
  }
}

async function finishing(actor: Actor, { ledger }: World): Promise<void> {
  try {
    await within(ENDING_MS, `${actor.name} compares`, actor.finish());
  } catch (error) {
    ledger.fault('wrong answers', `${actor.name} could not compare: ${(error as Error).stack}`);
  }
}

/** @returns the most that each process held under load */
async function warmUp(yard: Yard, ms: number, until: AbortSignal): Promise<Holding> {
  const end = Date.now() + ms;
  let most = await holdingOf(yard);
  while (Date.now() < end && !until.aborted) {
    await pause(SAMPLES_MS, until);
    most = mostOf(most, await holdingOf(yard));
  }
  return most;
}

/** The keeper has a program for each surface, and none for one that was closed. */
async function checkChildren({ yard, tree, ledger }: World): Promise<void> {
  const keeper = await yard.pidOf('keeper');
  const wanted = [...tree.values()].reduce((count, surfaces) => count + surfaces.size, 0);
  const children = () => readFileSync(`/proc/${keeper}/task/${keeper}/children`, 'utf8').trim().split(' ').length;
  await waitFor('one program for each surface', () => children() === wanted, { timeoutMs: CHILDREN_MS }).catch(() => {
    const more = children() - wanted;
    const what = `${children()} programs for ${wanted} surfaces`;
    if (more > 0) ledger.fault('left behind', what, more);
    else ledger.fault('processes lost', what, -more);
  });
}

/** The logs stay where they have something to say: not where what is wrong was put there. */
async function stop(yard: Yard, ledger: Ledger, isTampered: boolean): Promise<void> {
  if (!ledger.isClean && !isTampered) yard.keep();
  await yard.stop().catch((error: Error) => ledger.fault('left behind', error.message));
}
