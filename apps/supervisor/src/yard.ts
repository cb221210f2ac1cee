import { closeSync } from 'node:fs';
import { userInfo } from 'node:os';
import type { Log } from '@switchyard/bus';
import { type YardPaths, yardPaths } from '@switchyard/config';
import { loadSettings } from '@switchyard/config/load';
import { createLog } from '@switchyard/service/log';
import { openLog } from './adapters/log-file.js';
import { readCredentials } from './host/read-credentials.js';
import { build, type Supervisor } from './supervisor.js';
import type { YardOptions } from './yard-options.js';

export interface Yard {
  readonly supervisor: Supervisor;
  readonly paths: YardPaths;
}

/**
 * The supervisor of one yard as a user's options, settings file and environment describe it; not started yet.
 *
 * @param resuming in the place of an earlier supervisor of this process
 * @throws SettingsError for a settings file that cannot be used
 */
export function openYard(options: YardOptions, env: NodeJS.ProcessEnv, resuming = false): Yard {
  const { uid } = userInfo();
  const join = options.join === undefined ? undefined : readCredentials(options.join);
  // A machine can have a yard of its own and be part of another.
  const yard = options.yard ?? (join === undefined ? undefined : `host-${join.name}`);
  const paths = pathsOf({ ...options, yard }, env);
  const settings = loadSettings(paths.configFile, env);
  if (options.broker !== undefined) settings.bus.broker = options.broker;
  const supervisor = build(
    { paths, settings, uid, env, options, resuming, ...(join && { join }) },
    { openLog: (logDir) => supervisorLog(logDir, settings.log.level) },
  );
  return { supervisor, paths };
}

export function pathsOf({ yard, socket }: YardOptions, env: NodeJS.ProcessEnv): YardPaths {
  return yardPaths(env, userInfo().uid, { ...(yard && { yard }), ...(socket && { socket }) });
}

/** Open as long as the process lives, so that even its last words are written. */
function supervisorLog(logDir: string, level: string): Log {
  const fd = openLog(logDir, 'supervisor');
  process.once('exit', () => closeSync(fd));
  return createLog('supervisor', level, fd);
}
