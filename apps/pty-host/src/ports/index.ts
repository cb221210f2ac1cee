import { lsofPorts } from './lsof-ports.js';
import type { PortSource } from './port-source.js';
import { ProcPorts } from './proc-ports.js';

export type { FoundPort, PortSource, WatchedTerminal } from './port-source.js';

/** Looks at the sockets of this system. */
export const systemPorts = (): PortSource => (process.platform === 'linux' ? new ProcPorts() : lsofPorts);
