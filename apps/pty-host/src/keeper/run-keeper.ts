import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { ServiceEnv } from '@switchyard/config';
import { HANDOFF_ENV } from '@switchyard/service/exec/variables';
import { openLifeline } from '@switchyard/service/lifeline';
import { LineSink } from '@switchyard/service/line-sink';
import { keeperConfig } from './config.js';
import { readInheritance } from './handoff/inheritance.js';
import { buildKeeper } from './keeper.js';
import { type KeeperLog, keeperLog, lostLine } from './logger.js';

/** As every process of a yard ends that cannot go on. */
const CRASHED = 70;
const STDERR = 2;

/**
 * The life of a keeper process, fresh or in the place of another keeper.
 * @param main URL of the program's file
 */
export async function runKeeper(env: ServiceEnv, main: string): Promise<void> {
  const sink = new LineSink(STDERR, { lostLine: (lines) => lostLine(env.name, lines) });
  const log = keeperLog(env.name, env.settings.log.level, (line) => sink.write(line));
  process.on('SIGHUP', () => undefined); // The terminal that started the yard is gone. Ours stay.
  const failed = (error: unknown) => {
    log.error({ error: error instanceof Error ? error.stack : String(error) }, 'keeper cannot go on');
    process.exit(CRASHED);
  };
  const program = { node: process.execPath, main: fileURLToPath(main) };
  const keeper = buildKeeper(keeperConfig(env), log, { env, program });
  const started = begin(keeper, log).catch(failed);
  const lifeline = openLifeline({ socket: env.paths.supervisorSocket, name: env.name, instance: randomUUID(), log });
  const stop = async () => {
    await started;
    lifeline.setState('draining');
    await keeper.stop();
    lifeline.setState('stopped');
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop().catch(failed));
  await started;
  // Dying would take every terminal along. One broken operation does not. (Before this, the keeper that handed over
  // takes the terminals back from one that dies.)
  process.on('uncaughtException', (error) => log.error({ error: error.stack }, 'fault in the keeper'));
  lifeline.setState('ready');
}

async function begin(keeper: ReturnType<typeof buildKeeper>, log: KeeperLog): Promise<void> {
  if (process.env[HANDOFF_ENV] === undefined) return keeper.start();
  // Its system calls are loaded only when there is something to take.
  const { takeHanded } = await import('@switchyard/service/exec');
  const handed = takeHanded(process.env);
  if (handed?.returned !== undefined) log.error({ reason: handed.returned }, 'the successor failed: back in charge');
  return keeper.start(handed && readInheritance(handed));
}
