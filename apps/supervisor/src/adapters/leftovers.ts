import { readdirSync, readFileSync } from 'node:fs';

export interface Leftover {
  readonly pid: number;
  readonly command: string;
}

/**
 * Processes that were started inside terminals of a yard and have outlived them, for example by leaving their session.
 * Their environment names the yard's socket. Linux only: elsewhere the environment of a process cannot be read.
 *
 * @param gatewaySocket of the yard
 */
export function leftoversOf(gatewaySocket: string): Leftover[] {
  if (process.platform !== 'linux') return [];
  const mark = `SWITCHYARD_SOCKET=${gatewaySocket}`;
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => read(`/proc/${pid}/environ`).split('\0').includes(mark))
    .map((pid) => ({ pid: Number(pid), command: read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim() }))
    .filter(({ command }) => command !== '');
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return ''; // it ended meanwhile, or belongs to somebody else
  }
}
