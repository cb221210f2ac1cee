import type { Bus } from '@switchyard/bus';
import type { ServiceEnv } from '@switchyard/config';
import type { Logger } from 'pino';

export type Log = Logger;

/** What `build(config, deps)` of every app returns. */
export interface App {
  /** Resolves when the app can do its work. */
  start(): Promise<void>;
  /** Ends everything `start` began, in the reverse order. Called once, also when `start` failed half-way. */
  stop(): Promise<void>;
}

/** What a process of the yard has before its app is built. */
export interface ProcessKit {
  readonly env: ServiceEnv;
  readonly log: Log;
}

/** The same for a process that is on the bus. */
export interface ServiceKit extends ProcessKit {
  readonly bus: Bus;
}
