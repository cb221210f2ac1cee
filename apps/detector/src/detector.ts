import type { Served } from '@switchyard/bus';
import type { App, ServiceKit } from '@switchyard/service';
import { manifestFolders } from './config.js';
import { agentHandlers } from './handlers/agent.js';

/** Says what a screen shows of an agent, from manifests. Stateless: any number of workers share the calls. */
export function build({ bus, env, log }: ServiceKit): App {
  let served: Served | undefined;
  return {
    start: async () => {
      const handlers = agentHandlers({ bus, log, folders: manifestFolders(env) });
      served = await bus.serve('detector', env.address, handlers);
    },
    stop: async () => served?.stop(),
  };
}
