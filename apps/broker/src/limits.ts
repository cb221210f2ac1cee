/** What a broker allows. The defaults are those of nats-server where it has the like, so that both behave the same. */
export interface Limits {
  /** Of headers and payload together. */
  readonly maxPayload: number;
  /** Of one protocol line. */
  readonly maxControlLine: number;
  /** Waiting for one client that does not read; beyond it the client is cut off, so that others and memory are safe. */
  readonly maxPendingBytes: number;
  /** Waiting for one client, from which on those that send to it are not read for a moment. */
  readonly stallBytes: number;
  /** How long at most: one client that has stopped must not hold up the others. */
  readonly stallMs: number;
  readonly maxConnections: number;
  readonly maxSubscriptions: number;
  /** From the TCP connection to the token. */
  readonly authTimeoutMs: number;
  /** A silent client is asked this often whether it lives; one short packet, so an idle yard stays idle. */
  readonly pingIntervalMs: number;
  /** Unanswered questions until a client counts as gone. */
  readonly maxPingsOut: number;
  /** How long a stopping broker waits for its last bytes to leave. */
  readonly closeMs: number;
}

export const LIMITS: Limits = {
  maxPayload: 1024 * 1024,
  maxControlLine: 4096,
  maxPendingBytes: 64 * 1024 * 1024,
  stallBytes: 16 * 1024 * 1024,
  stallMs: 500,
  // A yard has some ten processes, a fleet some hundred hosts.
  maxConnections: 4096,
  maxSubscriptions: 65_536,
  authTimeoutMs: 2000,
  pingIntervalMs: 120_000,
  maxPingsOut: 2,
  closeMs: 1000,
};
