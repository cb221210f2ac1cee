import { join } from 'node:path';
import type { YardPaths } from '@switchyard/config';
import type { Result } from '@switchyard/protocol';
import { readJson, writePrivateJson } from './json-file.js';

/** How an upgrade stands; read and written by the supervisors of both installations, one after the other. */
export type Upgrade = NonNullable<Result<'yard.status'>['upgrade']>;

export function upgradeFileOf(paths: YardPaths): string {
  return join(paths.runtimeDir, 'upgrade.json');
}

export function readUpgrade(paths: YardPaths): Upgrade | undefined {
  return readJson(upgradeFileOf(paths)) as Upgrade | undefined;
}

export function writeUpgrade(paths: YardPaths, upgrade: Upgrade): void {
  writePrivateJson(upgradeFileOf(paths), upgrade);
}
