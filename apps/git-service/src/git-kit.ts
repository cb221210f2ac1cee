import type { Bus, CallOptions, HandlerContext } from '@switchyard/bus';
import type { Log } from '@switchyard/service';
import type { TrustStore } from './adapters/trust-store.js';
import type { Changes } from './changes.js';
import type { Watching } from './watch/watching.js';

/** What the handlers of the git-service work with. */
export interface GitKit {
  readonly bus: Bus;
  readonly log: Log;
  /** The one way to change a repository. */
  readonly changes: Changes;
  /** Setup files that the user has allowed. */
  readonly trust: TrustStore;
  /** What is known of the repositories of the workspaces. */
  readonly watching: Watching;
  /** Where worktrees go that name no place: absolute. */
  readonly worktreesFolder: string;
  /** Where is kept what removed worktrees held: absolute. */
  readonly recoveredFolder: string;
}

/** A call on behalf of a request: as its caller, no longer than it has, and withdrawn with it. */
export function onBehalfOf({ signal, caller, deadline }: HandlerContext): CallOptions {
  return { signal, caller, timeoutMs: Math.max(1, Math.ceil(deadline - performance.now())) };
}
