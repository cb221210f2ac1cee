import type { ServiceName } from '@switchyard/protocol';
import type { YardPaths } from './paths.js';
import type { Settings } from './settings.js';

/** The one variable through which the supervisor tells a child what it is. */
export const SERVICE_ENV = 'SWITCHYARD_SERVICE';

/** What a process of the yard is and where it lives: written by the supervisor, read once by the process. */
export interface ServiceEnv {
  /** Unique in the yard and shown by `switchyard status`: `pty-host`, `pty-host-2`. */
  readonly name: string;
  /** What kind of process it is. Brokers and the keeper answer no methods but are started the same way. */
  readonly service: ServiceName | 'keeper' | 'broker' | 'fleet-broker';
  /** Bus address: `<host>-<shard>` for a pty-host, `_` for services of which one answer is as good as another's. */
  readonly address: string;
  /** The machine whose terminals it serves. */
  readonly host: string;
  /** Which part of the surfaces of its host it follows: `shardOf(surface_id, shards) === shard`. */
  readonly shard: number;
  readonly shards: number;
  readonly paths: YardPaths;
  readonly settings: Settings;
  /** It is to load what it needs, and to begin only when the process that it replaces has gone. */
  readonly standsBy?: boolean;
  /** A worker that was started by hand, perhaps on another machine: no supervisor watches it. */
  readonly alone?: {
    /** Where the bus is from there, when the bus file says another address. */
    readonly url?: string;
  };
}

/**
 * Takes the service description out of the environment, so that programs started by the process do not inherit it.
 *
 * @param env usually `process.env`; {@link SERVICE_ENV} is deleted from it
 * @throws Error when the process was not started by a supervisor
 */
export function readServiceEnv(env: Record<string, string | undefined>): ServiceEnv {
  const text = env[SERVICE_ENV];
  if (text === undefined || text === '') {
    throw new Error(`${SERVICE_ENV} is not set: this program is started by \`switchyard up\`, not by hand`);
  }
  delete env[SERVICE_ENV];
  try {
    return JSON.parse(text) as ServiceEnv;
  } catch (cause) {
    throw new Error(`${SERVICE_ENV} is not JSON`, { cause });
  }
}
