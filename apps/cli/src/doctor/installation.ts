import { execFile } from 'node:child_process';
import { accessSync, chmodSync, constants, existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type Finding, fault, messageOf, ok } from './check.js';

const OLDEST_NODE = [20, 11] as const;
const LOAD_MS = 10_000;
const run = promisify(execFile);

/** The native modules, and what each is a dependency of. */
const NATIVE = [
  { name: 'node-pty', of: '@switchyard/pty-host/keeper' },
  { name: '@photostructure/sqlite', of: '@switchyard/store/sqlite' },
];

export function checkNode(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const [oldestMajor, oldestMinor] = OLDEST_NODE;
  const isOld = major < oldestMajor || (major === oldestMajor && minor < oldestMinor);
  return isOld
    ? fault('node', `version ${process.versions.node}`, `install Node ${OLDEST_NODE.join('.')} or newer`)
    : ok('node', `version ${process.versions.node}`);
}

/** Loads each in a process of its own, so that one built for another Node cannot take this one down. */
export async function checkNativeModules(): Promise<Finding[]> {
  return Promise.all(
    NATIVE.map(async ({ name, of }) => {
      try {
        const module = requireFrom(of).resolve(name);
        await run(process.execPath, ['-e', 'require(process.argv[1])', module], { timeout: LOAD_MS });
        return ok(name, 'loads');
      } catch (error) {
        return fault(name, messageOf(error).split('\n')[0] ?? '', 'run npm rebuild in the folder of Switchyard');
      }
    }),
  );
}

/** node-pty starts programs on macOS through a helper, whose execute bit some package managers lose. */
export function checkSpawnHelper(): Finding {
  const what = 'node-pty spawn-helper';
  if (process.platform !== 'darwin') return ok(what, 'only used on macOS');
  const folder = folderOf('node-pty', '@switchyard/pty-host/keeper');
  const places = [join('prebuilds', `darwin-${process.arch}`), join('build', 'Release')];
  const helper = places.map((place) => join(folder, place, 'spawn-helper')).find(existsSync);
  if (helper === undefined) return fault(what, 'not there', 'run npm rebuild node-pty');
  return repairedHelper(what, helper);
}

/** Gives the helper its execute bit when it lacks it. */
export function repairedHelper(what: string, helper: string): Finding {
  try {
    accessSync(helper, constants.X_OK);
    return ok(what, 'is executable');
  } catch {
    // The very thing this check is for.
  }
  try {
    chmodSync(helper, 0o755);
    return ok(what, `${helper} was not executable; repaired`);
  } catch (error) {
    return fault(what, `${helper} is not executable: ${messageOf(error)}`, `run chmod +x ${helper}`);
  }
}

function folderOf(name: string, dependent: string): string {
  return dirname(requireFrom(dependent).resolve(`${name}/package.json`));
}

function requireFrom(dependent: string): NodeJS.Require {
  return createRequire(import.meta.resolve(dependent));
}
