import { execFile } from 'node:child_process';
import { basename } from 'node:path';
import { promisify } from 'node:util';
import { type FoundPorts, foundPorts, type Listener, type PortSource, type WatchedTerminal } from './port-source.js';

const run = promisify(execFile);

/** Both take some ten milliseconds; on a machine that hangs nobody waits for them. */
const OPTIONS = { encoding: 'utf8', timeout: 5000, maxBuffer: 16 * 1024 * 1024 } as const;
/** Only TCP, only what listens; no names of hosts and ports; one field a line. */
const LSOF = ['-nP', '-a', '-iTCP', '-sTCP:LISTEN', '-Fpcn'];

export interface LsofSocket {
  readonly pid: number;
  readonly process: string;
  readonly port: number;
  readonly address: string;
}

/** @param text of `lsof -Fpcn`: process id, command and names, each on a line that begins with its letter */
export function parseLsof(text: string): LsofSocket[] {
  const sockets: LsofSocket[] = [];
  let [pid, process] = [0, ''];
  for (const line of text.split('\n')) {
    const value = line.slice(1);
    if (line.startsWith('p')) [pid, process] = [Number(value), ''];
    else if (line.startsWith('c')) process = value;
    else if (line.startsWith('n')) {
      const [, host = '', port] = /^(.*):(\d+)$/.exec(value) ?? [];
      const address = host === '*' ? '0.0.0.0' : host.replace(/^\[(.*)\]$/, '$1');
      if (port !== undefined) sockets.push({ pid, process, port: Number(port), address });
    }
  }
  return sockets;
}

/** lsof(8) and ps(1) of macOS and the BSDs. A process belongs to the terminal that controls it. */
export const lsofPorts: PortSource = {
  everyMs: 10_000,
  look: async (terminals, _thorough): Promise<FoundPorts> => {
    if (terminals.length === 0) return new Map();
    const sockets = parseLsof(await output('lsof', LSOF));
    if (sockets.length === 0) return new Map();
    const pids = [...new Set(sockets.map(({ pid }) => pid))].join(',');
    const ttys = ttysOf(await output('ps', ['-o', 'pid=,tty=', '-p', pids]));
    return foundPorts(sockets.flatMap((socket) => listenerOf(socket, ttys.get(socket.pid), terminals)));
  },
};

function listenerOf(socket: LsofSocket, tty: string | undefined, terminals: readonly WatchedTerminal[]): Listener[] {
  const owner = terminals.find((terminal) => terminal.tty !== null && basename(terminal.tty) === tty);
  return owner === undefined ? [] : [{ surfaceId: owner.surfaceId, ...socket }];
}

/** @param text of `ps -o pid=,tty=` */
export function ttysOf(text: string): ReadonlyMap<number, string> {
  const lines = text.split('\n').map((line) => line.trim().split(/\s+/));
  return new Map(lines.flatMap(([pid, tty]) => (tty === undefined ? [] : [[Number(pid), tty] as const])));
}

/** Both fail when there is nothing to list. */
async function output(program: string, args: readonly string[]): Promise<string> {
  try {
    return (await run(program, [...args], OPTIONS)).stdout;
  } catch (error) {
    const { code, stdout } = error as { code?: unknown; stdout?: string };
    if (code === 1) return stdout ?? '';
    throw error;
  }
}
