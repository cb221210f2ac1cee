import { fail, type HandlersIn, type Result, SwitchyardError } from '@switchyard/protocol';
import { identityOnWire, limitsOnWire } from '../access/on-wire.js';
import type { Session } from '../access/session.js';
import type { TokenBook } from '../access/token-book.js';
import type { GatewayConfig } from '../config.js';
import { EVERYTHING } from '../domain/grant.js';
import type { LoginGate } from '../domain/login-gate.js';
import type { OwnCall } from '../own-call.js';
import { isPassword } from '../password-file.js';

export interface AuthParts {
  readonly config: Pick<GatewayConfig, 'accessMode' | 'passwordFile'>;
  readonly gate: LoginGate;
  readonly tokens: TokenBook;
}

export function authHandlers({ config, gate, tokens }: AuthParts): HandlersIn<'auth', 'gateway', OwnCall> {
  return {
    'auth.login': async ({ password, token }, { session }) => {
      if (token !== undefined) return logInWithToken(session, token, gate, tokens);
      if (session.identity.socket === 'guest') return fail('auth_failed', 'On this socket a token is needed.');
      if (config.accessMode !== 'password') return { authenticated: true, required: false };
      if (password === undefined) return fail('invalid_params', 'Give the password, or a token.', { path: 'password' });
      await gate.enter(session, () => isPassword(config.passwordFile, password));
      session.grant = EVERYTHING;
      return { authenticated: true };
    },
    'auth.whoami': (_, { session }) => ({
      caller: identityOnWire(session),
      // Nobody gets here without one.
      grant: limitsOnWire(session.grant ?? { ...EVERYTHING, scopes: [] }),
    }),
  };
}

async function logInWithToken(
  session: Session,
  secret: string,
  gate: LoginGate,
  tokens: TokenBook,
): Promise<Result<'auth.login'>> {
  // Changing from one token to another would let a program out of the bounds it was given.
  if (session.token !== null) throw new SwitchyardError('invalid_state', 'This connection is logged in with a token.');
  await gate.enter(session, () => tokens.find(secret) !== undefined);
  const token = tokens.find(secret);
  if (token === undefined) return fail('auth_failed', 'The token has ended.');
  session.grant = token.grant;
  session.token = token.name;
  session.onClosed(tokens.watch(token, session.end));
  return { authenticated: true };
}
