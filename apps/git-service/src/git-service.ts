import type { Served } from '@switchyard/bus';
import type { App, ServiceKit } from '@switchyard/service';
import { worktreeHandlers } from './handlers/worktree.js';

/** Repositories and their worktrees, read with the system's git. Keeps no state. */
export function build({ bus, env }: Pick<ServiceKit, 'bus' | 'env'>): App {
  let served: Served | undefined;
  return {
    start: async () => {
      served = await bus.serve('git-service', env.address, worktreeHandlers(bus));
    },
    stop: async () => served?.stop(),
  };
}
