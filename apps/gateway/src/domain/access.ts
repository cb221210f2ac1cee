import type { Session } from './login-gate.js';

/** What anybody who can connect may call in password mode. */
export const LOGIN = 'auth.login';

/**
 * `same-user`: the modes of socket and folder let in nobody else, so there is nothing left to check.
 * `password`: nothing but the login until it has succeeded, not even whether a method exists.
 */
export function isAllowed(mode: 'same-user' | 'password', session: Session, method: string): boolean {
  return mode === 'same-user' || session.authenticated || method === LOGIN;
}
