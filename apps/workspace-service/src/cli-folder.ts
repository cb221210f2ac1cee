import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const NAMES = ['switchyard', 'sy'];
const OWNER_ONLY_FOLDER = 0o700;
const OWNER_EXECUTABLE = 0o700;

/** Where our command is installed, or would be: beside this service. */
export function cliPrograms(): { node: string; cli: string; hook: string } {
  const path = (name: string) => fileURLToPath(new URL(`../../cli/dist/${name}`, import.meta.url));
  return { node: process.execPath, cli: path('main.js'), hook: path('hook.js') };
}

/**
 * Makes a folder that holds nothing but our own command, to be put first on the PATH of terminals: the folder it is
 * installed in may hold a hundred others.
 *
 * @returns the folder, or null when the command is not installed beside this service
 */
export function makeCliFolder(runtimeDir: string): string | null {
  const { cli: program } = cliPrograms();
  if (!existsSync(program)) return null;
  const folder = join(runtimeDir, 'bin');
  mkdirSync(folder, { recursive: true, mode: OWNER_ONLY_FOLDER });
  for (const name of NAMES) {
    const path = join(folder, name);
    writeFileSync(path, `#!/bin/sh\nexec ${quoted(process.execPath)} ${quoted(program)} "$@"\n`);
    chmodSync(path, OWNER_EXECUTABLE);
  }
  return folder;
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
