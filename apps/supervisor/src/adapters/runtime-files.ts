import { readdirSync, rmdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { YardPaths } from '@switchyard/config';
import { FLEET_FILES } from '../fleet/fleet.js';
import { upgradeFileOf } from './upgrade-file.js';

/** Names in the runtime folder that only matter while the yard runs. */
const NATS_CONFIG = 'nats-server.conf';
/** The commands that terminals of the yard find on their PATH. */
const COMMANDS = 'bin';

/** Removes what a stopped yard leaves behind: nothing runs any more that could use it. */
export function removeRuntimeFiles(paths: YardPaths): void {
  for (const file of [
    paths.gatewaySocket,
    dirname(paths.guestSocket),
    paths.keeperSocket,
    paths.busFile,
    paths.processFile,
    upgradeFileOf(paths),
    ...[NATS_CONFIG, ...FLEET_FILES].map((name) => join(paths.runtimeDir, name)),
    join(paths.runtimeDir, COMMANDS),
  ]) {
    rmSync(file, { force: true, recursive: true });
  }
}

/** The folder itself, unless something of the user's is still in it. */
export function removeRuntimeDir(paths: YardPaths): void {
  if (readdirSync(paths.runtimeDir).length === 0) rmdirSync(paths.runtimeDir);
}
