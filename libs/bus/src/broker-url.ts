/** How to reach a broker and prove who we are, as the client library wants it. */
export interface BrokerLogin {
  readonly servers: string[];
  readonly token?: string;
  readonly user?: string;
  readonly pass?: string;
  readonly tls?: Record<string, never>;
}

const SCHEMES = new Set(['nats:', 'tls:']);

/**
 * The nodes of a cluster, or the one broker: URLs with commas between them, as NATS's own tools take them. Credentials
 * and encryption are the same for all, since a client that loses one node goes on with another; they may be said once.
 *
 * @throws Error that says what is wrong and quotes no credentials
 */
export function brokerUrls(list: string): URL[] {
  const urls = list.split(',').map((text) => parse(text.trim()));
  const [first] = urls;
  if (urls.some(({ protocol }) => protocol !== first?.protocol))
    throw new Error('nats:// and tls:// cannot be mixed: a client would be encrypted by chance');
  const logins = new Set(
    urls.filter(({ username }) => username !== '').map((url) => `${url.username}:${url.password}`),
  );
  if (logins.size > 1) throw new Error('the URLs of one broker must name the same user');
  return urls;
}

/**
 * A broker that somebody else runs is given by URLs with credentials, which the client library does not read from there:
 * `nats://token@host`, `nats://user:password@host`, and `tls://` for an encrypted connection.
 *
 * @param list see {@link brokerUrls}
 * @param token used when no URL names a user
 */
export function brokerLogin(list: string, token: string): BrokerLogin {
  const urls = brokerUrls(list);
  const encrypted = urls.some(({ protocol }) => protocol === 'tls:');
  const place = { servers: urls.map(({ host }) => host), ...(encrypted && { tls: {} }) };
  const named = urls.find(({ username }) => username !== '');
  if (named === undefined) return { ...place, token };
  const name = decodeURIComponent(named.username);
  const { password } = named;
  return password === '' ? { ...place, token: name } : { ...place, user: name, pass: decodeURIComponent(password) };
}

function parse(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !SCHEMES.has(url.protocol) || url.hostname === '')
    throw new Error('a broker is given by a URL like nats://host:4222, several with commas between them');
  return url;
}
