import type { Grant } from '../domain/grant.js';

/** Who is at the other end of a connection. */
export interface Identity {
  /** In every log line, e.g. `client-17`. */
  readonly name: string;
  readonly socket: 'main' | 'guest';
  /** As the system says; null where it does not. */
  readonly uid: number | null;
  readonly pid: number | null;
  /** The surface its process says it runs in. */
  readonly surfaceId: string | null;
}

/** What the gateway knows of a connection, and what that may do. */
export interface Session {
  readonly identity: Identity;
  /** undefined: nothing before it has logged in. */
  grant: Grant | undefined;
  /** Name of the token it is logged in with. */
  token: string | null;
  failures: number;
  /** The token has ended: so does the connection. */
  readonly end: () => void;
  /** Runs when the connection closes. */
  readonly onClosed: (fn: () => void) => void;
}
