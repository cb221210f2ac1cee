import { join } from 'node:path';
import type { YardPaths } from '@switchyard/config';
import { readJson, writePrivateJson } from '../adapters/json-file.js';

/** A machine that may connect. */
export interface Admitted {
  readonly name: string;
  readonly public_key: string;
  readonly pty_hosts: number;
  readonly detectors: boolean;
}

/** Who may connect, and the part of the subjects that their credentials name. Outlives the yard. */
export interface Roster {
  readonly space: string;
  readonly hosts: readonly Admitted[];
}

/** Folder of all that a fleet needs to be the same after a restart. */
export const fleetDir = ({ stateDir }: YardPaths) => join(stateDir, 'fleet');
const rosterFile = (paths: YardPaths) => join(fleetDir(paths), 'hosts.json');

/** @returns undefined before the first machine could have joined */
export function readRoster(paths: YardPaths): Roster | undefined {
  return readJson(rosterFile(paths)) as Roster | undefined;
}

export function writeRoster(paths: YardPaths, roster: Roster): void {
  writePrivateJson(rosterFile(paths), roster);
}
