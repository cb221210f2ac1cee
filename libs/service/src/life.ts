import { randomBytes } from 'node:crypto';
import { readServiceEnv } from '@switchyard/config';
import { type Lifeline, openLifeline } from './lifeline.js';
import { createLog } from './log.js';
import { type StandByOptions, untilTurn } from './stand-by.js';
import type { App, Log, ProcessKit } from './types.js';

/** EX_SOFTWARE: a fault of ours. The supervisor starts the process again. */
const EXIT_FAULT = 70;
/** Longer than the drain of the bus; the supervisor kills a little later anyway. */
const STOP_LIMIT_MS = 10_000;
const INSTANCE_BYTES = 6;

/** What `begin` hands over once the process can work. */
export interface Running {
  readonly app: App;
  /** Ends what the app stood on. */
  readonly close: () => Promise<void>;
}

/**
 * Makes the app of a process.
 *
 * @param turn resolves at once, or, in a process that stands by, when the one that it replaces has gone. What comes before
 *   must touch nothing that the other owns
 */
export type Begin = (kit: ProcessKit, turn: () => Promise<void>) => Promise<Running>;

/**
 * The life of a process of the yard: starting → ready → draining → stopped, told to the supervisor at each step.
 * Returns only by ending the process.
 *
 * @param begin a stop signal that comes meanwhile does not wait for it
 */
export async function live(begin: Begin): Promise<void> {
  const env = readServiceEnv(process.env);
  const log = createLog(env.name, env.settings.log.level);
  dieOfFaults(log);
  const stopAsked = stopSignal();
  const identity = {
    socket: env.paths.supervisorSocket,
    name: env.name,
    instance: randomBytes(INSTANCE_BYTES).toString('hex'),
  };
  let lifeline: Lifeline | undefined;
  const come = () => {
    if (env.alone === undefined) lifeline ??= openLifeline({ ...identity, log });
  };
  const turn = async () => {
    if (env.standsBy) await standBy(identity, log);
    come();
  };
  let running: Running | undefined;
  const start = async () => {
    if (!env.standsBy) come();
    running = await begin({ env, log }, turn);
    await running.app.start();
    lifeline?.setState('ready');
    log.info({}, 'ready');
  };
  try {
    await Promise.race([start(), stopAsked]);
    const signal = await stopAsked;
    log.info({ signal }, 'stopping');
    lifeline?.setState('draining');
    if (running !== undefined) await withinLimit(end(running), log);
  } catch (err) {
    log.fatal({ err }, 'cannot start or stop');
    process.exit(EXIT_FAULT);
  }
  log.info({}, 'stopped');
  lifeline?.setState('stopped');
  lifeline?.close();
  // Whatever handle was forgotten must not keep a stopped process.
  process.exit(0);
}

/** Ends the process when its turn will not come. */
async function standBy(identity: StandByOptions, log: Log): Promise<void> {
  log.info({}, 'standing by');
  try {
    await untilTurn(identity);
  } catch (err) {
    log.info({ err }, 'not needed');
    process.exit(0);
  }
}

async function end(running: Running): Promise<void> {
  await running.app.stop();
  await running.close();
}

/** The first SIGTERM or SIGINT; further ones change nothing. */
function stopSignal(): Promise<string> {
  return new Promise((resolve) => {
    process.on('SIGTERM', resolve);
    process.on('SIGINT', resolve);
  });
}

/** A process that does not know its own state any more must not go on. */
function dieOfFaults(log: Log): void {
  const die = (kind: string) => (err: unknown) => {
    log.fatal({ err }, kind);
    process.exit(EXIT_FAULT);
  };
  process.on('uncaughtException', die('uncaught exception'));
  process.on('unhandledRejection', die('unhandled rejection'));
}

async function withinLimit(ending: Promise<void>, log: Log): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(() => {
      log.error({ limit_ms: STOP_LIMIT_MS }, 'stopping takes too long, leaving');
      resolve();
    }, STOP_LIMIT_MS);
  });
  await Promise.race([ending, late]);
  clearTimeout(timer);
}
