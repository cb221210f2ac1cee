import type { HandlersIn } from '@switchyard/protocol';
import type { GatewayConfig } from '../config.js';
import type { LoginGate } from '../domain/login-gate.js';
import type { OwnCall } from '../own-call.js';
import { isPassword } from '../password-file.js';

export function authHandlers(config: GatewayConfig, gate: LoginGate): HandlersIn<'auth', 'gateway', OwnCall> {
  return {
    'auth.login': async ({ password }, { session }) => {
      if (config.accessMode !== 'password') return { authenticated: true, required: false };
      await gate.enter(session, () => isPassword(config.passwordFile, password));
      return { authenticated: true };
    },
  };
}
