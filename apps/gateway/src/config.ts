import { dirname, join } from 'node:path';
import type { ServiceEnv, Settings } from '@switchyard/config';

/** What the gateway needs to know, and nothing else of the yard. */
export interface GatewayConfig {
  readonly socketPath: string;
  /** `shared` when the user chose a path outside the yard's own runtime folder. */
  readonly socketFolder: 'private' | 'shared';
  /** Where sandboxed programs connect, who may do nothing before they have logged in with a token. */
  readonly guestSocket: string;
  /** Tokens and audit trail. */
  readonly databaseFile: string;
  readonly auditFolder: string;
  readonly accessMode: Settings['gateway']['access_mode'];
  /** By who listens there it is known which programs were started in terminals. */
  readonly keeperSocket: string;
  readonly passwordFile: string;
  readonly limits: GatewayLimits;
  /** Bus addresses of the pty-hosts that must answer before clients are let in. */
  readonly ptyHosts: readonly string[];
}

export interface GatewayLimits {
  /** Clients at once. */
  readonly connections: number;
  /** Requests at once on one connection; waits are counted apart from the rest. */
  readonly inFlight: number;
  /** Bytes waiting for a client that does not read. */
  readonly outboxBytes: number;
  /** One request line. */
  readonly requestBytes: number;
  /** One reply line. */
  readonly replyBytes: number;
}

export function gatewayConfig(env: ServiceEnv): GatewayConfig {
  const { gateway, services } = env.settings;
  const { gatewaySocket, guestSocket, keeperSocket, runtimeDir, stateDir } = env.paths;
  return {
    socketPath: gatewaySocket,
    socketFolder: dirname(gatewaySocket) === runtimeDir ? 'private' : 'shared',
    guestSocket,
    databaseFile: join(stateDir, 'gateway.db'),
    auditFolder: join(stateDir, 'audit'),
    accessMode: gateway.access_mode,
    keeperSocket,
    passwordFile: gateway.password_file,
    limits: {
      connections: gateway.max_connections,
      inFlight: gateway.max_in_flight,
      outboxBytes: gateway.outbox_bytes,
      requestBytes: gateway.request_limit_bytes,
      replyBytes: gateway.reply_limit_bytes,
    },
    ptyHosts: Array.from({ length: services.pty_hosts }, (_, shard) => `${env.host}-${shard}`),
  };
}
