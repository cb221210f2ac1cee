import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { KeeperFault } from './fault.js';

/** Where execvp(3) looks when the environment names no PATH. */
const DEFAULT_PATH = '/bin:/usr/bin';

export interface Program {
  readonly argv: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * Finds out before there is a terminal what can be wrong with a program.
 * @throws KeeperFault `directory_not_found` or `command_not_found`
 */
export function checkProgram({ argv, cwd, env }: Program): void {
  if (!isAbsolute(cwd) || !isUsable(cwd, 'directory')) {
    throw new KeeperFault('directory_not_found', `The working directory ${cwd} does not exist.`, { cwd });
  }
  const command = argv[0] ?? '';
  const candidates = command.includes('/') ? [command] : searchPath(env).map((folder) => join(folder, command));
  if (command !== '' && candidates.some((file) => isUsable(isAbsolute(file) ? file : join(cwd, file), 'file'))) return;
  throw new KeeperFault('command_not_found', `There is no program ${command}.`, { command, path: env['PATH'] ?? null });
}

/** As execvp(3) reads it: an empty entry is the working directory. */
function searchPath(env: Readonly<Record<string, string>>): string[] {
  return (env['PATH'] ?? DEFAULT_PATH).split(delimiter).map((entry) => entry || '.');
}

function isUsable(path: string, kind: 'directory' | 'file'): boolean {
  try {
    const found = statSync(path);
    if (kind === 'directory' ? !found.isDirectory() : !found.isFile()) return false;
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    // Missing, not allowed, a loop of links: for the caller all of them mean that it cannot be used.
    return false;
  }
}
