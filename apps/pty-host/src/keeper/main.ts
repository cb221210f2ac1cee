import { randomUUID } from 'node:crypto';
import { readServiceEnv } from '@switchyard/config/service-env';
import { openLifeline } from '@switchyard/service/lifeline';
import { keeperConfig } from './config.js';
import { buildKeeper } from './keeper.js';
import { keeperLog } from './logger.js';

/** As every process of a yard ends that cannot go on. */
const CRASHED = 70;

const env = readServiceEnv(process.env);
const log = keeperLog(env.name, env.settings.log.level, (line) => process.stderr.write(line));
process.stderr.on('error', () => undefined); // Whoever read our log is gone. The terminals stay.
process.on('SIGHUP', () => undefined); // The terminal that started the yard is gone. Ours stay.
// Dying would take every terminal along. One broken operation does not.
process.on('uncaughtException', (error) => log.error({ error: error.stack }, 'fault in the keeper'));
const failed = (error: unknown) => {
  log.error({ error: error instanceof Error ? error.stack : String(error) }, 'keeper cannot go on');
  process.exit(CRASHED);
};

const lifeline = openLifeline({ socket: env.paths.supervisorSocket, name: env.name, instance: randomUUID(), log });
const keeper = buildKeeper(keeperConfig(env), log);
const stop = async () => {
  lifeline.setState('draining');
  await keeper.stop();
  lifeline.setState('stopped');
  process.exit(0);
};
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop().catch(failed));
await keeper.start().catch(failed);
lifeline.setState('ready');
