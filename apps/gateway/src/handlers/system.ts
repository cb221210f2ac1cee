import { capabilities, type HandlersIn } from '@switchyard/protocol';
import type { GatewayConfig } from '../config.js';
import type { OwnCall } from '../own-call.js';

export function systemHandlers(config: GatewayConfig): HandlersIn<'system', 'gateway', OwnCall> {
  return {
    'system.ping': () => ({ pong: true }),
    'system.capabilities': () => capabilities(config.socketPath, config.accessMode),
  };
}
