import { PUBLIC_METHODS, type Result } from './contract/index.js';
import { CONTRACT_VERSION, PROTOCOL, PROTOCOL_VERSION } from './version.js';
import { DIALECTS } from './wire/dialects/index.js';

/**
 * The answer to system.capabilities.
 *
 * @param socketPath the socket that clients connect to
 * @param accessMode as in the settings, `same-user` by default
 */
export function capabilities(socketPath: string, accessMode: string): Result<'system.capabilities'> {
  return {
    protocol: PROTOCOL,
    version: PROTOCOL_VERSION,
    socket_path: socketPath,
    access_mode: accessMode,
    methods: [...PUBLIC_METHODS],
    server: 'switchyard',
    contract_version: CONTRACT_VERSION,
    dialects: DIALECTS.map((dialect) => dialect.name),
  };
}
