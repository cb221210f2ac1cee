import { readdirSync, readFileSync } from 'node:fs';

/** Set in every terminal. */
const SURFACE = 'SWITCHYARD_SURFACE_ID=';

export interface Leftover {
  readonly pid: number;
  readonly command: string;
  /** Of the terminal it was started in; null: it does not say. */
  readonly surfaceId: string | null;
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
    .map((pid) => ({ pid, variables: read(`/proc/${pid}/environ`).split('\0') }))
    .filter(({ variables }) => variables.includes(mark))
    .map(({ pid, variables }) => ({
      pid: Number(pid),
      command: read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim(),
      surfaceId: variables.find((one) => one.startsWith(SURFACE))?.slice(SURFACE.length) ?? null,
    }))
    .filter(({ command }) => command !== '');
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return ''; // it ended meanwhile, or belongs to somebody else
  }
}
