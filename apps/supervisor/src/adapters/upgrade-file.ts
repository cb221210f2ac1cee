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

/**
 * For a supervisor that was started by itself: whatever was under way has ended with the one before, which was killed. What
 * it has replaced stays, and what it has not; each process says its version.
 *
 * @param own version of this supervisor
 */
export function settleUpgrade(paths: YardPaths, own: string): void {
  const present = readUpgrade(paths);
  if (present?.state !== 'running') return;
  const error = `the supervisor ended at ${present.step ?? 'the end'}; one of version ${own} has taken over`;
  writeUpgrade(paths, { ...present, state: 'failed', step: null, error, ended_at: Date.now() });
}

export function writeUpgrade(paths: YardPaths, upgrade: Upgrade): void {
  writePrivateJson(upgradeFileOf(paths), upgrade);
}
