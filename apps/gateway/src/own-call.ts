import type { Dialect } from '@switchyard/protocol';
import type { Session } from './access/session.js';
import type { PushChannel } from './events/channel.js';
import type { Subscriptions } from './events/subscriptions.js';

/** What a handler of the gateway itself knows of its call. */
export interface OwnCall {
  readonly session: Session;
  readonly dialect: Dialect;
  /** Chosen by the caller, for a repeat. */
  readonly requestId: string | undefined;
  /** To the client that called. */
  readonly channel: PushChannel;
  /** What is pushed to that client. */
  readonly subscriptions: Subscriptions;
  /** Aborted when the client is gone. */
  readonly gone: AbortSignal;
  /** `fn` runs when the answer to this call is on its way to the client, so that what it pushes comes after. */
  onAnswered(fn: () => void): void;
}
