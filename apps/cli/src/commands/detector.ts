import { statSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { SERVICE_ENV, type ServiceEnv } from '@switchyard/config';
import { loadSettings } from '@switchyard/config/load';
import { type Run, text } from '../command.js';
import { UsageError, YardProblem } from '../context.js';

/** Anybody but its owner. */
const OTHERS = 0o077;

/** Becomes a detector: ends as one does, on SIGINT or SIGTERM, and logs as one does, to stderr. */
export const detector: Run = async ({ paths, env }, _, options) => {
  const file = text(options, 'creds');
  if (file === undefined) throw new UsageError('--creds says which file has the credentials of the bus');
  const busFile = isAbsolute(file) ? file : resolve(file);
  checkPrivate(busFile);
  const url = text(options, 'join');
  const description: ServiceEnv = {
    name: 'detector',
    service: 'detector',
    address: '_',
    host: 'local',
    shard: 0,
    shards: 1,
    paths: { ...paths, busFile },
    settings: loadSettings(paths.configFile, env),
    alone: url === undefined ? {} : { url },
  };
  process.env[SERVICE_ENV] = JSON.stringify(description);
  await import('@switchyard/detector/main');
  return undefined;
};

function checkPrivate(file: string): void {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats === undefined) throw new YardProblem(`${file} is not there`);
  if ((stats.mode & OTHERS) !== 0) throw new YardProblem(`${file} can be read by others: chmod 600`);
}
