import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { BUS_PROTOCOL } from '@switchyard/bus';
import { fail } from '@switchyard/protocol';
import { ownVersion } from '@switchyard/service/version';
import type { Installation, InstallationFacts } from '../domain/installation.js';

/** The package that holds the command; a clone has it below `apps`. */
const PACKAGE = 'switchyard';
const PLACES = ['.', 'apps/cli', join('node_modules', PACKAGE)];
/** Word on the command line of a supervisor that is only to say what it is. */
export const CHECK = '--check';
/** A program that loads its parts needs a second, on a busy machine. */
const CHECK_MS = 20_000;

/** Where this supervisor was installed. */
export function ownInstallation(): Installation {
  return { version: ownVersion(), folder: fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '') };
}

export function ownFacts(): InstallationFacts {
  return { ...ownInstallation(), bus_protocol: BUS_PROTOCOL };
}

/**
 * @param folder of a clone or of an installed package
 * @returns path of its supervisor's program
 * @throws SwitchyardError `not_found`
 */
export function installationIn(folder: string): string {
  const found = PLACES.map((place) => join(folder, place, 'package.json')).find(isPackage);
  if (found === undefined) return fail('not_found', `There is no Switchyard in ${folder}.`, { folder });
  try {
    return createRequire(found).resolve('@switchyard/supervisor/main');
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.split('\n')[0] : String(cause);
    return fail('not_found', `The Switchyard in ${dirname(found)} is not complete: ${reason}`, { folder });
  }
}

/**
 * Starts the other supervisor for a moment, to see that it runs here.
 * @throws SwitchyardError `version_mismatch` when it does not
 */
export async function factsOf(main: string): Promise<InstallationFacts> {
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [main, CHECK], { timeout: CHECK_MS });
    return JSON.parse(stdout) as InstallationFacts;
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    return fail('version_mismatch', `The other installation does not run here: ${said.slice(0, 500)}`, { main });
  }
}

function isPackage(manifest: string): boolean {
  return existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).name === PACKAGE;
}
