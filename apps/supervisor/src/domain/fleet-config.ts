/** What the setting `fleet.listen` names. */
export interface ListenAddress {
  readonly host: string;
  readonly port: number;
  /** Where we reach it ourselves. */
  readonly ownHost: string;
}

/** One who may connect. */
export interface FleetUser {
  readonly publicKey: string;
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
}

export interface FleetServer {
  readonly listen: ListenAddress;
  /** Paths. */
  readonly certificate: string;
  readonly key: string;
  /** Name of the file with the users, in the folder of this one: nats-server knows no other way to name it. */
  readonly users: string;
  /** The leafnode listener of the yard's own broker, on loopback. */
  readonly yard: { readonly port: number; readonly password: string };
}

/** Who the leaf node is at the yard's own broker. */
export const LEAF_USER = 'fleet';
/** A few for each of the thousand machines that a yard is made for. */
const MAX_CONNECTIONS = 8192;
/** A machine that vanished without a word counts as gone after three of these. */
const PING = '10s';
/** A TLS handshake and a login over a slow link. Whoever takes longer only holds a connection. */
const LOGIN_SECONDS = 10;
const ANYWHERE: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** @param text as the settings accept it: `0.0.0.0:7422`, `[::]:7422`, `hub.example:7422` */
export function listenAddress(text: string): ListenAddress {
  const colon = text.lastIndexOf(':');
  const host = text.slice(0, colon).replace(/^\[|\]$/g, '');
  return { host, port: Number(text.slice(colon + 1)), ownHost: ANYWHERE[host] ?? host };
}

/** @returns where other machines connect */
export function fleetUrls(names: readonly string[], { port }: ListenAddress): string[] {
  return names.map((name) => `tls://${bracketed(name)}:${port}`);
}

/**
 * @param names by which other machines reach us
 * @returns what the certificate must be for: these, and what we and tunnels use
 */
export function certificateNames(names: readonly string[], { host, ownHost }: ListenAddress): string[] {
  const listening = ANYWHERE[host] === undefined ? [host] : [];
  return [...new Set([...names, ...listening, ownHost, 'localhost', '127.0.0.1', '::1'])];
}

/** @returns text of the configuration of the nats-server that other machines connect to */
export function fleetServerConfig({ listen, certificate, key, users, yard }: FleetServer): string {
  const leaf = `nats-leaf://${LEAF_USER}:${yard.password}@127.0.0.1:${yard.port}`;
  return lines([
    `listen: ${quoted(`${bracketed(listen.host)}:${listen.port}`)}`,
    'tls {',
    `  cert_file: ${quoted(certificate)}`,
    `  key_file: ${quoted(key)}`,
    `  timeout: ${LOGIN_SECONDS}`,
    '}',
    `leafnodes { remotes: [ { url: ${quoted(leaf)} } ] }`,
    `max_connections: ${MAX_CONNECTIONS}`,
    `ping_interval: ${quoted(PING)}`,
    'ping_max: 2',
    'logtime: true',
    `include ${quoted(users)}`,
  ]);
}

/** @returns text of the file that says who may connect, and what each may say and hear */
export function fleetUsersConfig(users: readonly FleetUser[]): string {
  // Without any user nats-server would let everybody in.
  if (users.length === 0) throw new Error('a fleet broker must have a user');
  return lines([
    'authorization {',
    `  timeout: ${LOGIN_SECONDS}`,
    '  users: [',
    ...users.map(
      ({ publicKey, publish, subscribe }) =>
        `    { nkey: ${publicKey}, permissions: { publish: ${allowed(publish)}, subscribe: ${allowed(subscribe)} } }`,
    ),
    '  ]',
    '}',
  ]);
}

/** An empty list of what is allowed would allow everything. */
const allowed = (subjects: readonly string[]) =>
  subjects.length === 0 ? '{ deny: [">"] }' : `{ allow: [${subjects.map(quoted).join(', ')}] }`;
const quoted = (text: string) => JSON.stringify(text);
const bracketed = (host: string) => (host.includes(':') ? `[${host}]` : host);
const lines = (all: readonly string[]) => `${all.join('\n')}\n`;
