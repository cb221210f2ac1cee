import type { HandlersIn } from '@switchyard/protocol';
import type { GatewayConfig } from '../config.js';
import type { LoginGate, Session } from '../domain/login-gate.js';
import { isPassword } from '../password-file.js';

export function authHandlers(config: GatewayConfig, gate: LoginGate): HandlersIn<'auth', 'gateway', Session> {
  return {
    'auth.login': async ({ password }, session) => {
      if (config.accessMode !== 'password') return { authenticated: true, required: false };
      await gate.enter(session, () => isPassword(config.passwordFile, password));
      return { authenticated: true };
    },
  };
}
