import { capabilities, type HandlersIn } from '@switchyard/protocol';
import type { GatewayConfig } from '../config.js';
import type { Session } from '../domain/login-gate.js';

export function systemHandlers(config: GatewayConfig): HandlersIn<'system', 'gateway', Session> {
  return {
    'system.ping': () => ({ pong: true }),
    'system.capabilities': () => capabilities(config.socketPath, config.accessMode),
  };
}
