import type { Result } from '@switchyard/protocol';

/** A port on which a process of a terminal listens. */
export type FoundPort = Result<'terminal.ports'>['ports'][number];

/** A terminal whose program runs. */
export interface WatchedTerminal {
  readonly surfaceId: string;
  /** Of the program it was opened with; on Linux also the id of its session. */
  readonly pid: number;
  readonly tty: string | null;
}

/** By surface; those that do not listen are left out. */
export type FoundPorts = ReadonlyMap<string, readonly FoundPort[]>;

/** Which terminals listen where. */
export interface PortSource {
  /** By what a look costs: at most one in so many milliseconds, unless somebody asks. */
  readonly everyMs: number;
  /**
   * @param thorough somebody asks: also what was nobody's before is looked at again
   * @throws when the system does not tell
   */
  look(terminals: readonly WatchedTerminal[], thorough: boolean): Promise<FoundPorts>;
}

/** More of one terminal are no help to anybody; as many as can be reported. */
const MAX_PORTS = 128;

/** One process listening at one address. */
export interface Listener {
  readonly surfaceId: string;
  readonly port: number;
  readonly address: string;
  readonly pid: number;
  readonly process: string;
}

/** A port is listed once for a terminal, with all its addresses and the first of its processes. */
export function foundPorts(listeners: readonly Listener[]): FoundPorts {
  const sorted = [...listeners].sort((a, b) => a.port - b.port || a.pid - b.pid || (a.address < b.address ? -1 : 1));
  const found = new Map<string, FoundPort[]>();
  for (const { surfaceId, port, address, pid, process } of sorted) {
    const ports = found.get(surfaceId) ?? [];
    found.set(surfaceId, ports);
    const known = ports.at(-1);
    if (known?.port !== port) ports.push({ port, addresses: [address], pid, process });
    else if (!known.addresses.includes(address)) known.addresses.push(address);
  }
  for (const [surfaceId, ports] of found) found.set(surfaceId, ports.slice(0, MAX_PORTS));
  return found;
}
