/** How to reach a broker and prove who we are, as the client library wants it. */
export interface BrokerLogin {
  readonly servers: string;
  readonly token?: string;
  readonly user?: string;
  readonly pass?: string;
  readonly tls?: Record<string, never>;
}

/**
 * A broker that somebody else runs is given by a URL with credentials, which the client library does not read from there:
 * `nats://token@host`, `nats://user:password@host`, and `tls://` for an encrypted connection.
 *
 * @param token used when the URL names no user
 */
export function brokerLogin(url: string, token: string): BrokerLogin {
  const { username, password, protocol, host } = new URL(url);
  const place = { servers: host, ...(protocol === 'tls:' && { tls: {} }) };
  if (username === '') return { ...place, token };
  const name = decodeURIComponent(username);
  return password === '' ? { ...place, token: name } : { ...place, user: name, pass: decodeURIComponent(password) };
}
